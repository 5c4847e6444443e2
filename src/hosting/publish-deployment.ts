/** deployment.publish: one revision of a source in, one published site version out. */

import type { GuardedFetch } from '../base/guarded-fetch.ts'
import { resolveFeatures } from '../contract/features.ts'
import type { Jobs } from '../contract/jobs.ts'
import { toWarnings } from '../contract/problem.ts'
import type { Database } from '../database/database.ts'
import { isFinal, openProjectTree, type ProjectSourceDeps, repositoryOf } from '../git/project-source.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { holdRow, RowLostError } from '../queue/hold-row.ts'
import type { JobContext } from '../queue/job-handler.ts'
import { MAX_ATTEMPTS } from '../queue/job-settings.ts'
import { createRemoteFetch } from '../render/remote-files.ts'
import { createSpecFetch } from '../render/remote-specs.ts'
import { renderSite } from '../render/render-site.ts'
import { saveManifest } from '../render/site-versions.ts'
import { loadSite } from '../site/load-site.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { siteOrigin } from './site-origin.ts'
import { claimDeployment, failDeployment, publishVersion, writeDeploymentProgress } from './store.ts'

export interface PublishDeps {
  database: Database
  objects: ObjectStore
  /** For API descriptions that a site names by their address. */
  guardedFetch: GuardedFetch
  git: ProjectSourceDeps
  renderChildren: number
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
    const project = await findProject(deps, deployment.project_id)
    await using tree = await openProjectTree(deps.git, project, null, row.signal)
    const fetchSpec = createSpecFetch({ ...deps, log: context.log }, row.signal)
    const { manifest, problems } = await renderSite(
      {
        objects: deps.objects,
        log: context.log,
        children: deps.renderChildren,
        fetchRemote: createRemoteFetch({ ...deps, log: context.log }, row.signal),
      },
      {
        site: await loadSite(tree, { fetchSpec }),
        tree,
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
    .select([
      'site_id',
      'source_kind',
      'repository',
      'ref',
      'docs_folder',
      'widgets',
      'project_domains.domain',
    ])
    .where('projects.id', '=', projectId)
    .orderBy('project_domains.created_at')
    .orderBy('project_domains.domain')
    .limit(1)
    .executeTakeFirstOrThrow()
}
