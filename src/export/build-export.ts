/** export.build: one revision of a source in, one bundle in object storage out. */
import { isMachinery } from '../base/machinery-error.ts'
import { jobErrorCode } from '../contract/job-errors.ts'
import type { Jobs } from '../contract/jobs.ts'
import { toWarnings } from '../contract/problem.ts'
import { isFinal } from '../git/project-source.ts'
import { boundPassed, createSteps, lostFailure } from '../queue/attempt-place.ts'
import { HandedOnError, type JobContext } from '../queue/job-handler.ts'
import { MAX_ATTEMPTS } from '../queue/job-settings.ts'
import { holdLease, RowLostError } from '../queue/lease.ts'
import { SOURCE_STEP, stepAmongPages, stepBehindPages } from '../render/build-steps.ts'
import type { RenderProgress } from '../render/render-site.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { type MakeBundleDeps, makeBundle } from './make-bundle.ts'
import {
  claimExport,
  completeExport,
  type ExportProgress,
  endAttempt,
  failExport,
  fixRevision,
  handOnExport,
  writeProgress,
} from './store.ts'

/** Share of the progress that rendering is; the rest is the archive. */
const RENDER_SHARE = 90

/**
 * Throws what a later attempt may mend; what none can mend ends the row as `failed`. An attempt that has lost its row
 * ends without a word.
 */
export async function buildExport(
  deps: MakeBundleDeps,
  { exportId }: Jobs['export.build'],
  context: JobContext,
): Promise<void> {
  const { queries } = deps.database
  const held = { id: exportId, attempt: context.attempt }
  const job = await claimExport(queries, exportId, context.attempt)
  if (!job) return
  const fail = (failure: Parameters<typeof failExport>[2]) =>
    deps.database.transaction((tx) => failExport(tx, held, failure))
  if (job.stalled >= MAX_ATTEMPTS) return void (await fail(lostFailure(job)))
  const steps = createSteps(job)
  await using row = holdLease<ExportProgress>(context.signal, (state) =>
    writeProgress(queries, held, state, steps.place()),
  )
  try {
    const { bundle, manifest, problems } = await makeBundle(deps, job, {
      log: context.log,
      onRevision: async (revision) => {
        row.report(STARTED, steps.go(SOURCE_STEP))
        return await fixRevision(queries, held, revision)
      },
      report: (progress) => row.report(renderProgress(progress), steps.go(stepAmongPages(progress))),
      onWhole: (pages) => row.report(archiveProgress(pages), steps.go(stepBehindPages(pages))),
      signal: row.signal,
      timed: context.timed,
    })
    const result = { ...bundle, pageCount: manifest.pageCount, warnings: toWarnings(problems) }
    await deps.database.transaction((tx) => completeExport(tx, held, result))
    context.log.info({ exportId, pages: manifest.pageCount, ...bundle }, 'export.built')
  } catch (error) {
    if (row.signal.reason instanceof RowLostError) return
    // Neither the end of a server nor a full disk is an attempt.
    const isNone = row.signal.aborted
      ? row.signal.reason instanceof HandedOnError
      : await context.lacksRoom(error)
    if (isNone) await handOnExport(queries, held).catch(() => undefined)
    if (isNone || row.signal.aborted) throw error
    await row.flush()
    const stalled = await endAttempt(queries, held, boundPassed(error))
    if (!isFinal(error, stalled >= MAX_ATTEMPTS)) throw error
    if (isMachinery(error)) context.log.error({ exportId, error: error.message }, 'export.failed')
    await fail({
      error: error.message,
      code: jobErrorCode(error),
      ...(error instanceof SiteUnloadableError ? { warnings: toWarnings(error.problems) } : {}),
    })
  }
}

const STARTED: ExportProgress = { progress: 0, pageCount: 0, totalPages: null }

function renderProgress({ pagesDone, pagesTotal }: RenderProgress): ExportProgress {
  return {
    progress: pagesTotal === 0 ? 0 : (pagesDone / pagesTotal) * RENDER_SHARE,
    pageCount: pagesDone,
    totalPages: pagesTotal,
  }
}

function archiveProgress(pages: number): ExportProgress {
  return { progress: RENDER_SHARE, pageCount: pages, totalPages: pages }
}
