/** Converts a row to an entry with only the fields of its source. */

import type { Selectable } from 'kysely'
import type { FeedbackTable } from '../../database/schema/feedback.ts'
import type { FeedbackEntry, FeedbackExtra } from './operations/feedback.ts'

export type EntryRow = Pick<
  Selectable<FeedbackTable>,
  | 'id'
  | 'path'
  | 'source'
  | 'status'
  | 'created_at'
  | 'helpful'
  | 'reason'
  | 'comment'
  | 'contact'
  | 'code'
  | 'filename'
  | 'lang'
  | 'assignee_id'
  | 'label_ids'
>

/** Names of the users in the rows, and labels of the project, sorted by name. */
export interface WorkNames {
  people: ReadonlyMap<string, string>
  labels: readonly { id: string; name: string }[]
}

const NO_WORK_NAMES: WorkNames = { people: new Map(), labels: [] }

export function toEntry(
  row: EntryRow,
  include: readonly FeedbackExtra[] = [],
  names = NO_WORK_NAMES,
): FeedbackEntry {
  const base = {
    id: row.id,
    path: row.path,
    comment: row.comment,
    createdAt: row.created_at === null ? null : row.created_at.toISOString(),
    status: row.status,
    ...(include.includes('reason') ? { reason: row.reason } : {}),
    ...(include.includes('assignee') ? { assignee: assigneeOf(row, names) } : {}),
    ...(include.includes('labels') ? { labels: labelsOf(row, names) } : {}),
  }
  const vote = include.includes('vote') && row.helpful !== null ? { helpful: row.helpful } : {}
  switch (row.source) {
    case 'contextual':
      return { ...base, source: row.source, helpful: row.helpful === true, contact: row.contact }
    case 'code_snippet':
      return {
        ...base,
        source: row.source,
        code: row.code ?? '',
        filename: row.filename,
        lang: row.lang,
        ...vote,
      }
    case 'agent':
    case 'thumbs_only':
      return { ...base, source: row.source, ...vote }
  }
}

/** Also returns null if the assignee's account was deleted. */
export function assigneeOf({ assignee_id: id }: EntryRow, { people }: WorkNames) {
  const name = id === null ? undefined : people.get(id)
  return id === null || name === undefined ? null : { id, name }
}

export function labelsOf({ label_ids: ids }: EntryRow, { labels }: WorkNames) {
  return labels.filter(({ id }) => ids.includes(id))
}
