/**
 * Sends due deliveries, in each worker process. It is a separate loop rather than a job of the queue, because it must
 * see everything that is due to be fair between endpoints, and because events are written where the queue is not
 * available. Several processes share the work through locks and leases of the rows, and none depends on another.
 *
 * Each round creates deliveries for new events, claims as many due ones as there is room for, and starts to send
 * them. The next round follows when an attempt has ended, or after the poll interval.
 */
import type { Log } from '../../base/log.ts'
import { pause } from '../../base/net/retry.ts'
import type { Database } from '../../database/database.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  createDeliveries,
  recordDeliveryOutcome,
} from './deliveries.ts'
import { type SendDeps, sendMessage } from './send-message.ts'

export interface DispatcherDeps extends SendDeps {
  database: Database
  log: Log
  /** Called after each successful round. */
  onRound?: () => void
}

export interface DispatcherSettings {
  /** Maximum number of concurrent attempts in this process. */
  maxConcurrent: number
  /** Maximum number of concurrent attempts per endpoint. */
  perEndpoint: number
  /** Timeout for the receiver's response. */
  timeoutMs: number
  /**
   * Time after which an attempt is considered lost. Must be longer than `timeoutMs` plus the time to record the
   * result.
   */
  leaseSeconds: number
  /** Maximum delay before a new event is noticed. */
  pollMs: number
}

export interface Dispatcher {
  /** Stops claiming, lets attempts in progress finish within the grace period, and releases the rest. */
  stop(options: { graceSeconds: number }): Promise<void>
}

const SETTINGS: DispatcherSettings = {
  maxConcurrent: 64,
  perEndpoint: 4,
  timeoutMs: 15_000,
  leaseSeconds: 60,
  pollMs: 1000,
}

/** Events turned into deliveries per statement. */
const EVENTS_PER_BATCH = 500

/** Attempts that end within this time share one round. */
const GATHER_DELAY_MS = 5

export function startDispatcher(
  deps: DispatcherDeps,
  overrides: Partial<DispatcherSettings> = {},
): Dispatcher {
  const settings = { ...SETTINGS, ...overrides }
  const stopping = new AbortController()
  let wake = Promise.withResolvers<void>()
  const tries = createTries(deps, settings.timeoutMs, () => wake.resolve())
  const round = createRound(deps, settings, tries)

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers()
      if (await round()) continue
      const poll = setTimeout(wake.resolve, settings.pollMs)
      await wake.promise
      clearTimeout(poll)
      await pause(GATHER_DELAY_MS)
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

/** Creates the function for one round. It returns whether to run another one immediately. */
function createRound(
  { database, log, onRound }: DispatcherDeps,
  settings: DispatcherSettings,
  tries: Tries,
): () => Promise<boolean> {
  const { perEndpoint, leaseSeconds } = settings
  let isDatabaseAway = false
  return async () => {
    try {
      const spread = await createDeliveries(database.queries, EVENTS_PER_BATCH)
      const maxConcurrent = settings.maxConcurrent - tries.count()
      if (maxConcurrent > 0) {
        const { underWay } = tries
        const claimed = await claimDeliveries(database.queries, {
          maxDeliveries: maxConcurrent,
          perEndpoint,
          underWay,
          leaseSeconds,
        })
        for (const delivery of claimed) tries.start(delivery)
      }
      isDatabaseAway = false
      onRound?.()
      return spread === EVENTS_PER_BATCH
    } catch (error) {
      // Log once per outage of the database, not once a second.
      if (!isDatabaseAway) log.warn({ err: error }, 'webhooks.look_failed')
      isDatabaseAway = true
      return false
    }
  }
}

type Tries = ReturnType<typeof createTries>

/** Tracks the attempts in progress of this process. `ended` is called after each. */
function createTries(deps: DispatcherDeps, timeoutMs: number, ended: () => void) {
  const cutting = new AbortController()
  const tries = new Set<Promise<void>>()
  /** Number of attempts by endpoint. */
  const underWay = new Map<string, number>()

  return {
    underWay,
    count: () => tries.size,
    start(delivery: ClaimedDelivery): void {
      const { endpointId } = delivery
      underWay.set(endpointId, (underWay.get(endpointId) ?? 0) + 1)
      const attempt = attemptDelivery(deps, delivery, { timeoutMs, signal: cutting.signal }).finally(() => {
        tries.delete(attempt)
        const left = (underWay.get(endpointId) ?? 1) - 1
        if (left === 0) underWay.delete(endpointId)
        else underWay.set(endpointId, left)
        ended()
      })
      tries.add(attempt)
    },
    /** Aborts attempts that do not finish within the grace period. */
    async end(graceSeconds: number): Promise<void> {
      const cut = setTimeout(() => cutting.abort(), graceSeconds * 1000)
      await Promise.all(tries)
      clearTimeout(cut)
    },
  }
}

async function attemptDelivery(
  deps: DispatcherDeps,
  delivery: ClaimedDelivery,
  bounds: { timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const { database, log } = deps
  const { endpointId, eventId, attempts } = delivery
  try {
    const outcome = await sendMessage(deps, delivery, bounds)
    const isDead = await recordDeliveryOutcome(database, delivery, outcome)
    const fields = { endpointId, eventId, attempts, outcome: outcome.kind }
    if (isDead) log.warn(fields, 'webhook.dead')
    else log.debug(fields, 'webhook.tried')
  } catch (error) {
    // The lease expires, and the same message is sent again.
    log.warn({ endpointId, eventId, attempts, err: error }, 'webhook.try_lost')
  }
}
