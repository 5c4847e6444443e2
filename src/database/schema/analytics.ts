/** The tables of web analytics. */
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Audience, EventKind } from '../../features/analytics/operations/analytics-events.ts'

export interface AnalyticsSaltTable {
  /** `2026-11-21`. */
  day: ColumnType<Date, string, never>
  salt: Buffer
}

export interface AnalyticsBatchTable {
  hash: Buffer
  at: Generated<Date>
}

export interface AnalyticsInboxTable {
  id: GeneratedAlways<number>
  project_id: string
  events: ColumnType<unknown, string, never>
}

export interface AnalyticsSetAsideTable {
  id: number
  project_id: string
  events: ColumnType<unknown, string, never>
  reason: string
  at: Generated<Date>
}

export interface AnalyticsEventTable {
  project_id: string
  at: Date
  kind: EventKind
  audience: Audience
  path: string
  subject: string | null
  detail: string | null
  results: number | null
  device: string | null
}

export interface AnalyticsVisitorTable {
  day: ColumnType<Date, string, never>
  project_id: string
  path: string
  visitor: Buffer
}

export interface AnalyticsCountTable {
  project_id: string
  dimension: string
  period: 'hour' | 'day' | 'week' | 'month'
  starts_at: Date
  key: string
  page: string
  human: Generated<number>
  ai: Generated<number>
  bots: Generated<number>
  human_visitors: Generated<number>
  ai_visitors: Generated<number>
  empty: Generated<number>
  last_at: Date | null
}
