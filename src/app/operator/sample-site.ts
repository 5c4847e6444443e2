/** Creates the first organization with its key, and publishes Octavo's documentation as a sample project. */

import { setTimeout as sleep } from 'node:timers/promises'
import { SAMPLE_DOMAIN } from '../../base/api/form-choices.ts'
import { OPERATOR_ACTOR } from '../../database/audit.ts'
import { listOrganizations } from '../../features/accounts/organizations/organizations.ts'
import { createBundleLink } from '../../features/export/bundle-link.ts'
import type { ExportBundle, ExportJob } from '../../features/export/operations/static-export.ts'
import { getExport } from '../../features/export/read-export.ts'
import { startExport } from '../../features/export/start-export.ts'
import { getDeployment } from '../../features/hosting/deploy/read-deployments.ts'
import { startDeployment } from '../../features/hosting/deploy/start-deployment.ts'
import type { Deployment } from '../../features/hosting/operations/deployments.ts'
import { siteOrigin } from '../../features/hosting/serve/site-origin.ts'
import { findProjectsByDomain, type Project } from '../../features/projects/projects.ts'
import type { Context } from '../context.ts'
import { addKey, addOrganization, addProject } from './administration.ts'
import { SAMPLE_FOLDER } from './sample-folder.ts'

export async function ensureOrganization(context: Context): Promise<string> {
  const [oldest] = await listOrganizations(context.database.queries)
  return (oldest ?? (await addOrganization(context, { name: 'My organization', plan: 'enterprise' }))).id
}

const FIRST_KEY = 'First admin key'

/** Creates the first key, as the last step of a first start. Returns null if a key exists. */
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

/**
 * Returns the sample project. Creates it if no project is served at its domain, even if a project awaits
 * verification of that domain.
 */
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

const POLL_INTERVAL_MS = 200

/** Publishes the project and waits for the deployment. `signal` aborts the wait but not the deployment. */
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
      actor: OPERATOR_ACTOR,
    }),
  )
  return awaitDeployment(context, project, started, report, signal)
}

export async function awaitDeployment(
  context: Pick<Context, 'database'>,
  project: Pick<Project, 'id' | 'organizationId'>,
  started: Deployment,
  report: (state: Deployment) => void = () => {},
  signal?: AbortSignal,
): Promise<Deployment> {
  const scope = { organizationId: project.organizationId, projectId: project.id }
  let state = started
  while (state.status === 'queued' || state.status === 'running') {
    await sleep(POLL_INTERVAL_MS, undefined, { signal })
    state = await getDeployment(context.database.queries, scope, started.deploymentId)
    report(state)
  }
  return state
}

/** Exports the project as a client-hosted bundle. Returns the job once it has ended, and the bundle if the job completed. */
export async function exportSample(
  context: Context,
  { organizationId, servedDomains }: Project,
  report: (state: ExportJob) => void,
  signal: AbortSignal,
): Promise<{ job: ExportJob; bundle: ExportBundle | null }> {
  const { database, config, servedObjects: objects } = context
  const caller = { id: OPERATOR_ACTOR, organizationId, plan: 'enterprise', projectIds: null } as const
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

export async function isPublished(context: Context, project: Project): Promise<boolean> {
  const row = await context.database.queries
    .selectFrom('published_sites')
    .select('project_id')
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  return row !== undefined
}

export function sampleSiteUrl(context: Pick<Context, 'publicUrl'>, domain: string): string {
  return siteOrigin(context.publicUrl(), domain)
}
