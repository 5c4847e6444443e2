/**
 * Sends due deliveries in each worker process. This is a separate loop instead of queue jobs, because fairness
 * between endpoints requires a view of all due deliveries, and because events are written where the queue is not
 * available. Processes share the work through locks and leases of rows, and none depends on another.
 *
 * Each iteration creates deliveries for new events, claims as many due deliveries as there are free slots, and
 * starts to send them. The next iteration follows when an attempt has ended, or after the poll interval.
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
  onRound?: () => void
}

export interface DispatcherSettings {
  maxConcurrent: number
  perEndpoint: number
  timeoutMs: number
  /** Lease of an attempt. Must exceed `timeoutMs` plus the time to record the outcome. */
  leaseSeconds: number
  /** Maximum delay before a new event is found. */
  pollMs: number
}

export interface Dispatcher {
  /** Stops claiming, lets running attempts finish within the grace period, and releases the others. */
  stop(options: { graceSeconds: number }): Promise<void>
}

const SETTINGS: DispatcherSettings = {
  maxConcurrent: 64,
  perEndpoint: 4,
  timeoutMs: 15_000,
  leaseSeconds: 60,
  pollMs: 1000,
}

const EVENTS_PER_BATCH = 500

/** Delay that combines attempts ending at almost the same time into one iteration. */
const GATHER_DELAY_MS = 5

export function startDispatcher(
  deps: DispatcherDeps,
  overrides: Partial<DispatcherSettings> = {},
): Dispatcher {
  const settings = { ...SETTINGS, ...overrides }
  const stopping = new AbortController()
  let wake = Promise.withResolvers<void>()
  const tries = createAttemptTracker(deps, settings.timeoutMs, () => wake.resolve())
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

/** Creates the function for one iteration, which returns true if another one must follow immediately. */
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
      // Logs each database outage only once, not every second.
      if (!isDatabaseAway) log.warn({ err: error }, 'webhooks.look_failed')
      isDatabaseAway = true
      return false
    }
  }
}

type Tries = ReturnType<typeof createAttemptTracker>

function createAttemptTracker(deps: DispatcherDeps, timeoutMs: number, ended: () => void) {
  const cutting = new AbortController()
  const tries = new Set<Promise<void>>()
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
    // The same message is sent again when the lease expires.
    log.warn({ endpointId, eventId, attempts, err: error }, 'webhook.try_lost')
  }
}
