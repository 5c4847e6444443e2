/** The tables of agent jobs. */
import type { ColumnType, Generated } from 'kysely'
import type { AgentEventType, PlanItem } from '../contract/agent.ts'
import type { AskedQuestion } from '../contract/assistant.ts'
import type { FeedbackEntry } from '../contract/feedback.ts'
import type { JobErrorCode } from '../contract/job-errors.ts'

type CreatedAt = ColumnType<Date, Date | undefined, never>
type Json<T> = ColumnType<T, string, string>

export interface AgentJobTable {
  id: string
  organization_id: string
  project_id: string
  status: Generated<'active' | 'completed' | 'archived' | 'failed'>
  phase: Generated<'work' | 'publish'>
  queue_job_id: string | null
  queue_attempt: Generated<number>
  idle_attempts: Generated<number>
  repository: string
  ref: string
  model: string
  title: string | null
  summary: string | null
  reasons: ColumnType<Record<string, string>, string | undefined, string>
  plan: ColumnType<PlanItem[], string | undefined, string>
  branch: string | null
  error: string | null
  error_code: JobErrorCode | null
  origin_commit: string | null
  base_commit: string | null
  kept_commit: string | null
  stopped: string | null
  pushed_commit: string | null
  finished_at: Date | null
  files_changed: Generated<number>
  input_tokens: Generated<number>
  output_tokens: Generated<number>
  cost_micros: ColumnType<number | null, number | null | undefined, number | null>
  steps: Generated<number>
  turn_tokens: Generated<number>
  check_rounds: Generated<number>
  turn_started_at: Date | null
  turn_ms: Generated<number>
  unfinished: string | null
  pull_request_id: string | null
  pull_request_link: string | null
  pull_request_state: 'open' | 'merged' | 'closed' | null
  look_at: Date | null
  before_manifest: string | null
  after_manifest: string | null
  event_count: Generated<number>
  started_by: string | null
  created_at: CreatedAt
  updated_at: Generated<Date>
  archived_at: Date | null
}

export interface AgentJobPromptTable {
  job_id: string
  number: number
  prompt: string
  feedback: ColumnType<FeedbackEntry[], string | undefined, string>
  questions: ColumnType<AskedQuestion[], string | undefined, string>
  asked_by: string | null
  created_at: CreatedAt
  started_at: Date | null
  ended_at: Date | null
}

export interface AgentJobMessageTable {
  job_id: string
  number: number
  message: Json<unknown>
}

export interface AgentJobChangeTable {
  job_id: string
  path: string
  content: string | null
}

export interface AgentJobEventTable {
  job_id: string
  number: number
  type: AgentEventType
  data: Json<unknown>
  at: CreatedAt
}

export interface AgentJobFeedbackTable {
  job_id: string
  feedback_id: string
}

export interface AgentJobQuestionTable {
  job_id: string
  question_id: string
}
