/** The table of mails. */
import type { ColumnType, Generated } from 'kysely'
import type { MailStatus } from '../contract/mail.ts'

export interface MailTable {
  id: string
  /** May be one of another version of the program. */
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
