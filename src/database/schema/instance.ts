/** The tables of the server itself as types: who runs it, and what they have set. */
import type { ColumnType, Generated } from 'kysely'

export interface OperatorTable {
  user_id: string
  made_by: string
  created_at: ColumnType<Date, Date | undefined, never>
}

export interface InstanceSettingTable {
  name: string
  value: string | null
  sealed: Buffer | null
  last_four: string | null
  set_by: string
  set_at: Generated<Date>
}

/** Of single sign-on into one organization. */
export interface OrganizationProviderTable {
  organization_id: string
  issuer: string
  client_id: string
  name: string
  domains: string[]
  role: string
  vouches_for_domains: boolean
  asks_second_factor: boolean
  sealed: Buffer
  last_four: string | null
  secret_set_at: Generated<Date>
}
