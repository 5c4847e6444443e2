/** Batches that cannot be counted: told from a database that is in trouble, and put where they stop nobody. */
import { sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'

/** As it was in the inbox: what is in it is not sure. */
export interface InboxBatch {
  id: number
  project_id: string
  events: unknown
}

export interface SetAside {
  id: number
  projectId: string
  reason: string
}

/** SQLSTATE: data (22), constraints (23), sizes (54). Anything else would happen to every batch. */
const FAULTS_OF_DATA = /^(22|23|54)...$/
const LONGEST_REASON = 500
const KEPT_DAYS = 30

export function isFaultOfBatch(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true
  return error instanceof Error && FAULTS_OF_DATA.test(String((error as { code?: unknown }).code ?? ''))
}

/** Without what tells readers apart: hashes of visitors are gone when their day is over. */
export async function setAside(tx: Tx, batch: InboxBatch, error: unknown): Promise<SetAside> {
  const { id, project_id: projectId } = batch
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_REASON)
  const events = JSON.stringify(batch.events, (name, value) => (name === 'visitor' ? null : value))
  await tx
    .insertInto('analytics_set_aside')
    .values({ id, project_id: projectId, events, reason: reason.replaceAll('\0', '') })
    .execute()
  return { id, projectId, reason }
}

export async function retireSetAside(queries: Queries): Promise<void> {
  await sql`DELETE FROM analytics_set_aside WHERE at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
    queries,
  )
}
