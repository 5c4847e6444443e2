/** export.build: one revision of a source in, one bundle in object storage out. */
import type { FileTree } from '../base/file-tree.ts'
import type { Jobs } from '../contract/jobs.ts'
import { toWarnings } from '../contract/problem.ts'
import type { Database } from '../database/database.ts'
import {
  isFinal,
  openProjectTree,
  PROJECT_SOURCE,
  type ProjectSourceDeps,
  type ProjectSourceRow,
  repositoryOf,
} from '../git/project-source.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { holdRow, RowLostError } from '../queue/hold-row.ts'
import type { JobContext } from '../queue/job-handler.ts'
import { MAX_ATTEMPTS } from '../queue/job-settings.ts'
import type { SiteManifest } from '../render/manifest.ts'
import { openSiteProcess, type SiteProcessDeps } from '../render/site-process.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { openBundle } from './archive.ts'
import { bundleKey } from './bundle-link.ts'
import {
  claimExport,
  completeExport,
  type ExportProgress,
  type ExportRow,
  failExport,
  fixRevision,
  writeProgress,
} from './store.ts'

export interface BuildExportDeps extends Omit<SiteProcessDeps, 'log'> {
  database: Database
  git: ProjectSourceDeps
  /** Where readers of a bundle reach the platform, when the project wants them to. */
  publicUrl: () => string
}

/** Share of the progress that rendering is; the rest is the archive. */
const RENDER_SHARE = 90

/**
 * Throws what a later attempt may mend; what none can mend ends the row as `failed`. An attempt that has lost its row
 * ends without a word.
 */
export async function buildExport(
  deps: BuildExportDeps,
  { exportId }: Jobs['export.build'],
  context: JobContext,
): Promise<void> {
  const { queries } = deps.database
  const held = { id: exportId, attempt: context.attempt }
  const job = await claimExport(queries, exportId, context.attempt)
  if (!job) return
  await using row = holdRow<ExportProgress>(context.signal, (state) => writeProgress(queries, held, state))
  try {
    await using site = openSiteProcess({ ...deps, log: context.log })
    const project = await findProject(deps, job)
    await using tree = await openSource(deps, job, project, row.signal)
    const { manifest, problems } = await site.build(
      tree,
      {
        deployment: job.deployment,
        features: job.features,
        origin: `https://${job.domain}`,
        siteId: project.site_id,
        platformUrl: deps.publicUrl(),
        widgets: job.widgets,
        repository: repositoryOf(project),
        ...(job.paths === null ? {} : { paths: job.paths }),
      },
      ({ pagesDone, pagesTotal }) => row.report(renderProgress(pagesDone, pagesTotal)),
      row.signal,
    )
    const bundle = await storeBundle(deps.objects, job.id, manifest, row.signal)
    const result = { ...bundle, pageCount: manifest.pageCount, warnings: toWarnings(problems) }
    await deps.database.transaction((tx) => completeExport(tx, held, result))
    context.log.info({ exportId, pages: manifest.pageCount, ...bundle }, 'export.built')
  } catch (error) {
    if (row.signal.reason instanceof RowLostError) return
    if (row.signal.aborted || !isFinal(error, context.attempt >= MAX_ATTEMPTS)) throw error
    const failure = {
      error: error.message,
      ...(error instanceof SiteUnloadableError ? { warnings: toWarnings(error.problems) } : {}),
    }
    await deps.database.transaction((tx) => failExport(tx, held, failure))
  }
}

async function findProject(deps: BuildExportDeps, job: ExportRow) {
  return deps.database.queries
    .selectFrom('projects')
    .select(PROJECT_SOURCE)
    .select('site_id')
    .where('id', '=', job.project_id)
    .executeTakeFirstOrThrow()
}

/** The commit is fixed by the first attempt, so that a later one renders the same. */
async function openSource(
  deps: BuildExportDeps,
  job: ExportRow,
  project: ProjectSourceRow,
  signal: AbortSignal,
): Promise<FileTree> {
  const { queries } = deps.database
  const tree = await openProjectTree(deps.git, project, job.revision, signal)
  await fixRevision(queries, { id: job.id, attempt: job.attempt }, tree.revision)
  return tree
}

function renderProgress(pagesDone: number, pagesTotal: number): ExportProgress {
  return {
    progress: pagesTotal === 0 ? 0 : (pagesDone / pagesTotal) * RENDER_SHARE,
    pageCount: pagesDone,
    totalPages: pagesTotal,
  }
}

/** The key is the job's own and the bytes are the same in every attempt: writing it twice does no harm. */
async function storeBundle(
  objects: ObjectStore,
  exportId: string,
  manifest: SiteManifest,
  signal: AbortSignal,
): Promise<{ sha256: string; sizeBytes: number }> {
  signal.throwIfAborted()
  const bundle = openBundle(objects, manifest)
  await objects.put(bundleKey(exportId), bundle.stream, { contentType: 'application/gzip' })
  return bundle.digest()
}
