/** What a first start leaves: an organization with a key, and Octavo's own documentation as a published project. */
import { findProjectsByDomain, type Project } from '../accounts/projects.ts'
import type { Deployment } from '../contract/deployments.ts'
import { siteOrigin } from '../hosting/site-origin.ts'
import { startDeployment } from '../hosting/start-deployment.ts'
import { ACTOR, addKey, addOrganization, addProject, allOrganizations } from './administration.ts'
import type { Context } from './context.ts'
import { SAMPLE_FOLDER } from './sample-folder.ts'
import { awaitDeployment } from './sync-project.ts'

export const SAMPLE_DOMAIN = 'docs.localhost'

export interface FirstStart {
  organizationId: string
  /** Null after the first start with a data folder: only the hash of a key is kept. */
  adminKey: string | null
}

/** Makes the first organization and its admin key; later starts find the oldest organization. */
export async function ensureOrganization(context: Context): Promise<FirstStart> {
  const [oldest] = await allOrganizations(context)
  if (oldest) return { organizationId: oldest.id, adminKey: null }
  const made = await addOrganization(context, { name: 'My organization', plan: 'enterprise' })
  const { text } = await addKey(context, { organizationId: made.id, name: 'First admin key' })
  return { organizationId: made.id, adminKey: text }
}

/** The sample's project; made when nobody is served at its domain, whoever waits for it. */
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

/** Publishes the project and waits for it. */
export async function publishSample(
  context: Context,
  project: Project,
  report: (state: Deployment) => void = () => {},
): Promise<Deployment> {
  const started = await context.database.transaction((tx) =>
    startDeployment(context, tx, {
      organizationId: project.organizationId,
      projectId: project.id,
      actor: ACTOR,
    }),
  )
  return awaitDeployment(context, project, started, report)
}

/** Whether a version of the project is published. */
export async function isPublished(context: Context, project: Project): Promise<boolean> {
  const row = await context.database.queries
    .selectFrom('published_sites')
    .select('project_id')
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  return row !== undefined
}

/** Where readers find the site of a domain. */
export function siteAddress(context: Pick<Context, 'publicUrl'>, domain: string): string {
  return siteOrigin(context.publicUrl(), domain)
}
