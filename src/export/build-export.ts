/** export.build: one revision of a source in, one bundle in object storage out. */
import { ProcessLimitError } from '../base/process-limit-error.ts'
import type { Jobs } from '../contract/jobs.ts'
import { toWarnings } from '../contract/problem.ts'
import { isFinal } from '../git/project-source.ts'
import { holdRow, RowLostError } from '../queue/hold-row.ts'
import type { JobContext } from '../queue/job-handler.ts'
import { MAX_ATTEMPTS } from '../queue/job-settings.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { type MakeBundleDeps, makeBundle } from './make-bundle.ts'
import {
  claimExport,
  completeExport,
  type ExportProgress,
  failExport,
  fixRevision,
  giveBackExport,
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
  await using row = holdRow<ExportProgress>(context.signal, (state) => writeProgress(queries, held, state))
  try {
    const { bundle, manifest, problems } = await makeBundle(deps, job, {
      log: context.log,
      onRevision: (revision) => fixRevision(queries, held, revision),
      report: ({ pagesDone, pagesTotal }) => row.report(renderProgress(pagesDone, pagesTotal)),
      signal: row.signal,
      timed: context.timed,
    })
    const result = { ...bundle, pageCount: manifest.pageCount, warnings: toWarnings(problems) }
    await deps.database.transaction((tx) => completeExport(tx, held, result))
    context.log.info({ exportId, pages: manifest.pageCount, ...bundle }, 'export.built')
  } catch (error) {
    if (row.signal.reason instanceof RowLostError) return
    if (row.signal.aborted) throw error
    if (!isFinal(error, context.attempt >= MAX_ATTEMPTS)) {
      if (error instanceof ProcessLimitError) await giveBackExport(queries, held, error.message)
      throw error
    }
    const failure = {
      error: error.message,
      ...(error instanceof SiteUnloadableError ? { warnings: toWarnings(error.problems) } : {}),
    }
    await deps.database.transaction((tx) => failExport(tx, held, failure))
  }
}

function renderProgress(pagesDone: number, pagesTotal: number): ExportProgress {
  return {
    progress: pagesTotal === 0 ? 0 : (pagesDone / pagesTotal) * RENDER_SHARE,
    pageCount: pagesDone,
    totalPages: pagesTotal,
  }
}
