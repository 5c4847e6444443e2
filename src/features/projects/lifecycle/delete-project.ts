/**
 * Deletion of projects:
 *
 *     active ──delete──▶ deleted ──its grace period ends, and a sweep begins──▶ being removed ──▶ gone
 *       ▲                   │
 *       └──────restore──────┘
 *
 * Views exclude deleted projects, so a project becomes inaccessible when its deletion commits. Deletion ends
 * work in progress. The project's host names stay reserved until its rows are removed (purge-projects.ts).
 */
import { sql } from 'kysely'
import type { Retention } from '../../../base/api/retention.ts'
import { AppError, assertNoFaults } from '../../../base/errors/errors.ts'
import { faultAt } from '../../../base/errors/fault.ts'
import { recordAudit, recordNoChange } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { WorkFailure } from '../../../database/warnings.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import type { DeletedProject, ProjectHoldings } from '../operations/deletion.ts'
import { projectObjects } from './project-objects.ts'
import { cancelWork } from './work-in-progress.ts'

interface ProjectScope {
  organizationId: string
  projectId: string
}

export interface DeletionDeps {
  objects: ObjectStore
  retention: () => Retention
}

const PROJECT_DELETED_FAILURE: WorkFailure = { error: 'The project was deleted.', code: 'cancelled' }
/** Maximum number of site versions whose files are counted. Limited because the caller waits for the result. */
const MAX_VERSIONS = 20

/** Returns the amount of data that is deleted with the project. Throws AppError `not_found`. */
export async function projectHoldings(
  { objects, retention }: DeletionDeps,
  queries: Queries,
  { organizationId, projectId }: ProjectScope,
): Promise<ProjectHoldings> {
  const { rows } = await sql<Omit<ProjectHoldings, 'objects' | 'bytes' | 'isAtLeast'> & { versions: number }>`
    SELECT project.id AS "projectId", project.name,
      ARRAY(SELECT domain FROM project_domains WHERE project_id = project.id ORDER BY position, domain) AS domains,
      (SELECT count(*)::integer FROM feedback WHERE project_id = project.id) AS feedback,
      (SELECT count(*)::integer FROM assistant_questions WHERE project_id = project.id) AS questions,
      (SELECT count(*)::integer FROM deployments WHERE project_id = project.id) AS deployments,
      (SELECT count(*)::integer FROM static_exports WHERE project_id = project.id) AS exports,
      (SELECT count(*)::integer FROM agent_jobs WHERE project_id = project.id) AS "agentJobs",
      (SELECT count(*)::integer FROM webhook_endpoints WHERE project_id = project.id) AS webhooks,
      (SELECT count(*)::integer FROM site_passes WHERE project_id = project.id) AS passes,
      EXISTS (SELECT FROM analytics_counts WHERE project_id = project.id) AS "hasAnalytics",
      (SELECT count(DISTINCT manifest_key)::integer FROM deployments WHERE project_id = project.id) AS versions,
      ${gracePeriod(retention())} AS "graceDays"
    FROM projects AS project JOIN organizations AS organization ON organization.id = project.organization_id
    WHERE project.id = ${projectId} AND project.organization_id = ${organizationId}`.execute(queries)
  const [found] = rows
  if (found === undefined) throw new AppError('not_found')
  const { versions, ...counted } = found
  const totals = { objects: 0, bytes: 0 }
  for await (const { bytes } of projectObjects({ queries, objects }, projectId, MAX_VERSIONS)) {
    totals.objects += 1
    totals.bytes += bytes
  }
  return { ...counted, ...totals, isAtLeast: versions > MAX_VERSIONS }
}

/**
 * Makes a project inaccessible immediately. Repeating the call changes nothing. Throws AppError `not_found`,
 * and `invalid_request` if the given name does not match.
 */
