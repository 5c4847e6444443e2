import type { ColumnType, Generated } from 'kysely'
import type {
  MailFrequency,
  NotificationFacts,
  NotificationLevel,
} from '../../features/notifications/operations/notification-kinds.ts'

type CreatedAt = ColumnType<Date, Date | undefined, never>
type Json<T> = ColumnType<T, string, string>

export interface NotificationTable {
  id: string
  organization_id: string
  user_id: string
  project_id: string
  kind: string
  subject: string
  facts: Json<NotificationFacts>
  count: number
  read_at: Date | null
  created_at: CreatedAt
  updated_at: Date
  mail_pace: Generated<MailFrequency | 'new'>
  mail_id: Generated<string | null>
}

export interface NotificationsTables {
  notification_events: {
    id: string
    organization_id: string
    project_id: string
    /** May be a kind that only another version of the program supports. */
    kind: string
    subject: string
    owner_id: string | null
    facts: Json<NotificationFacts>
    created_at: CreatedAt
    is_spread: Generated<boolean>
  }
  notifications: NotificationTable
  notification_choices: {
    organization_id: string
    user_id: string
    project_id: string | null
    kind: string
    level: NotificationLevel
  }
  feedback_rates: {
    project_id: string
    usual: number | null
    measured_at: Date
    told_at: Date | null
  }
}
