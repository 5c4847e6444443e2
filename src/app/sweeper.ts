/** Periodic sweeps: object storage once an hour for the whole installation, local mirrors on each node. */
import { repeat } from '../base/repeat.ts'
import { createVersionRestorer } from '../features/hosting/deploy/restore-version.ts'
import { mirrorRetention } from '../features/storage/mirror-retention.ts'
import { isSweepDue, type SweepDeps, sweep } from '../features/storage/sweep.ts'
import { sweepMirrors } from '../git/old-mirrors.ts'
import type { Context } from './context.ts'

const SWEEP_INTERVAL_SECONDS = 3600
/** Delay of the first sweep after a start, when the node is busy and others may have swept recently. */
const FIRST_SWEEP_DELAY_MS = 60_000
const POLL_INTERVAL_MS = 10 * 60_000

/** Starts the sweeper. Disposing it aborts a running sweep, which the next sweep resumes. */
export function startSweeper(context: Context): AsyncDisposable {
  const { database, metrics, log } = context
  let mirrorsAt = Number.NEGATIVE_INFINITY
  metrics.loopCompleted('storage') // measures from the start, because the first sweep has not run yet
  return repeat({
    firstAfterMs: FIRST_SWEEP_DELAY_MS,
    everyMs: POLL_INTERVAL_MS,
    async work(signal) {
      if (await isSweepDue(database.queries, SWEEP_INTERVAL_SECONDS)) await sweep(sweepDeps(context), signal)
      if (performance.now() - mirrorsAt <= SWEEP_INTERVAL_SECONDS * 1000) return
      const retentionDays = await mirrorRetention(database.queries, context.retention())
      await sweepMirrors(context.folder.mirrors, retentionDays, signal)
      mirrorsAt = performance.now()
    },
    onRound: () => metrics.loopCompleted('storage'),
    onFailure: (err) => log.warn({ err }, 'storage.sweep_failed'),
  })
}

export function sweepDeps(context: Context): SweepDeps {
  const retention = context.retention()
  const { graceSeconds } = context.config.storage
  return {
    ...context,
    objects: context.servedObjects,
    retention,
    graceSeconds,
    cacheSeconds: retention.renderCache === 0 ? null : retention.renderCache * 86_400,
    onMissing: createVersionRestorer(context),
  }
}
