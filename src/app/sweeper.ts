/** Periodic sweeps: object storage once an hour for the whole installation, local mirrors on each node. */
import { pause } from '../base/net/retry.ts'
import { createVersionRestorer } from '../features/hosting/deploy/restore-version.ts'
import { mirrorRetention } from '../features/storage/mirror-retention.ts'
import { isSweepDue, type SweepDeps, sweep } from '../features/storage/sweep.ts'
import { sweepMirrors } from '../git/old-mirrors.ts'
import type { Context } from './context.ts'

const SWEEP_INTERVAL_SECONDS = 3600
/** Delay of the first sweep after a start, when the node is busy and others may have swept recently. */
const FIRST_SWEEP_DELAY_MS = 60_000
const POLL_INTERVAL_MS = 10 * 60_000

/** Starts the sweeper. Disposing it aborts a running sweep, which the next one resumes. */
export function startSweeper(context: Context): AsyncDisposable {
  const stop = new AbortController()
  const working = sweepRepeatedly(context, stop.signal)
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await working
    },
  }
}

async function sweepRepeatedly(context: Context, signal: AbortSignal): Promise<void> {
  let mirrorsAt = Number.NEGATIVE_INFINITY
  context.metrics.loopCompleted('storage') // the first round is yet to come
  for (let wait = FIRST_SWEEP_DELAY_MS; ; wait = POLL_INTERVAL_MS) {
    await pause(wait, signal).catch(() => undefined)
    if (signal.aborted) return
    try {
      if (await isSweepDue(context.database.queries, SWEEP_INTERVAL_SECONDS))
        await sweep(sweepDeps(context), signal)
      if (performance.now() - mirrorsAt > SWEEP_INTERVAL_SECONDS * 1000) {
        const retentionDays = await mirrorRetention(context.database.queries, context.retention())
        await sweepMirrors(context.folder.mirrors, retentionDays, signal)
        mirrorsAt = performance.now()
      }
      context.metrics.loopCompleted('storage')
    } catch (err) {
      if (!signal.aborted) context.log.warn({ err }, 'storage.sweep_failed')
    }
  }
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
