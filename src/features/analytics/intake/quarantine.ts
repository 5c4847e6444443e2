/** Quarantines batches that cannot be counted, and distinguishes them from database failures. */
import { sql } from 'kysely'
import type { Queries, Tx } from '../../../database/database.ts'

/** A batch of the inbox with unvalidated content. */
export interface InboxBatch {
  id: number
  project_id: string
  events: unknown
}

export interface QuarantinedBatch {
  id: number
  projectId: string
  reason: string
}

/** SQLSTATE classes for data (22), constraints (23), limits (54). Other errors would affect every batch. */
const DATA_ERRORS = /^(22|23|54)...$/
const MAX_REASON_LENGTH = 500
const RETENTION_DAYS = 30

export function isBatchError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return true
  return error instanceof Error && DATA_ERRORS.test(String((error as { code?: unknown }).code ?? ''))
}

/** Removes the visitor hashes, which must not be stored beyond their day. */
export async function quarantineBatch(tx: Tx, batch: InboxBatch, error: unknown): Promise<QuarantinedBatch> {
  const { id, project_id: projectId } = batch
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON_LENGTH)
  const events = JSON.stringify(batch.events, (name, value) => (name === 'visitor' ? null : value))
  await tx
    .insertInto('analytics_set_aside')
    .values({ id, project_id: projectId, events, reason: reason.replaceAll('\0', '') })
    .execute()
  return { id, projectId, reason }
}

export async function deleteExpiredQuarantine(queries: Queries): Promise<void> {
  await sql`DELETE FROM analytics_set_aside WHERE at < now() - make_interval(days => ${RETENTION_DAYS})`.execute(
    queries,
  )
}
