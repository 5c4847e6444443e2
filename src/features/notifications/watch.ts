/** Background work on notifications: distributes events, and detects feedback spikes, which no event reports. */
import type { Log } from '../../base/log.ts'
import { repeat } from '../../base/repeat.ts'
import type { Database } from '../../database/database.ts'
import { lookForSpikes } from './feedback-spikes.ts'
import { spreadNotifications } from './spread.ts'

export interface NotificationWatchDeps {
  database: Database
  log: Log
  /** Called after each successful round. */
  onLook?: () => void
}

const ROUND_MS = 1000
const SPIKES_MS = 60_000

/** Several nodes share the work. */
export function watchNotifications({ database, log, onLook }: NotificationWatchDeps): AsyncDisposable {
  let spikesAt = Number.NEGATIVE_INFINITY
  return repeat({
    async work(signal) {
      await spreadAll(database, signal)
      if (performance.now() - spikesAt < SPIKES_MS) return
      spikesAt = performance.now()
      await lookForSpikes(database, signal)
    },
    everyMs: ROUND_MS,
    onFailure: (error) => log.warn({ error: error.message }, 'notifications.look_failed'),
    ...(onLook === undefined ? {} : { onRound: onLook }),
  })
}

export async function spreadAll(database: Database, signal: AbortSignal): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    signal.throwIfAborted()
    hasMore = (await spreadNotifications(database)).hasMore
  }
}