export async function deleteProject(
  tx: Tx,
  retention: Retention,
  { organizationId, projectId, actor, name }: ProjectScope & { actor: string; name: string | null },
): Promise<DeletedProject> {
  const project = await lockProject(tx, { organizationId, projectId })
  if (name !== null && project.name.trim() !== name.trim()) assertNoFaults([faultAt('/name', 'project_name')])
  if (project.deleted_at !== null) {
    recordNoChange(tx)
    return await findDeleted(tx, { organizationId, projectId })
  }
  await cancelWork(tx, { organizationId, projectId }, PROJECT_DELETED_FAILURE)
  await sql`
    UPDATE all_projects SET deleted_at = clock_timestamp(), deleted_by = ${actor},
      purge_at = CASE WHEN ${gracePeriod(retention)} > 0
        THEN clock_timestamp() + make_interval(days => ${gracePeriod(retention)}) END
    FROM organizations AS organization
    WHERE organization.id = all_projects.organization_id AND all_projects.id = ${projectId}`.execute(tx)
  const deleted = await findDeleted(tx, { organizationId, projectId })
  const { domains, removedFrom } = deleted
  const details = { name: project.name, domains, removedFrom }
  await recordAudit(tx, { organizationId, actor, action: 'project.deleted', subject: projectId, details })
  return deleted
}

/** Does not restart work that deletion has ended. Throws AppError `not_found`, `project_not_deleted`. */
export async function restoreProject(
  tx: Tx,
  { organizationId, projectId, actor }: ProjectScope & { actor: string },
): Promise<DeletedProject> {
  const project = await lockProject(tx, { organizationId, projectId })
  if (project.deleted_at === null) throw new AppError('project_not_deleted')
  const deleted = await findDeleted(tx, { organizationId, projectId })
  await tx
    .updateTable('all_projects')
    .set({ deleted_at: null, deleted_by: null, purge_at: null })
    .where('id', '=', projectId)
    .execute()
  const details = { name: deleted.name }
  await recordAudit(tx, { organizationId, actor, action: 'project.restored', subject: projectId, details })
  return deleted
}

/** Lists the projects that can be restored, most recently deleted first. */
export async function listDeleted(queries: Queries, organizationId: string): Promise<DeletedProject[]> {
  const rows = await selectDeleted(queries, organizationId)
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toDeletedProject)
}

function gracePeriod({ deletedProjects }: Retention) {
  return sql<number>`coalesce((organization.retention->>'deletedProjects')::integer, ${deletedProjects}::integer)`
}

/** Throws AppError `not_found`, also for a project that is being removed. */
async function lockProject(tx: Tx, { organizationId, projectId }: ProjectScope) {
  const project = await tx
    .selectFrom('all_projects')
    .select(['name', 'deleted_at'])
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .where('is_purged', '=', false)
    .forUpdate()
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  return project
}

function selectDeleted(queries: Queries, organizationId: string) {
  return queries
    .selectFrom('all_projects')
    .select(['id', 'name', 'deleted_at', 'purge_at'])
    .select(
      sql<string[]>`ARRAY(
        SELECT domain FROM project_domains WHERE project_id = all_projects.id ORDER BY position, domain)`.as(
        'domains',
      ),
    )
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is not', null)
    .where('is_purged', '=', false)
}

type DeletedRow = Awaited<ReturnType<ReturnType<typeof selectDeleted>['executeTakeFirstOrThrow']>>

async function findDeleted(tx: Tx, { organizationId, projectId }: ProjectScope): Promise<DeletedProject> {
  return toDeletedProject(
    await selectDeleted(tx, organizationId).where('id', '=', projectId).executeTakeFirstOrThrow(),
  )
}

function toDeletedProject({ id, name, domains, deleted_at, purge_at }: DeletedRow): DeletedProject {
  if (deleted_at === null) throw new Error('the project is not deleted')
  return {
    projectId: id,
    name,
    domains,
    deletedAt: deleted_at.toISOString(),
    removedFrom: purge_at?.toISOString() ?? null,
  }
}
