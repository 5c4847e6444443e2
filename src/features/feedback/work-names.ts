/** Names of the assignees and labels of entries. */
import { sql } from 'kysely'
import type { LabelColour } from '../../base/api/form-choices.ts'
import type { Queries } from '../../database/database.ts'
import type { EntryRow, WorkNames } from './entry.ts'
import type { FeedbackExtra } from './operations/feedback.ts'
import { MAX_PROJECT_LABELS } from './operations/feedback-work.ts'

export async function readWorkNames(
  queries: Queries,
  projectId: string,
  rows: readonly EntryRow[],
  include: readonly (FeedbackExtra | 'cursor')[],
): Promise<WorkNames> {
  const people = [...new Set(rows.flatMap(({ assignee_id: id }) => (id === null ? [] : [id])))]
  const isLabelled = rows.some(({ label_ids: ids }) => ids.length > 0)
  const persons =
    include.includes('assignee') && people.length > 0
      ? await queries.selectFrom('users').select(['id', 'name']).where('id', 'in', people).execute()
      : []
  const labels = include.includes('labels') && isLabelled ? await labelsOf(queries, projectId) : []
  return {
    people: new Map(persons.map(({ id, name }) => [id, name])),
    labels: labels.map(({ id, name }) => ({ id, name })),
  }
}

export interface LabelRow {
  id: string
  name: string
  colour: LabelColour
  created_at: Date
}

export function labelsOf(queries: Queries, projectId: string): Promise<LabelRow[]> {
  return queries
    .selectFrom('feedback_labels')
    .select(['id', 'name', 'colour', 'created_at'])
    .where('project_id', '=', projectId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(MAX_PROJECT_LABELS)
    .execute()
}
