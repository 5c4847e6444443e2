import type { ColumnType, Generated } from 'kysely'
import type { MailStatus } from '../../features/notifications/operations/mail.ts'
import type { MailFrequency } from '../../features/notifications/operations/notification-kinds.ts'

export interface MailTables {
  mails: {
    id: string
    /** May be a kind that only another version of the program supports. */
    kind: string
    organization_id: string | null
    user_id: string | null
    address: string
    subject: string
    sealed: Buffer | null
    status: Generated<MailStatus>
    attempts: Generated<number>
    due_at: Date
    give_up_at: Date
    created_at: ColumnType<Date, Date | undefined, never>
    ended_at: Date | null
    error: string | null
  }
  mail_choices: {
    organization_id: string
    user_id: string
    kind: string
    pace: MailFrequency
  }
  mail_people: {
    organization_id: string
    user_id: string
    is_off: Generated<boolean>
    digest_hour: Generated<number>
    time_zone: Generated<string>
  }
}
