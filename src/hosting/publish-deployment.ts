/** deployment.publish: one revision of a source in, one published site version out. */
import { resolveFeatures } from '../contract/features.ts'
import type { Jobs } from '../contract/jobs.ts'
import { toWarnings } from '../contract/problem.ts'
import type { Database } from '../database/database.ts'
import {
  isFinal,
  openProjectTree,
  PROJECT_SOURCE,
  type ProjectSourceDeps,
  repositoryOf,
} from '../git/project-source.ts'
import { holdRow, RowLostError } from '../queue/hold-row.ts'
import type { JobContext } from '../queue/job-handler.ts'
import { MAX_ATTEMPTS } from '../queue/job-settings.ts'
import { openSiteProcess, type SiteProcessDeps } from '../render/site-process.ts'
import { saveManifest } from '../render/site-versions.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { siteOrigin } from './site-origin.ts'
import { claimDeployment, failDeployment, publishVersion, writeDeploymentProgress } from './store.ts'

export interface PublishDeps extends Omit<SiteProcessDeps, 'log'> {
  database: Database
  git: ProjectSourceDeps
  /** Address of the API, which tells the scheme and port of local host names. */
  publicUrl: () => string
}

/** The same steps as an export with the cloud profile, then one pointer moves. */
export async function publishDeployment(
  deps: PublishDeps,
  { deploymentId }: Jobs['deployment.publish'],
  context: JobContext,
): Promise<void> {
  const { queries } = deps.database
  const held = { id: deploymentId, attempt: context.attempt }
  const deployment = await claimDeployment(queries, held)
  if (!deployment) return
  await using row = holdRow<{ pagesDone: number; pagesTotal: number }>(context.signal, (state) =>
    writeDeploymentProgress(queries, held, state),
  )
  try {
    await using site = openSiteProcess({ ...deps, log: context.log })
    const project = await findProject(deps, deployment.project_id)
    await using tree = await openProjectTree(deps.git, project, null, row.signal)
    const { manifest, problems } = await site.build(
      tree,
      {
        deployment: 'cloud',
        features: resolveFeatures('cloud'),
        origin: project.domain === null ? null : siteOrigin(deps.publicUrl(), project.domain),
        siteId: project.site_id,
        platformUrl: deps.publicUrl(),
        widgets: project.widgets,
        repository: repositoryOf(project),
      },
      row.report,
      row.signal,
    )
    const manifestKey = await saveManifest(deps.objects, manifest)
    await deps.database.transaction((tx) =>
      publishVersion(tx, held, {
        projectId: deployment.project_id,
        revision: manifest.revision,
        manifestKey,
        pageCount: manifest.pageCount,
        problems,
      }),
    )
    context.log.info({ deploymentId, pages: manifest.pageCount }, 'deployment.published')
  } catch (error) {
    if (row.signal.reason instanceof RowLostError) return
    if (row.signal.aborted || !isFinal(error, context.attempt >= MAX_ATTEMPTS)) throw error
    const failure = {
      error: error.message,
      ...(error instanceof SiteUnloadableError ? { warnings: toWarnings(error.problems) } : {}),
    }
    await deps.database.transaction((tx) => failDeployment(tx, held, failure))
  }
}

/** With the first of its domains, which is the canonical one. */
async function findProject(deps: PublishDeps, projectId: string) {
  return deps.database.queries
    .selectFrom('projects')
    .leftJoin('project_domains', 'project_domains.project_id', 'projects.id')
    .select(PROJECT_SOURCE)
    .select(['site_id', 'widgets', 'project_domains.domain'])
    .where('projects.id', '=', projectId)
    .orderBy('project_domains.created_at')
    .orderBy('project_domains.domain')
    .limit(1)
    .executeTakeFirstOrThrow()
}
