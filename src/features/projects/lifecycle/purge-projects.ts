/**
 * Removal of deleted projects after their grace period. Objects are scheduled for deletion before the rows
 * that reference them are removed. Rows are deleted in separately committed batches, the project last. If a
 * process ends in between, the next sweep continues with the remaining rows.
 */
import { CompiledQuery, sql } from 'kysely'
import { recordAudit, SYSTEM_ACTOR } from '../../../database/audit.ts'
import type { Database, Queries } from '../../../database/database.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { PROJECT_DATA, type ProjectTableData } from './project-data.ts'
import { type ProjectObject, projectObjects } from './project-objects.ts'

export interface PurgeDeps {
  database: Database
  objects: ObjectStore
}

/** Limited to keep locks short. */
const ROWS_PER_STATEMENT = 5000
const OBJECTS_PER_STATEMENT = 1000

export async function purgeProjects(
  deps: PurgeDeps,
  signal: AbortSignal,
  atOnce: number = ROWS_PER_STATEMENT,
): Promise<void> {
  // After this statement, these projects can no longer be restored.
  const due = await deps.database.queries
    .updateTable('all_projects')
    .set({ is_purged: true })
    .where((eb) => eb.or([eb('purge_at', '<=', sql<Date>`clock_timestamp()`), eb('is_purged', '=', true)]))
    .returning(['id', 'organization_id'])
    .execute()
  for (const project of due) await purgeProject(deps, project, signal, atOnce)
}

async function purgeProject(
  { database, objects }: PurgeDeps,
  { id, organization_id: organizationId }: { id: string; organization_id: string },
  signal: AbortSignal,
  atOnce: number,
): Promise<void> {
  const { queries } = database
  await scheduleAllObjects(queries, projectObjects({ queries, objects }, id), signal)
  for (const data of PROJECT_DATA.slice(0, -1)) await deleteRows(queries, data, id, signal, atOnce)
  await database.transaction(async (tx) => {
    // Deletes rows added in the meantime; the lock on the project prevents further ones.
    await sql`SELECT FROM all_projects WHERE id = ${id} FOR UPDATE`.execute(tx)
    for (const { table, where } of PROJECT_DATA)
      await tx.executeQuery(CompiledQuery.raw(`DELETE FROM ${table} WHERE ${where}`, [id]))
    await recordAudit(tx, {
      organizationId,
      actor: SYSTEM_ACTOR,
      action: 'project.purged',
      subject: id,
      details: {},
    })
  })
}

async function scheduleAllObjects(
  queries: Queries,
  objects: AsyncIterable<ProjectObject>,
  signal: AbortSignal,
): Promise<void> {
  let batch: ProjectObject[] = []
  const scheduleBatch = async () => {
    signal.throwIfAborted()
    // Writes in a fixed order to prevent deadlocks between concurrent writers of the same rows.
    const rows = batch.sort((a, b) => (a.key < b.key ? -1 : 1))
    await sql`
      INSERT INTO condemned_objects (key, kind, size_bytes, is_deleted)
      SELECT key, kind, bytes, true FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS object(key text, kind text, bytes bigint)
      ON CONFLICT (key) DO UPDATE SET is_deleted = true`.execute(queries)
    batch = []
  }
  for await (const object of objects) {
    batch.push(object)
    if (batch.length === OBJECTS_PER_STATEMENT) await scheduleBatch()
  }
  if (batch.length > 0) await scheduleBatch()
}

async function deleteRows(
  queries: Queries,
  { table, where }: ProjectTableData,
  projectId: string,
  signal: AbortSignal,
  atOnce: number,
): Promise<void> {
  for (const part of await listPartitions(queries, table)) {
    // A ctid is only unique within a table, so each partition is processed separately.
    const some = `DELETE FROM ${part} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${part} WHERE ${where} LIMIT ${atOnce}))`
    for (let deleted = atOnce; deleted >= atOnce; ) {
      signal.throwIfAborted()
      const { numAffectedRows } = await queries.executeQuery(CompiledQuery.raw(some, [projectId]))
      deleted = Number(numAffectedRows ?? 0)
    }
  }
}

async function listPartitions(queries: Queries, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT relid::regclass::text AS name FROM pg_partition_tree(${table}::regclass) WHERE isleaf`.execute(
    queries,
  )
  return rows.length === 0 ? [table] : rows.map(({ name }) => name)
}
