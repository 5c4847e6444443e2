/**
 * Review: each status can follow any other, and each change is recorded with the actor, the time, and the old
 * and new status.
 *
 *   pending  in_progress  resolved  dismissed     any to any other; setting the same is no change
 *
 * A change locks the row, so the second of two concurrent changes starts from the result of the first.
 */
import { CompiledQuery, sql } from 'kysely'
import { AppError } from '../../base/errors/errors.ts'
import { createFault, type Fault, type Parsed } from '../../base/errors/fault.ts'
import { recordNoChange } from '../../database/audit.ts'
import type { Queries, Tx } from '../../database/database.ts'
import { toEntry } from './entry.ts'
import { allConditions, createValues, type Filters, parseFilters, type RawFilters } from './filters.ts'
import type { FeedbackEventDeps } from './intake/events.ts'
import { checkProject } from './list-feedback.ts'
import {
  FEEDBACK_EXTRAS,
  type FeedbackChange,
  type FeedbackDetail,
  type UpdatedFeedback,
  type UpdateFeedbackBody,
  type UpdateManyFeedbackBody,
} from './operations/feedback.ts'
import type { ProjectScope } from './page-sql.ts'
import { readWorkNames } from './work-names.ts'

export const MAX_BULK_ENTRIES = 10_000

export async function getFeedbackEntry(
  queries: Queries,
  scope: ProjectScope,
  feedbackId: string,
): Promise<FeedbackDetail> {
  await checkProject(queries, scope)
  const row = await queries
    .selectFrom('feedback')
    .selectAll()
    .where('id', '=', feedbackId)
    .where('project_id', '=', scope.projectId)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')
  return {
    ...toEntry(row, FEEDBACK_EXTRAS, await readWorkNames(queries, scope.projectId, [row], FEEDBACK_EXTRAS)),
    updatedAt: row.updated_at.toISOString(),
    pageVersion: row.page_version,
    history: await readHistory(queries, feedbackId),
  } as FeedbackDetail
}

async function readHistory(queries: Queries, feedbackId: string): Promise<FeedbackChange[]> {
  const rows = await queries
    .selectFrom('feedback_changes')
    .select(['at', 'actor', 'from_status', 'to_status', 'note'])
    .select(['from_assignee', 'to_assignee', 'labels_added', 'labels_removed'])
    .where('feedback_id', '=', feedbackId)
    .orderBy('id')
    .execute()
  return rows.map(({ at, actor, from_status, to_status, note, ...work }) => ({
    at: at.toISOString(),
    actor,
    from: from_status,
    to: to_status,
    note,
    assignee:
      work.from_assignee === work.to_assignee ? null : { from: work.from_assignee, to: work.to_assignee },
    labels:
      work.labels_added.length + work.labels_removed.length === 0
        ? null
        : { added: work.labels_added, removed: work.labels_removed },
  }))
}

export function findUpdateFaults(body: unknown): Fault[] {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (!isObject || 'status' in body || 'note' in body) return []
  return [createFault('one_of_required', { fields: ['/status', '/note'] })]
}

/** Sets the status, records the note, or both. Throws AppError `not_found`. */
export async function updateFeedback(
  deps: FeedbackEventDeps,
  tx: Tx,
  scope: ProjectScope & { feedbackId: string; actor: string },
  body: UpdateFeedbackBody,
): Promise<FeedbackDetail> {
  const { status } = body
  const note = body.note ?? null
  const { projectId, feedbackId, actor } = scope
  await checkProject(tx, scope)
  const row = await tx
    .selectFrom('feedback')
    .select('status')
    .where('id', '=', feedbackId)
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new AppError('not_found')

  const isChange = status !== undefined && status !== row.status
  const updated = isChange
    ? await tx
        .updateTable('feedback')
        .set({ status, updated_at: sql`clock_timestamp()` })
        .where('id', '=', feedbackId)
        .returning('updated_at')
        .executeTakeFirstOrThrow()
    : null
  if (!isChange && note === null) recordNoChange(tx)
  else {
    const move = isChange
      ? { from_status: row.status, to_status: status }
      : { from_status: null, to_status: null }
    await tx
      .insertInto('feedback_changes')
      .values({ feedback_id: feedbackId, actor, note, ...move, ...(updated && { at: updated.updated_at }) })
      .execute()
  }
  if (isChange)
    await deps.reportFeedbackChanges(tx, { type: 'feedback.updated', projectId, feedbackIds: [feedbackId] })
  return getFeedbackEntry(tx, scope, feedbackId)
}

/** Requires at least one filter, because a bulk change without filters would match all entries. */
export function parseBulkChange(query: RawFilters, body: unknown): Parsed<Filters> {
  const { value: filters, faults } = parseFilters(query)
  const ids = (body as { ids?: unknown } | null | undefined)?.ids
  const isBounded = Object.keys(query).length > 0 || ids !== undefined
  if (!isBounded) faults.push(createFault('no_filter'))
  return { value: filters, faults }
}

/**
 * Sets the status of the matching entries, newest first, at most 10,000 per call. Skips entries that already
 * have the status, so repeating the call until `hasMore` is false terminates. Throws AppError `not_found`.
 */
export async function updateManyFeedback(
  deps: FeedbackEventDeps,
  tx: Tx,
  scope: ProjectScope & { actor: string },
  filters: Filters,
  { status, ids, note }: UpdateManyFeedbackBody,
): Promise<UpdatedFeedback> {
  await checkProject(tx, scope)

  const values = createValues()
  const to = values.add(status)
  const conditions = [
    ...allConditions(scope.projectId, filters, values),
    `status <> ${to}`,
    ...(ids === undefined ? [] : [`id = ANY(${values.add(ids)})`]),
  ]
  const text = `
    WITH picked AS MATERIALIZED (
      SELECT id, status FROM feedback WHERE ${conditions.join(' AND ')}
      ORDER BY sort_at DESC, id DESC LIMIT ${MAX_BULK_ENTRIES} FOR UPDATE
    ), changed AS (
      UPDATE feedback SET status = ${to}, updated_at = clock_timestamp() FROM picked
      WHERE feedback.id = picked.id RETURNING feedback.id, picked.status AS from_status, updated_at
    ), recorded AS (
      INSERT INTO feedback_changes (feedback_id, actor, from_status, to_status, note, at)
      SELECT id, ${values.add(scope.actor)}, from_status, ${to}, ${values.add(note ?? null)}, updated_at FROM changed
    )
    SELECT id FROM changed`
  const { rows } = await tx.executeQuery<{ id: string }>(CompiledQuery.raw(text, values.list))
  const feedbackIds = rows.map((row) => row.id)
  if (feedbackIds.length > 0)
    await deps.reportFeedbackChanges(tx, {
      type: 'feedback.updated',
      projectId: scope.projectId,
      feedbackIds,
    })
  return { changed: feedbackIds.length, hasMore: feedbackIds.length === MAX_BULK_ENTRIES }
}
