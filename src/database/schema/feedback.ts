/** Tables of reader feedback and its handling. */
import type { ColumnType, Generated } from 'kysely'
import type { LabelColour } from '../../base/api/form-choices.ts'
import type { FeedbackSource, FeedbackStatus } from '../../features/feedback/operations/feedback.ts'

/** A `timestamptz(3)` that is set on insert (by the database when left out) and never changed. */
type CreatedAt = ColumnType<Date, Date | undefined, never>

export interface FeedbackTable {
  id: string
  project_id: string
  source: FeedbackSource
  status: Generated<FeedbackStatus>
  /** Defaults to now. */
  created_at: ColumnType<Date | null, Date | null | undefined, never>
  /** `created_at`, or the earliest possible time if that is null. */
  sort_at: ColumnType<Date | number, never, never>
  updated_at: Generated<Date>
  path: string
  helpful: boolean | null
  reason: string | null
  comment: string | null
  has_comment: ColumnType<boolean, never, never>
  contact: string | null
  code: string | null
  filename: string | null
  lang: string | null
  page_version: string | null
  client_hash: Buffer | null
  address_hash: Buffer | null
  /** Equal for entries of the same page that have the same text; null for votes without text. */
  same_hash: ColumnType<number | null, never, never>
  assignee_id: string | null
  label_ids: Generated<string[]>
}

export interface FeedbackTables {
  feedback: FeedbackTable
  feedback_changes: {
    id: Generated<number>
    feedback_id: string
    at: CreatedAt
    actor: string
    from_status: FeedbackStatus | null
    to_status: FeedbackStatus | null
    note: string | null
    from_assignee: string | null
    to_assignee: string | null
    labels_added: Generated<string[]>
    labels_removed: Generated<string[]>
  }
  feedback_views: {
    id: string
    project_id: string
    user_id: string
    name: string
    query: string
    is_shared: Generated<boolean>
    created_at: CreatedAt
    updated_at: Generated<Date>
  }
  feedback_labels: {
    id: string
    project_id: string
    name: string
    colour: LabelColour
    created_at: CreatedAt
  }
}
