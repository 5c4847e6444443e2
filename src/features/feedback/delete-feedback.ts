/** Permanently deletes feedback by ids, a reader's contact address, age, or a combination of these. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { readMoment } from '../../base/api/dates.ts'
import { createFault, type Fault, faultAt, type Parsed } from '../../base/errors/fault.ts'
import type { Queries, Tx } from '../../database/database.ts'
import {
  type DeletedFeedback,
  type DeleteFeedbackBody,
  MAX_DELETED_FEEDBACK,
} from '../projects/operations/deletion.ts'
import { checkProject } from './list-feedback.ts'

export interface DeletionCriteria {
  ids: readonly string[] | null
  contact: string | null
  /** Milliseconds; exclusive. */
  before: number | null
}

/** Requires at least one criterion, because no criterion would match all entries. */
export function parseDeletion(body: unknown): Parsed<DeletionCriteria> {
  const { ids, contact, before } = (body ?? {}) as Partial<Record<keyof DeleteFeedbackBody, unknown>>
  const faults: Fault[] = []
  const moment = typeof before === 'string' ? readMoment(before) : null
  if (typeof before === 'string' && moment === null) faults.push(faultAt('/before', 'invalid_date'))
  const named = typeof contact === 'string' ? contact.trim() : ''
  if (typeof contact === 'string' && named === '') faults.push(faultAt('/contact', 'empty_contact'))
  if (ids === undefined && contact === undefined && before === undefined)
    faults.push(createFault('one_of_required', { fields: ['/ids', '/contact', '/before'] }))
  const wanted = Array.isArray(ids) ? ids.map(String) : null
  return { value: { ids: wanted, contact: named === '' ? null : named, before: moment }, faults }
}

/** Also deletes copies in webhook events and links from agent jobs. Throws AppError `not_found`. */
export async function deleteFeedback(
  tx: Tx,
  { organizationId, projectId }: { organizationId: string; projectId: string },
  criteria: DeletionCriteria,
  isDryRun: boolean,
): Promise<DeletedFeedback> {
  await checkProject(tx, { organizationId, projectId })
  const matchesCriteria = criteriaCondition(projectId, criteria)
  const matched = await countMatching(tx, matchesCriteria)
  if (isDryRun) return { matched, deleted: 0, hasMore: false }
  const { rows } = await sql<{ id: string }>`
    DELETE FROM feedback WHERE id = ANY(ARRAY(
      SELECT id FROM feedback WHERE ${matchesCriteria} ORDER BY id LIMIT ${MAX_DELETED_FEEDBACK}))
    RETURNING id`.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await deleteCopies(tx, projectId, ids)
  return { matched, deleted: ids.length, hasMore: matched > ids.length }
}

/** Deletes copies in agent jobs, in webhook events, and in responses stored for idempotency keys. */
async function deleteCopies(tx: Tx, projectId: string, ids: readonly string[]): Promise<void> {
  const gone = sql`ANY(${ids}::text[])`
  await sql`
    UPDATE agent_job_prompts SET feedback = coalesce((
      SELECT jsonb_agg(entry ORDER BY place) FROM jsonb_array_elements(feedback) WITH ORDINALITY AS given(entry, place)
      WHERE NOT entry->>'id' = ${gone}), '[]')
    WHERE job_id IN (SELECT job_id FROM agent_job_feedback WHERE feedback_id = ${gone})`.execute(tx)
  await sql`DELETE FROM agent_job_feedback WHERE feedback_id = ${gone}`.execute(tx)
  await sql`
    DELETE FROM webhook_events
    WHERE project_id = ${projectId} AND data->'feedback'->>'id' = ${gone}`.execute(tx)
  await sql`
    DELETE FROM idempotent_answers
    WHERE position('/' || ${projectId} || '/feedback' IN path) > 0`.execute(tx)
}

function criteriaCondition(
  projectId: string,
  { ids, contact, before }: DeletionCriteria,
): RawBuilder<SqlBool> {
  const byId = ids === null ? sql`true` : sql`id = ANY(${ids}::text[])`
  const byContact = contact === null ? sql`true` : sql`lower(btrim(contact)) = lower(${contact})`
  const byAge = before === null ? sql`true` : sql`created_at < ${new Date(before)}`
  return sql<SqlBool>`project_id = ${projectId} AND ${byId} AND ${byContact} AND ${byAge}`
}

async function countMatching(queries: Queries, matchesCriteria: RawBuilder<SqlBool>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM feedback WHERE ${matchesCriteria}`.execute(queries)
  return rows[0]?.count ?? 0
}
