/** Labels of a project: name and colour. Created as people type them. */
import { sql } from 'kysely'
import { LABEL_COLOURS, type LabelColour } from '../../base/api/form-choices.ts'
import { AppError } from '../../base/errors/errors.ts'
import { createId } from '../../base/ids.ts'
import { recordNoChange } from '../../database/audit.ts'
import type { Queries, Tx } from '../../database/database.ts'
import {
  type CreateFeedbackLabelBody,
  type FeedbackLabel,
  type FeedbackLabelList,
  MOST_PROJECT_LABELS,
  type UpdateFeedbackLabelBody,
} from './operations/feedback-work.ts'
import type { ProjectPlace } from './page-sql.ts'
import { checkProject } from './query.ts'
import { type LabelRow, labelsOf } from './work-names.ts'

/** Throws AppError `not_found`. */
export async function listFeedbackLabels(queries: Queries, place: ProjectPlace): Promise<FeedbackLabelList> {
  await checkProject(queries, place)
  const rows = await labelsOf(queries, place.projectId)
  return { labels: rows.map(toLabel) }
}

/** Returns an existing label with the same name, ignoring case. Throws AppError `not_found`, `too_many_labels`. */
export async function createFeedbackLabel(
  tx: Tx,
  place: ProjectPlace,
  { name, colour }: CreateFeedbackLabelBody,
): Promise<FeedbackLabel> {
  await holdLabels(tx, place)
  const known = await labelsOf(tx, place.projectId)
  const same = await findByName(tx, place.projectId, name)
  if (same !== undefined) {
    recordNoChange(tx)
    return toLabel(same)
  }
  if (known.length >= MOST_PROJECT_LABELS) throw new AppError('too_many_labels')
  const row = await tx
    .insertInto('feedback_labels')
    .values({
      id: createId('lbl'),
      project_id: place.projectId,
      name: nameOf(name),
      colour: colour ?? leastUsed(known.map((label) => label.colour)),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toLabel(row)
}

/** Throws AppError `not_found`, `label_name_taken`. */
export async function updateFeedbackLabel(
  tx: Tx,
  place: ProjectPlace,
  labelId: string,
  { name, colour }: UpdateFeedbackLabelBody,
): Promise<FeedbackLabel> {
  await holdLabels(tx, place)
  const known = await findLabel(tx, place, labelId)
  if (name !== undefined) {
    const same = await findByName(tx, place.projectId, name)
    if (same !== undefined && same.id !== labelId) throw new AppError('label_name_taken')
  }
  const row = await tx
    .updateTable('feedback_labels')
    .set({ name: name === undefined ? known.name : nameOf(name), colour: colour ?? known.colour })
    .where('id', '=', labelId)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.name === known.name && row.colour === known.colour) recordNoChange(tx)
  return toLabel(row)
}

/** Also removes the label from every entry. Throws AppError `not_found`. */
export async function deleteFeedbackLabel(
  tx: Tx,
  place: ProjectPlace,
  labelId: string,
): Promise<{ id: string; entries: number; name: string }> {
  await holdLabels(tx, place)
  const { name } = await findLabel(tx, place, labelId)
  // Lock in the same order as bulk changes, so that they do not deadlock.
  const { rows } = await sql<{ count: number }>`
    WITH picked AS MATERIALIZED (
      SELECT id FROM feedback
      WHERE label_ids @> ARRAY[${labelId}]::text[] AND label_ids <> '{}' AND project_id = ${place.projectId}
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
export async function holdLabels(tx: Tx, place: ProjectPlace): Promise<void> {
  await checkProject(tx, place)
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`labels:${place.projectId}`}, 0))`.execute(tx)
}

/** Returns the ids that are not labels of the project. */
export async function unknownLabels(tx: Tx, projectId: string, ids: readonly string[]): Promise<string[]> {
  const known = new Set((await labelsOf(tx, projectId)).map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

function findByName(queries: Queries, projectId: string, name: string): Promise<LabelRow | undefined> {
  return queries
    .selectFrom('feedback_labels')
    .select(['id', 'name', 'colour', 'created_at'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`lower(name) = lower(${nameOf(name)})`)
    .executeTakeFirst()
}

async function findLabel(queries: Queries, { projectId }: ProjectPlace, id: string): Promise<LabelRow> {
  const label = await queries
    .selectFrom('feedback_labels')
    .select(['id', 'name', 'colour', 'created_at'])
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (label === undefined) throw new AppError('not_found')
  return label
}

function nameOf(typed: string): string {
  return typed.replace(/\s+/g, ' ').trim()
}

/** Returns the first of the least used colours. */
function leastUsed(used: readonly LabelColour[]): LabelColour {
  const countOf = (colour: LabelColour) => used.filter((one) => one === colour).length
  const coloured = LABEL_COLOURS.filter((colour) => colour !== 'grey')
  return coloured.toSorted((a, b) => countOf(a) - countOf(b))[0] ?? 'grey'
}

function toLabel({ id, name, colour, created_at }: LabelRow): FeedbackLabel {
  return { id, name, colour, createdAt: created_at.toISOString() }
}
