/** Tables of users: accounts, sessions and their permissions. */
import type { ColumnType, Generated } from 'kysely'
import type { Role } from '../../base/api/roles.ts'

type CreatedAt = ColumnType<Date, Date | undefined, never>

export interface MemberTable {
  organization_id: string
  user_id: string
  role: Role
  created_at: CreatedAt
}

export interface PeopleTables {
  users: {
    id: string
    name: string
    email: string
    email_verified: Generated<boolean>
    image: string | null
    two_factor_enabled: Generated<boolean>
    created_at: CreatedAt
    updated_at: Generated<Date>
  }
  sessions: {
    id: string
    user_id: string
    token: string
    expires_at: Date
    address: string | null
    user_agent: string | null
    created_at: CreatedAt
    updated_at: Generated<Date>
    proved_at: Generated<Date>
    second_factor: Generated<boolean>
    by_provider: Generated<boolean>
  }
  credentials: {
    id: string
    user_id: string
    provider_id: string
    account_id: string
    password: string | null
    access_token: string | null
    refresh_token: string | null
    id_token: string | null
    access_token_expires_at: Date | null
    refresh_token_expires_at: Date | null
    scope: string | null
    created_at: CreatedAt
    updated_at: Generated<Date>
  }
  verifications: {
    id: string
    identifier: string
    value: string
    expires_at: Date
    created_at: CreatedAt
    updated_at: Generated<Date>
  }
  passkeys: {
    id: string
    user_id: string
    name: string | null
    public_key: string
    credential_id: string
    counter: number
    device_type: string
    backed_up: boolean
    transports: string | null
    aaguid: string | null
    created_at: ColumnType<Date | null, Date | undefined, never>
  }
  second_factors: {
    id: string
    user_id: string
    secret: string
    recovery_codes: string
    verified: Generated<boolean | null>
    failed_count: Generated<number | null>
    locked_until: Date | null
    /** Time step of the last accepted code. */
    last_step: number | null
  }
  members: MemberTable
  invitations: {
    id: string
    organization_id: string
    email: string
    role: Role
    hash: Buffer
    invited_by: string | null
    created_at: CreatedAt
    expires_at: Date
    accepted_at: Date | null
    revoked_at: Date | null
  }
  one_time_links: {
    hash: Buffer
    purpose: 'setup' | 'password'
    user_id: string | null
    created_at: CreatedAt
    expires_at: Date
  }
}
