/** A row as callers see it: the fields of its source, and no others. */

import type { Selectable } from 'kysely'
import type { FeedbackEntry, FeedbackExtra } from '../contract/feedback.ts'
import type { FeedbackTable } from '../database/schema.ts'

/** What the statement of a list selects. */
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
>

export function toEntry(row: EntryRow, include: readonly FeedbackExtra[] = []): FeedbackEntry {
  const base = {
    id: row.id,
    path: row.path,
    comment: row.comment,
    createdAt: row.created_at === null ? null : row.created_at.toISOString(),
    status: row.status,
    ...(include.includes('reason') ? { reason: row.reason } : {}),
  }
  const vote = include.includes('vote') ? { helpful: row.helpful } : {}
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
