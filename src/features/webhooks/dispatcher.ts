/**
 * Sends what is due, in each process that works. A loop of its own and not a job of the queue: it has to see all that is
 * due at once to be fair between endpoints, and an event is written where the queue is not known. Several processes
 * share the work by the locks and leases of the rows; none of them needs the others.
 *
 * Each look makes deliveries of new events, claims what is due and there is room for, and starts to send. The next look
 * comes when a try has ended, or after the poll interval.
 */
import type { Log } from '../../base/log.ts'
import { pause } from '../../base/net/retry.ts'
import type { Database } from '../../database/database.ts'
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
  const stopping = new AbortController()
  let wake = Promise.withResolvers<void>()
  const tries = createTries(deps, settings.timeoutMs, () => wake.resolve())
  const look = createLook(deps, settings, tries)

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

  const running = run()
  return {
    async stop({ graceSeconds }) {
      stopping.abort()
      wake.resolve()
      await running
      await tries.end(graceSeconds)
    },
  }
}

/** A look answers whether another one is worth it at once. */
function createLook(
  { database, log, onLook }: DispatcherDeps,
  settings: DispatcherSettings,
  tries: Tries,
): () => Promise<boolean> {
  const { perEndpoint, leaseSeconds } = settings
  let isAway = false
  return async () => {
    try {
      const spread = await spreadEvents(database.queries, SPREAD_EVENTS)
      const room = settings.room - tries.count()
      if (room > 0) {
        const { underWay } = tries
        const claimed = await claimDeliveries(database.queries, { room, perEndpoint, underWay, leaseSeconds })
        for (const delivery of claimed) tries.start(delivery)
      }
      isAway = false
      onLook?.()
      return spread === SPREAD_EVENTS
    } catch (error) {
      // Once for each absence of the database, not once a second.
      if (!isAway) log.warn({ err: error }, 'webhooks.look_failed')
      isAway = true
      return false
    }
  }
}

type Tries = ReturnType<typeof createTries>

/** The tries of this process that are under way. `ended` is called after each. */
function createTries(deps: DispatcherDeps, timeoutMs: number, ended: () => void) {
  const cutting = new AbortController()
  const tries = new Set<Promise<void>>()
  /** By endpoint. */
  const underWay = new Map<string, number>()

  return {
    underWay,
    count: () => tries.size,
    start(delivery: ClaimedDelivery): void {
      const { endpointId } = delivery
      underWay.set(endpointId, (underWay.get(endpointId) ?? 0) + 1)
      const attempt = tryOnce(deps, delivery, { timeoutMs, signal: cutting.signal }).finally(() => {
        tries.delete(attempt)
        const left = (underWay.get(endpointId) ?? 1) - 1
        if (left === 0) underWay.delete(endpointId)
        else underWay.set(endpointId, left)
        ended()
      })
      tries.add(attempt)
    },
    /** Cuts what is not done within the grace. */
    async end(graceSeconds: number): Promise<void> {
      const cut = setTimeout(() => cutting.abort(), graceSeconds * 1000)
      await Promise.all(tries)
      clearTimeout(cut)
    },
  }
}

async function tryOnce(
  deps: DispatcherDeps,
  delivery: ClaimedDelivery,
  bounds: { timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const { database, log } = deps
  const { endpointId, eventId, attempts } = delivery
  try {
    const outcome = await sendMessage(deps, delivery, bounds)
    const isDead = await settleDelivery(database, delivery, outcome)
    const fields = { endpointId, eventId, attempts, outcome: outcome.kind }
    if (isDead) log.warn(fields, 'webhook.dead')
    else log.debug(fields, 'webhook.tried')
  } catch (error) {
    // The lease ends by itself, and the same message is sent again.
    log.warn({ endpointId, eventId, attempts, err: error }, 'webhook.try_lost')
  }
}
