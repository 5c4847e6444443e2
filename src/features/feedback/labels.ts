/** Labels of a project, with a name and a colour. Users create them while labelling entries. */
import { sql } from 'kysely'
import { LABEL_COLOURS, type LabelColour } from '../../base/api/form-choices.ts'
import { AppError } from '../../base/errors/errors.ts'
import { createId } from '../../base/ids.ts'
import { recordNoChange } from '../../database/audit.ts'
import type { Queries, Tx } from '../../database/database.ts'
import { checkProject } from './list-feedback.ts'
import {
  type CreateFeedbackLabelBody,
  type FeedbackLabel,
  type FeedbackLabelList,
  MAX_PROJECT_LABELS,
  type UpdateFeedbackLabelBody,
} from './operations/feedback-work.ts'
import type { ProjectScope } from './page-sql.ts'
import { type LabelRow, labelsOf } from './work-names.ts'

export async function listFeedbackLabels(queries: Queries, scope: ProjectScope): Promise<FeedbackLabelList> {
  await checkProject(queries, scope)
  const rows = await labelsOf(queries, scope.projectId)
  return { labels: rows.map(toLabel) }
}

/** Returns an existing label of the same name, ignoring case. Throws `not_found`, `too_many_labels`. */
export async function createFeedbackLabel(
  tx: Tx,
  scope: ProjectScope,
  { name, colour }: CreateFeedbackLabelBody,
): Promise<FeedbackLabel> {
  await lockLabels(tx, scope)
  const existing = await labelsOf(tx, scope.projectId)
  const same = await findByName(tx, scope.projectId, name)
  if (same !== undefined) {
    recordNoChange(tx)
    return toLabel(same)
  }
  if (existing.length >= MAX_PROJECT_LABELS) throw new AppError('too_many_labels')
  const row = await tx
    .insertInto('feedback_labels')
    .values({
      id: createId('lbl'),
      project_id: scope.projectId,
      name: normalizeLabelName(name),
      colour: colour ?? leastUsedColour(existing.map((label) => label.colour)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toLabel(row)
}

/** Throws AppError `not_found`, `label_name_taken`. */
export async function updateFeedbackLabel(
  tx: Tx,
  scope: ProjectScope,
  labelId: string,
  { name, colour }: UpdateFeedbackLabelBody,
): Promise<FeedbackLabel> {
  await lockLabels(tx, scope)
  const existing = await findLabel(tx, scope, labelId)
  if (name !== undefined) {
    const same = await findByName(tx, scope.projectId, name)
    if (same !== undefined && same.id !== labelId) throw new AppError('label_name_taken')
  }
  const row = await tx
    .updateTable('feedback_labels')
    .set({
      name: name === undefined ? existing.name : normalizeLabelName(name),
      colour: colour ?? existing.colour,
    })
    .where('id', '=', labelId)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.name === existing.name && row.colour === existing.colour) recordNoChange(tx)
  return toLabel(row)
}

/** Also removes the label from every entry. Throws AppError `not_found`. */
export async function deleteFeedbackLabel(
  tx: Tx,
  scope: ProjectScope,
  labelId: string,
): Promise<{ id: string; entries: number; name: string }> {
  await lockLabels(tx, scope)
  const { name } = await findLabel(tx, scope, labelId)
  // Locks in the same order as bulk changes to prevent deadlocks.
  const { rows } = await sql<{ count: number }>`
    WITH picked AS MATERIALIZED (
      SELECT id FROM feedback
      WHERE label_ids @> ARRAY[${labelId}]::text[] AND label_ids <> '{}' AND project_id = ${scope.projectId}
      ORDER BY sort_at DESC, id DESC FOR UPDATE
    ), changed AS (
      UPDATE feedback SET label_ids = array_remove(label_ids, ${labelId}), updated_at = clock_timestamp()
      FROM picked WHERE feedback.id = picked.id RETURNING feedback.id
    )
    SELECT count(*)::integer AS count FROM changed`.execute(tx)
  await tx.deleteFrom('feedback_labels').where('id', '=', labelId).execute()
  return { id: labelId, entries: rows[0]?.count ?? 0, name }
}

/** Serializes changes to a project's labels, including adding them to entries. */
export async function lockLabels(tx: Tx, scope: ProjectScope): Promise<void> {
  await checkProject(tx, scope)
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`labels:${scope.projectId}`}, 0))`.execute(tx)
}

export async function unknownLabels(tx: Tx, projectId: string, ids: readonly string[]): Promise<string[]> {
  const existing = new Set((await labelsOf(tx, projectId)).map(({ id }) => id))
  return ids.filter((id) => !existing.has(id))
}

function findByName(queries: Queries, projectId: string, name: string): Promise<LabelRow | undefined> {
  return queries
    .selectFrom('feedback_labels')
    .select(['id', 'name', 'colour', 'created_at'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`lower(name) = lower(${normalizeLabelName(name)})`)
    .executeTakeFirst()
}

async function findLabel(queries: Queries, { projectId }: ProjectScope, id: string): Promise<LabelRow> {
  const label = await queries
    .selectFrom('feedback_labels')
    .select(['id', 'name', 'colour', 'created_at'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (label === undefined) throw new AppError('not_found')
  return label
}

function normalizeLabelName(typed: string): string {
  return typed.replace(/\s+/g, ' ').trim()
}

function leastUsedColour(used: readonly LabelColour[]): LabelColour {
  const countOf = (colour: LabelColour) => used.filter((one) => one === colour).length
  const coloured = LABEL_COLOURS.filter((colour) => colour !== 'grey')
  return coloured.toSorted((a, b) => countOf(a) - countOf(b))[0] ?? 'grey'
}

function toLabel({ id, name, colour, created_at }: LabelRow): FeedbackLabel {
  return { id, name, colour, createdAt: created_at.toISOString() }
}
