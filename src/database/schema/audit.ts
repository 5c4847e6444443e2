import type { ColumnType, Generated } from 'kysely'

type CreatedAt = ColumnType<Date, Date | undefined, never>
type Json<T> = ColumnType<T, string, string>

export interface AuditTables {
  audit_rows: {
    id: string
    organization_id: string
    actor: string
    action: string
    subject: string
    details: Json<Record<string, unknown>>
    at: CreatedAt
    number: Generated<number | null>
    hash: Generated<Buffer | null>
  }
  audit_chains: {
    organization_id: string
    number: number
    hash: Buffer
    checkpoint_number: Generated<number>
    checkpoint_hash: Generated<Buffer>
  }
}
