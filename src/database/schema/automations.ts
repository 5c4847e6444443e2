import type { ColumnType, Generated } from 'kysely'
import type { AutomationTrigger } from '../../features/automations/operations/automation-triggers.ts'
import type {
  AutomationBudget,
  RunReason,
  RunState,
} from '../../features/automations/operations/automations.ts'

type CreatedAt = ColumnType<Date, Date | undefined, never>
type Json<T> = ColumnType<T, string, string>

/** A commit with the URL and ref where it was found. If either changes, the commit is meaningless. */
export interface SeenCommit {
  commit: string
  of: string
}

export interface AutomationTable {
  id: string
  organization_id: string
  project_id: string
  name: string
  kind: AutomationTrigger['kind']
  trigger: Json<AutomationTrigger>
  prompt: string
  scope: Json<string[]>
  budget: Json<AutomationBudget>
  model: string | null
  is_dry_run: Generated<boolean>
  paused_at: Date | null
  hook_hash: Buffer | null
  look_at: Generated<Date>
  seen_deployment: Generated<number>
  seen_code: ColumnType<SeenCommit | null, string | null | undefined, string | null>
  last_run_at: Date | null
  made_by: string | null
  created_at: CreatedAt
  updated_at: Generated<Date>
}

export interface AutomationRunTable {
  id: string
  automation_id: string
  cause: AutomationTrigger['kind'] | 'hand'
  topic: string
  state: RunState
  reason: RunReason | null
  job_id: string | null
  asked: string
  delivery: string | null
  code: ColumnType<SeenCommit | null, string | null | undefined, never>
  created_at: CreatedAt
}

export interface AutomationsTables {
  automations: AutomationTable
  automation_runs: AutomationRunTable
  automation_seen: {
    automation_id: string
    item: string
    at: Generated<Date>
  }
}
