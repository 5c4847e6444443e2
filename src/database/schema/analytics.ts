import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Audience, EventKind } from '../../features/analytics/operations/analytics-events.ts'

export interface AnalyticsTables {
  analytics_salts: {
    /** `2026-11-21`. */
    day: ColumnType<Date, string, never>
    salt: Buffer
  }
  analytics_batches: {
    hash: Buffer
    at: Generated<Date>
  }
  analytics_inbox: {
    id: GeneratedAlways<number>
    project_id: string
    events: ColumnType<unknown, string, never>
  }
  analytics_set_aside: {
    id: number
    project_id: string
    events: ColumnType<unknown, string, never>
    reason: string
    at: Generated<Date>
  }
  analytics_events: {
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
  analytics_visitors: {
    day: ColumnType<Date, string, never>
    project_id: string
    path: string
    visitor: Buffer
  }
  analytics_counts: {
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
}
