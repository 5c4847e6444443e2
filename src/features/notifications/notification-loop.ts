/** Background work on notifications: distributes events, and detects feedback spikes, which no event reports. */
import type { Log } from '../../base/log.ts'
import { repeat } from '../../base/repeat.ts'
import type { Database } from '../../database/database.ts'
import { distributeNotifications } from './distribute.ts'
import { claimSpikeCheck, detectSpikes } from './feedback-spikes.ts'

export interface NotificationWatchDeps {
  database: Database
  log: Log
  onRound?: () => void
}

const POLL_INTERVAL_MS = 1000
const SPIKE_CHECK_INTERVAL_MS = 60_000

/** Several nodes share the work. */
export function watchNotifications({ database, log, onRound }: NotificationWatchDeps): AsyncDisposable {
  let spikesAt = Number.NEGATIVE_INFINITY
  return repeat({
    async work(signal) {
      await distributeAll(database, signal)
      if (performance.now() - spikesAt < SPIKE_CHECK_INTERVAL_MS) return
      spikesAt = performance.now()
      if (await claimSpikeCheck(database.queries, SPIKE_CHECK_INTERVAL_MS / 2))
        await detectSpikes(database, signal)
    },
    everyMs: POLL_INTERVAL_MS,
    onFailure: (error) => log.warn({ error: error.message }, 'notifications.look_failed'),
    ...(onRound === undefined ? {} : { onRound: onRound }),
  })
}

export async function distributeAll(database: Database, signal: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    signal.throwIfAborted()
    hasMore = (await distributeNotifications(database)).hasMore
  }
}
