import type { ColumnType, Generated } from 'kysely'
import type { Effort } from '../../base/api/form-choices.ts'
import type { JobErrorCode } from '../../base/errors/permanent-error.ts'
import type { AgentEventType, PastRequest, PlanItem } from '../../features/agent/operations/agent.ts'
import type { ChangeChecks, CodeReference, RiskNote } from '../../features/agent/operations/agent-review.ts'
import type { AskedQuestion } from '../../features/assistant/operations/assistant.ts'
import type { FeedbackEntry } from '../../features/feedback/operations/feedback.ts'

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
  effort: Effort | null
  question: string | null
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
  risks: ColumnType<RiskNote[] | null, string | null | undefined, string | null>
  is_all_risk: Generated<boolean>
  checks: ColumnType<ChangeChecks | null, string | null | undefined, string | null>
  request_title: string | null
  sent_title: string | null
  sent_body: string | null
  current_link: string | null
  made_draft: Generated<boolean>
  past_requests: ColumnType<PastRequest[], string | undefined, string>
  /** Sources of the images that the job has added, by digest. */
  picture_sources: ColumnType<Record<string, string>, string | undefined, string>
  is_reviewed: Generated<boolean>
  first_prompt: Generated<number>
  merged_commit: string | null
  merge_base: string | null
  conflicts: ColumnType<string[], string | undefined, string>
  event_count: Generated<number>
  started_by: string | null
  link_salt: Generated<string>
  created_at: CreatedAt
  updated_at: Generated<Date>
  archived_at: Date | null
  automation_id: string | null
  topic: string | null
  scope: ColumnType<string[], string | undefined, string>
  budget: ColumnType<Partial<JobBudget>, string | undefined, string>
  published_files: ColumnType<string[], string | undefined, string>
  merged_at: Date | null
}

export interface JobBudget {
  steps: number
  tokens: number
  minutes: number
}

export interface OutsideText {
  what: string
  text: string
}

export interface TurnReport {
  title: string
  summary: string
  /** Reason for each file's change, by path. */
  reasons: Record<string, string>
  references?: CodeReference[] | undefined
  dropped?: string[] | undefined
}

export interface CommitKeyTable {
  project_id: string
  public_key: string
  sealed: Buffer
  made_by: string | null
  created_at: Generated<Date>
}

export interface CodeRepositoryTable {
  id: string
  organization_id: string
  project_id: string
  name: string
  source_kind: 'folder' | 'git'
  repository: string
  folder_granted: Generated<boolean>
  ref: string | null
  folder: string
  made_by: string | null
  created_at: CreatedAt
  updated_at: Generated<Date>
}

export interface AgentTables {
  agent_jobs: AgentJobTable
  agent_job_prompts: {
    job_id: string
    number: number
    prompt: string
    feedback: ColumnType<FeedbackEntry[], string | undefined, string>
    questions: ColumnType<AskedQuestion[], string | undefined, string>
    told: ColumnType<OutsideText[], string | undefined, string>
    account: ColumnType<TurnReport | null, string | null | undefined, string | null>
    asked_by: string | null
    created_at: CreatedAt
    started_at: Date | null
    ended_at: Date | null
  }
  agent_job_comments: {
    job_id: string
    request_id: string
    comment_id: string
    number: number
    author: string
    path: string | null
    line: number | null
    text: string
    answer: string | null
    taken_at: CreatedAt
    answered_at: Date | null
  }
  agent_job_messages: {
    job_id: string
    number: number
    message: Json<unknown>
  }
  agent_job_changes: {
    job_id: string
    path: string
    content: string | null
    /** Set for images, instead of `content`. */
    picture: Buffer | null
  }
  agent_job_events: {
    job_id: string
    number: number
    type: AgentEventType
    data: Json<unknown>
    at: CreatedAt
  }
  agent_job_feedback: {
    job_id: string
    feedback_id: string
    answer: string | null
    given_back_at: Date | null
  }
  agent_job_questions: {
    job_id: string
    question_id: string
  }
  code_repositories: CodeRepositoryTable
  commit_keys: CommitKeyTable
}
