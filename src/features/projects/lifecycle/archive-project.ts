/**
 * Archived projects:
 *
 *     active ──archive──▶ archived ──unarchive──▶ active
 *
 * An archived project can be read and deleted, but not changed: http/answer-write.ts rejects calls that
 * change it, nothing starts automatically, and its pages collect no data. Archiving ends work in progress.
 */
import { sql } from 'kysely'
import { AppError, assertNoFaults } from '../../../base/errors/errors.ts'
import { faultAt } from '../../../base/errors/fault.ts'
import { recordAudit, recordNoChange } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { ArchivedProject, ArchiveProjectBody } from '../operations/archive.ts'
import { cancelWork } from './work-in-progress.ts'

interface ProjectScope {
  organizationId: string
  projectId: string
}

/**
 * Can be called again to change whether the site is served. Throws AppError `not_found`, `invalid_request`.
 */
export async function archiveProject(
  tx: Tx,
  { organizationId, projectId, actor }: ProjectScope & { actor: string },
  { serves = true, takesFeedback = false }: ArchiveProjectBody,
): Promise<ArchivedProject> {
  if (takesFeedback && !serves) assertNoFaults([faultAt('/takesFeedback', 'needs_served_site')])
  const project = await lockProject(tx, { organizationId, projectId })
  const isSame =
    project.archived_at !== null &&
    project.archive_serves === serves &&
    project.archive_takes_feedback === takesFeedback
  if (isSame) recordNoChange(tx)
  else {
    await cancelWork(
      tx,
      { organizationId, projectId },
      { error: 'The project was archived.', code: 'cancelled' },
    )
    await tx
      .updateTable('all_projects')
      .set({
        archived_at: sql<Date>`coalesce(archived_at, clock_timestamp())`,
        archived_by: actor,
        archive_serves: serves,
        archive_takes_feedback: takesFeedback,
        updated_at: sql<Date>`clock_timestamp()`,
      })
      .where('id', '=', projectId)
      .execute()
    const details = { name: project.name, serves, takesFeedback }
    await recordAudit(tx, { organizationId, actor, action: 'project.archived', subject: projectId, details })
  }
  return await findArchived(tx, { organizationId, projectId })
}

/** Does not restart work that archiving has ended. Throws AppError `not_found`, `project_not_archived`. */
export async function unarchiveProject(
  tx: Tx,
  { organizationId, projectId, actor }: ProjectScope & { actor: string },
): Promise<ArchivedProject> {
  const project = await lockProject(tx, { organizationId, projectId })
  if (project.archived_at === null) throw new AppError('project_not_archived')
  const archived = await findArchived(tx, { organizationId, projectId })
  await tx
    .updateTable('all_projects')
    .set({ archived_at: null, archived_by: null, updated_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', projectId)
    .execute()
  const details = { name: project.name }
  await recordAudit(tx, { organizationId, actor, action: 'project.unarchived', subject: projectId, details })
  return archived
}

/** Lists the most recently archived first. */
export async function listArchived(queries: Queries, organizationId: string): Promise<ArchivedProject[]> {
  const rows = await selectArchived(queries, organizationId)
    .orderBy('archived_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toArchivedProject)
}

async function lockProject(tx: Tx, { organizationId, projectId }: ProjectScope) {
  const project = await tx
    .selectFrom('all_projects')
    .select(['name', 'archived_at', 'archive_serves', 'archive_takes_feedback'])
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (project === undefined) throw new AppError('not_found')
  return project
}

async function findArchived(tx: Tx, { organizationId, projectId }: ProjectScope): Promise<ArchivedProject> {
  const row = await selectArchived(tx, organizationId).where('id', '=', projectId).executeTakeFirstOrThrow()
  return toArchivedProject(row)
}

function selectArchived(queries: Queries, organizationId: string) {
  return queries
    .selectFrom('projects')
    .select(['id', 'name', 'archived_at', 'archive_serves', 'archive_takes_feedback'])
    .select(
      sql<string[]>`ARRAY(SELECT domain FROM project_domains WHERE project_id = projects.id
        ORDER BY position, domain)`.as('domains'),
    )
    .where('organization_id', '=', organizationId)
    .where('archived_at', 'is not', null)
}

type ArchivedRow = Awaited<ReturnType<ReturnType<typeof selectArchived>['executeTakeFirstOrThrow']>>

function toArchivedProject(row: ArchivedRow): ArchivedProject {
  return {
    projectId: row.id,
    name: row.name,
    domains: row.domains,
    archivedAt: (row.archived_at ?? new Date()).toISOString(),
    serves: row.archive_serves,
    takesFeedback: row.archive_takes_feedback,
  }
}
