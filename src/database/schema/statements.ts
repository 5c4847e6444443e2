/** The tables of statements, their alarms and confirmations. */
import type { ColumnType, Generated } from 'kysely'
import type { AlarmReason, Binding, CodeLine } from '../../features/statements/operations/statements.ts'
import type { SeenCommit } from './automations.ts'

type Json<T> = ColumnType<T, string | undefined, string>

export interface StatementCheckTable {
  project_id: string
  organization_id: string
  repository_id: Generated<string>
  pull_request: Generated<number>
  ref: string | null
  look_at: Generated<Date>
  seen: Json<Record<string, SeenCommit>>
  pages: Json<CountedPage[]>
  reported: string | null
  comment: ColumnType<ReportedComment | null, string | null | undefined, string | null>
  error: string | null
  checked_at: Date | null
}

export interface CountedPage {
  page: string
  total: number
  /** Digest of the statements and lines that a model has read. */
  read?: string
}

export interface ReportedComment {
  id: string
  /** Time of the comment's last change, by the clock of the forge. */
  at: string
  /** Alarms that the comment lists and that nobody has confirmed by a reaction. */
  listed: { statement: string; change: string }[]
}

interface StatementTable {
  project_id: string
  id: string
  page: string
  line: number
  text: string
  bindings: Json<Binding[]>
  files: string[]
  definition: string
  since: string | null
}

interface StatementAlarmTable {
  project_id: string
  repository_id: string
  pull_request: Generated<number>
  statement: string
  change: string
  page: string
  line: number
  text: string
  found: Json<{ reason: AlarmReason; name: string; before: CodeLine; after: CodeLine | null }>
  commit: string
  created_at: ColumnType<Date, Date | undefined, never>
}

export interface StatementStateView extends StatementTable {
  state: 'bound' | 'confirmed' | 'in_doubt'
  confirmed_by: string | null
  confirmed_at: Date | null
  changes: string[] | null
}

export interface StatementsTables {
  statement_checks: StatementCheckTable
  statements: StatementTable
  statement_alarms: StatementAlarmTable
  statement_confirmations: {
    project_id: string
    statement: string
    changes: string[] | null
    confirmed_by: string
    confirmed_at: ColumnType<Date, Date | undefined, Date>
  }
  open_statement_alarms: StatementAlarmTable
  statement_states: StatementStateView
}
