/** Projects: each is a documentation site with its source and host names. */
import { sql } from 'kysely'
import type { ExportDeployment, FeatureChoices } from '../../base/api/features.ts'
import type { Plan } from '../../base/api/plans.ts'
import type { WidgetChoice } from '../../base/api/widgets.ts'
import { AppError } from '../../base/errors/errors.ts'
import { createId } from '../../base/ids.ts'
import { recordAudit } from '../../database/audit.ts'
import type { Queries, Tx } from '../../database/database.ts'
import type { AgentChoice } from '../agent/operations/agent.ts'
import { admitDomains, setDomains, writeDomains } from './domains/domain-claims.ts'
import {
  checkProjectFields,
  type ProjectFieldsInput,
  type ProjectRules,
  type ProjectSource,
} from './project-fields.ts'

export interface Project {
  id: string
  siteId: string
  organizationId: string
  plan: Plan
  name: string
  source: ProjectSource
  /** Whether the operator has named the source's folder on the command line. */
  folderGranted: boolean
  /** Used for exports that do not specify a deployment. */
  defaultDeployment: ExportDeployment
  features: FeatureChoices
  /** Feedback widgets chosen for the project; docs.json determines the rest. */
  widgets: WidgetChoice
  /** Model and limits of agent jobs chosen for the project; the operator determines the rest. */
  agent: AgentChoice
  /** All domains, main domain first, including those at which the site is not served. */
  domains: string[]
  servedDomains: string[]
  createdAt: Date
  archivedAt: Date | null
  /** Time of the last settings change. */
  updatedAt: Date
}

/** Throws AppError `not_found` for the organization, `invalid_request`, `domain_taken`. */
export async function createProject(
  tx: Tx,
  wanted: ProjectFieldsInput & { organizationId: string; actor: string; rules: ProjectRules },
): Promise<Project> {
  const { organizationId, actor, rules } = wanted
  const fields = checkProjectFields(wanted, rules)
  const { name, domains, source, defaultDeployment, features } = fields
  const organization = await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (organization === undefined) throw new AppError('not_found')

  await admitDomains(tx, organizationId, domains, rules)
  const id = createId('prj')
  await tx
    .insertInto('projects')
    .values({
      id,
      site_id: createId('site'),
      organization_id: organizationId,
      name,
      source_kind: source.kind,
      repository: source.repository,
      folder_granted: source.kind === 'folder' && rules.grantsFolders,
      ref: source.ref,
      docs_folder: source.docsFolder,
      fetches_lfs: source.lfs,
      default_deployment: defaultDeployment,
      features: JSON.stringify(features),
    })
    .execute()
  await writeDomains(tx, id, domains, rules.newDomains)
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'project.created',
    subject: id,
    details: { name, domains, source, defaultDeployment, features },
  })
  const project = await findProject(tx, id)
  if (project === null) throw new Error('the project that was just created was not found')
  return project
}

/** Stores the repository's default branch, which jobs use if the project configures no branch. */
export async function setDefaultBranch(db: Queries, projectId: string, branch: string): Promise<void> {
  await db
    .updateTable('projects')
    .set({ default_branch: branch })
    .where('id', '=', projectId)
    .where('default_branch', 'is distinct from', branch)
    .execute()
}

/** Appends a domain. Throws AppError `invalid_request`, `domain_taken`. */
export async function addDomain(
  tx: Tx,
  wanted: { project: Project; domain: string; actor: string; rules: ProjectRules },
): Promise<void> {
  const { project, domain, actor, rules } = wanted
  const { id, organizationId, domains } = project
  const fields = checkProjectFields({ ...project, domains: [...domains, domain] }, rules, project)
  await setDomains(tx, project, fields.domains, rules)
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'project.domain_added',
    subject: id,
    details: { domain },
  })
}

export async function findProject(
  db: Queries,
  projectId: string,
  organizationId?: string,
): Promise<Project | null> {
  const row = await selectProjects(db)
    .where('project.id', '=', projectId)
    .$if(organizationId !== undefined, (query) =>
      query.where('project.organization_id', '=', organizationId as string),
    )
    .executeTakeFirst()
  return row === undefined ? null : toProject(row)
}

/**
 * Returns the project served at the domain, or else all projects for which it is pending. `hostname` must be
 * normalized by `parseHostname`.
 */
export async function findProjectsByDomain(db: Queries, hostname: string): Promise<Project[]> {
  const rows = await selectProjects(db)
    .innerJoin('project_domains as named', 'named.project_id', 'project.id')
    .select('named.state')
    .where('named.domain', '=', hostname)
    .orderBy('project.created_at')
    .orderBy('project.id')
    .execute()
  const served = rows.filter(({ state }) => state === 'served')
  return (served.length > 0 ? served : rows).map(toProject)
}

/** Lists the oldest first, without archived projects. Without `organizationId`, lists all organizations. */
export async function listProjects(db: Queries, organizationId?: string): Promise<Project[]> {
  return (await listAllProjects(db, organizationId)).filter(({ archivedAt }) => archivedAt === null)
}

export async function listAllProjects(db: Queries, organizationId?: string): Promise<Project[]> {
  const rows = await selectProjects(db)
    .$if(organizationId !== undefined, (query) =>
      query.where('project.organization_id', '=', organizationId as string),
    )
    .orderBy('project.created_at')
    .orderBy('project.id')
    .execute()
  return rows.map(toProject)
}

function selectProjects(db: Queries) {
  return db
    .selectFrom('projects as project')
    .innerJoin('organizations as organization', 'organization.id', 'project.organization_id')
    .select([
      'project.id',
      'project.site_id',
      'project.archived_at',
      'project.organization_id',
      'organization.plan',
      'project.name',
      'project.source_kind',
      'project.repository',
      'project.folder_granted',
      'project.ref',
      'project.docs_folder',
      'project.fetches_lfs',
      'project.default_deployment',
      'project.features',
      'project.widgets',
      'project.agent',
      'project.created_at',
      'project.updated_at',
      sql<string[]>`ARRAY(
        SELECT domain FROM project_domains WHERE project_id = project.id ORDER BY position, domain)`.as(
        'domains',
      ),
      sql<string[]>`ARRAY(
        SELECT domain FROM served_domains WHERE project_id = project.id ORDER BY position, domain)`.as(
        'served',
      ),
    ])
}

type ProjectRow = Awaited<ReturnType<ReturnType<typeof selectProjects>['executeTakeFirstOrThrow']>>

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    siteId: row.site_id,
    organizationId: row.organization_id,
    plan: row.plan,
    name: row.name,
    source: {
      kind: row.source_kind,
      repository: row.repository,
      ref: row.ref,
      docsFolder: row.docs_folder,
      lfs: row.fetches_lfs,
    },
    folderGranted: row.folder_granted,
    defaultDeployment: row.default_deployment,
    features: row.features,
    widgets: row.widgets,
    agent: row.agent,
    domains: row.domains,
    servedDomains: row.served,
    createdAt: row.created_at,
    archivedAt: row.archived_at,
    updatedAt: row.updated_at,
  }
}
