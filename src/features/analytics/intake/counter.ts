/** Runs the counting loop in each worker process; advisory locks divide the projects among the processes. */
import type { Log } from '../../../base/log.ts'
import { pause } from '../../../base/net/retry.ts'
import type { Database } from '../../../database/database.ts'
import { countInbox } from './count-inbox.ts'
import type { QuarantinedBatch } from './quarantine.ts'

export interface CounterDeps {
  database: Database
  log: Log
  onRound?: () => void
  onSetAside?: () => void
}

const POLL_INTERVAL_MS = 1000

/** Disposing waits for the current transaction. */
export function startCounter({ database, log, onRound, onSetAside }: CounterDeps): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  let isAway = false

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const { mayBeMore, setAside } = await countInbox(database)
        isAway = false
        onRound?.()
        reportQuarantined(setAside)
        if (mayBeMore) continue
      } catch (err) {
        // Logs each database outage only once, not every second.
        if (!isAway && !signal.aborted) log.warn({ err }, 'analytics.count_failed')
        isAway = true
      }
      await pause(POLL_INTERVAL_MS, signal).catch(() => undefined)
    }
  }

  function reportQuarantined(batches: readonly QuarantinedBatch[]): void {
    for (const { id, projectId, reason } of batches) {
      log.error({ batch: id, projectId, reason }, 'analytics.batch_set_aside')
      onSetAside?.()
    }
  }

  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}
