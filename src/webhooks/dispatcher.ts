/**
 * Sends what is due, in each process that works. A loop of its own and not a job of the queue: it has to see all that is
 * due at once to be fair between endpoints, and an event is written where the queue is not known. Several processes
 * share the work by the locks and leases of the rows; none of them needs the others.
 *
 * Each look makes deliveries of new events, claims what is due and there is room for, and starts to send. The next look
 * comes when a try has ended, or after the poll interval.
 */
import type { Log } from '../base/log.ts'
import { pause } from '../base/retry.ts'
import type { Database } from '../database/database.ts'
import { type ClaimedDelivery, claimDeliveries, settleDelivery, spreadEvents } from './deliveries.ts'
import { type SendDeps, sendMessage } from './send-message.ts'

export interface DispatcherDeps extends SendDeps {
  database: Database
  log: Log
  /** After each look that came through. */
  onLook?: () => void
}

export interface DispatcherSettings {
  /** Tries under way at once in this process. */
  room: number
  /** Of those to one endpoint. */
  perEndpoint: number
  /** For a receiver to answer. */
  timeoutMs: number
  /** After which a try is taken for lost with its process. Longer than `timeoutMs` and what it takes to write it down. */
  leaseSeconds: number
  /** How soon a new event is seen. */
  pollMs: number
}

export interface Dispatcher {
  /** Claims no more, lets what is under way end within the grace, and hands on the rest. */
  stop(options: { graceSeconds: number }): Promise<void>
}

const SETTINGS: DispatcherSettings = {
  room: 64,
  perEndpoint: 4,
  timeoutMs: 15_000,
  leaseSeconds: 60,
  pollMs: 1000,
}

/** Events made into deliveries by one statement. */
const SPREAD_EVENTS = 500

/** Tries that end within this time are followed by one look, not by one each. */
const GATHER_MS = 5

export function startDispatcher(deps: DispatcherDeps, given: Partial<DispatcherSettings> = {}): Dispatcher {
  const settings = { ...SETTINGS, ...given }
  const { database, log } = deps
  const stopping = new AbortController()
  const cutting = new AbortController()
  const underWay = new Map<string, number>()
  const tries = new Set<Promise<void>>()
  let wake = Promise.withResolvers<void>()
  let isAway = false

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers()
      if (await look()) continue
      const poll = setTimeout(wake.resolve, settings.pollMs)
      await wake.promise
      clearTimeout(poll)
      await pause(GATHER_MS)
    }
  }

  /** Whether another look is worth it at once. */
  async function look(): Promise<boolean> {
    try {
      const spread = await spreadEvents(database.queries, SPREAD_EVENTS)
      const room = settings.room - tries.size
      if (room > 0) {
        const { perEndpoint, leaseSeconds } = settings
        const claimed = await claimDeliveries(database.queries, { room, perEndpoint, underWay, leaseSeconds })
        for (const delivery of claimed) start(delivery)
      }
      isAway = false
      deps.onLook?.()
      return spread === SPREAD_EVENTS
    } catch (error) {
      // Once for each absence of the database, not once a second.
      if (!isAway) log.warn({ err: error }, 'webhooks.look_failed')
      isAway = true
      return false
    }
  }

  function start(delivery: ClaimedDelivery): void {
    const { endpointId } = delivery
    underWay.set(endpointId, (underWay.get(endpointId) ?? 0) + 1)
    const attempt = tryOnce(delivery).finally(() => {
      tries.delete(attempt)
      const left = (underWay.get(endpointId) ?? 1) - 1
      if (left === 0) underWay.delete(endpointId)
      else underWay.set(endpointId, left)
      wake.resolve()
    })
    tries.add(attempt)
  }

  async function tryOnce(delivery: ClaimedDelivery): Promise<void> {
    const { endpointId, eventId, attempts } = delivery
    try {
      const { timeoutMs } = settings
      const outcome = await sendMessage(deps, delivery, { timeoutMs, signal: cutting.signal })
      const isDead = await settleDelivery(database, delivery, outcome)
      const fields = { endpointId, eventId, attempts, outcome: outcome.kind }
      if (isDead) log.warn(fields, 'webhook.dead')
      else log.debug(fields, 'webhook.tried')
    } catch (error) {
      // The lease ends by itself, and the same message is sent again.
      log.warn({ endpointId, eventId, attempts, err: error }, 'webhook.try_lost')
    }
  }

  const running = run()
  return {
    async stop({ graceSeconds }) {
      stopping.abort()
      wake.resolve()
      await running
      const cut = setTimeout(() => cutting.abort(), graceSeconds * 1000)
      await Promise.all(tries)
      clearTimeout(cut)
    },
  }
}
