/** export.build: one revision of a source in, one bundle in object storage out. */
import type { FileTree } from '../base/file-tree.ts'
import type { GuardedFetch } from '../base/guarded-fetch.ts'
import { PermanentError } from '../base/permanent-error.ts'
import type { Jobs } from '../contract/jobs.ts'
import { type Problem, toWarnings } from '../contract/problem.ts'
import type { Database } from '../database/database.ts'
import {
  isFinal,
  openProjectTree,
  type ProjectSourceDeps,
  type ProjectSourceRow,
  repositoryOf,
} from '../git/project-source.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { holdRow, RowLostError } from '../queue/hold-row.ts'
import type { JobContext } from '../queue/job-handler.ts'
import { MAX_ATTEMPTS } from '../queue/job-settings.ts'
import type { SiteManifest } from '../render/manifest.ts'
import { createRemoteFetch } from '../render/remote-files.ts'
import { createSpecFetch } from '../render/remote-specs.ts'
import { renderSite } from '../render/render-site.ts'
import { loadSite } from '../site/load-site.ts'
import type { Site } from '../site/model.ts'
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

export interface BuildExportDeps {
  database: Database
  objects: ObjectStore
  /** For API descriptions that a site names by their address. */
  guardedFetch: GuardedFetch
  git: ProjectSourceDeps
  renderChildren: number
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
    const project = await findProject(deps, job)
    await using tree = await openSource(deps, job, project, row.signal)
    const fetchSpec = createSpecFetch({ ...deps, log: context.log }, row.signal)
    const site = await loadSite(tree, { fetchSpec })
    const paths = checkPaths(site, job)
    const { manifest, problems } = await renderSite(
      {
        objects: deps.objects,
        log: context.log,
        children: deps.renderChildren,
        fetchRemote: createRemoteFetch({ ...deps, log: context.log }, row.signal),
      },
      {
        site,
        tree,
        deployment: job.deployment,
        features: job.features,
        origin: `https://${job.domain}`,
        siteId: project.site_id,
        platformUrl: deps.publicUrl(),
        widgets: job.widgets,
        repository: repositoryOf(project),
        ...(paths.known === null ? {} : { paths: paths.known }),
      },
      ({ pagesDone, pagesTotal }) => row.report(renderProgress(pagesDone, pagesTotal)),
      row.signal,
    )
    const bundle = await storeBundle(deps.objects, job.id, manifest, row.signal)
    const warnings = toWarnings([...paths.problems, ...problems])
    const result = { ...bundle, pageCount: manifest.pageCount, warnings }
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
    .select(['site_id', 'source_kind', 'repository', 'ref', 'docs_folder'])
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

/** Paths that are no pages are problems; when none is a page there is nothing to export. */
function checkPaths(site: Site, job: ExportRow): { known: string[] | null; problems: Problem[] } {
  if (job.paths === null) return { known: null, problems: [] }
  const known = job.paths.filter((path) => site.pages.has(path))
  const unknown = job.paths.filter((path) => !site.pages.has(path))
  if (known.length === 0)
    throw new PermanentError(`None of the paths is a page of this site: ${unknown.slice(0, 10).join(', ')}.`)
  return { known, problems: unknown.map(unknownPath) }
}

function unknownPath(path: string): Problem {
  return {
    file: 'docs.json',
    line: null,
    code: 'export.path_unknown',
    level: 'warning',
    message: `The export was asked for ${path}, which is no page of this site.`,
    remedy: 'Give the path as it stands in the address of the page.',
  }
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
