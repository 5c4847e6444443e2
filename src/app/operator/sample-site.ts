/** Creates the first organization with its key, and publishes Octavo's documentation as a sample project. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SAMPLE_DOMAIN } from '../../base/api/form-choices.ts'
import { createBundleLink } from '../../features/export/bundle-link.ts'
import type { ExportBundle, ExportJob } from '../../features/export/operations/static-export.ts'
import { getExport } from '../../features/export/read-export.ts'
import { startExport } from '../../features/export/start-export.ts'
import { startDeployment } from '../../features/hosting/deploy/start-deployment.ts'
import type { Deployment } from '../../features/hosting/operations/deployments.ts'
import { siteOrigin } from '../../features/hosting/serve/site-origin.ts'
import { findProjectsByDomain, type Project } from '../../features/projects/projects.ts'
import type { Context } from '../context.ts'
import { ACTOR, addKey, addOrganization, addProject, listAllOrganizations } from './administration.ts'
import { SAMPLE_FOLDER } from './sample-folder.ts'
import { awaitDeployment } from './sync-project.ts'

/** Returns the id of the oldest organization, creating one on first start. */
export async function ensureOrganization(context: Context): Promise<string> {
  const [oldest] = await listAllOrganizations(context)
  return (oldest ?? (await addOrganization(context, { name: 'My organization', plan: 'enterprise' }))).id
}

const FIRST_KEY = 'First admin key'

/** Creates the first key, as the last step of a first start before it is shown. Returns null if one exists. */
export async function createFirstKey(context: Context, organizationId: string): Promise<string | null> {
  const known = await context.database.queries
    .selectFrom('api_keys')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', FIRST_KEY)
    .executeTakeFirst()
  return known ? null : (await addKey(context, { organizationId, name: FIRST_KEY })).text
}

export type SampleProject = Project

/** Returns the sample project, creating it if no project is served at its domain, even if one awaits verification. */
export async function ensureSampleProject(
  context: Context,
  organizationId: string,
): Promise<{ project: Project; isNew: boolean }> {
  const [known] = await findProjectsByDomain(context.database.queries, SAMPLE_DOMAIN)
  if (known?.servedDomains.includes(SAMPLE_DOMAIN)) return { project: known, isNew: false }
  const project = await addProject(context, {
    organizationId,
    name: 'Octavo documentation',
    domains: [SAMPLE_DOMAIN],
    source: { kind: 'folder', repository: SAMPLE_FOLDER },
  })
  return { project, isNew: true }
}

/** Publishes the project and waits until that is done. `signal` stops the wait but not the deployment. */
export async function publishSample(
  context: Context,
  project: Project,
  report: (state: Deployment) => void = () => {},
  signal?: AbortSignal,
): Promise<Deployment> {
  const started = await context.database.transaction((tx) =>
    startDeployment(context, tx, {
      organizationId: project.organizationId,
      projectId: project.id,
      actor: ACTOR,
    }),
  )
  return awaitDeployment(context, project, started, report, signal)
}

const POLL_INTERVAL_MS = 200

/** Exports the project for client hosting and waits. Returns the finished job, and the bundle if it was completed. */
export async function exportSample(
  context: Context,
  { organizationId, servedDomains }: Project,
  report: (state: ExportJob) => void,
  signal: AbortSignal,
): Promise<{ job: ExportJob; bundle: ExportBundle | null }> {
  const { database, config, servedObjects: objects } = context
  const caller = { id: ACTOR, organizationId, plan: 'enterprise', projectIds: null } as const
  const body = { domain: servedDomains[0] ?? SAMPLE_DOMAIN, version: 'first start' }
  let job = await database.transaction((tx) => startExport(context, tx, caller, body))
  while (job.status === 'queued' || job.status === 'running') {
    await sleep(POLL_INTERVAL_MS, undefined, { signal })
    job = await getExport(database.queries, organizationId, job.jobId)
    report(job)
  }
  if (job.status === 'failed') return { job, bundle: null }
  const deps = { ...context, objects, bundleLinkSeconds: config.bundleLinkSeconds }
  const { jobId } = job
  const bundle = await database.transaction((tx) => createBundleLink(deps, tx, organizationId, jobId))
  return { job, bundle }
}

/** Returns whether a version of the project is published. */
export async function isPublished(context: Context, project: Project): Promise<boolean> {
  const row = await context.database.queries
    .selectFrom('published_sites')
    .select('project_id')
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the URL of the site with this domain. */
export function sampleSiteUrl(context: Pick<Context, 'publicUrl'>, domain: string): string {
  return siteOrigin(context.publicUrl(), domain)
}
