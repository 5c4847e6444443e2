/** Admin API keys: made, listed, revoked. The text of a key is in the answer to its making, and nowhere afterwards. */
import { sql } from 'kysely'
import { createId } from '../base/ids.ts'
import { DEFAULT_LIMITS, type Limit } from '../contract/limits.ts'
import { recordAudit, recordNoChange } from '../database/audit.ts'
import type { Queries, Tx } from '../database/database.ts'
import { parseAllowList } from './allow-list.ts'
import { createApiKeyText, hashApiKey } from './api-key-text.ts'
import { takeFromWindow } from './rate-window.ts'

export type Scope = 'read' | 'write'
export const SCOPES: readonly Scope[] = ['read', 'write']

/** Days until a key expires; null: never. */
export type KeyLifetime = 7 | 30 | 60 | 90 | null
export const KEY_LIFETIMES: readonly KeyLifetime[] = [7, 30, 60, 90, null]
export const DEFAULT_KEY_LIFETIME: KeyLifetime = 90

export interface ApiKey {
  id: string
  organizationId: string
  name: string
  lastFour: string
  scopes: Scope[]
  /** Empty: from anywhere. */
  allowList: string[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** Right to the minute. */
  lastUsedAt: Date | null
}

export interface NewApiKey {
  organizationId: string
  name: string
  scopes?: readonly string[]
  expiresInDays?: number | null
  allowList?: readonly string[]
  actor: string
  limit?: Limit
}

export type CreatedApiKey =
  | { ok: true; key: ApiKey; text: string }
  /** One sentence for each thing wrong. */
  | { ok: false; reason: 'invalid'; details: string[] }
  | { ok: false; reason: 'organization_missing' }
  | { ok: false; reason: 'limit'; retryAfterSeconds: number }

const MAX_NAME_LENGTH = 100

/** Counts against the organization's new keys of the hour when the transaction commits. */
export async function createApiKey(tx: Tx, wanted: NewApiKey): Promise<CreatedApiKey> {
  const { organizationId, actor, limit = DEFAULT_LIMITS.newKeys } = wanted
  const checked = checkNewKey(wanted)
  if ('details' in checked) return { ok: false, reason: 'invalid', details: checked.details }
  const organization = await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (organization === undefined) return { ok: false, reason: 'organization_missing' }
  const bucket = `newKeys:${organizationId}`
  const taken = await takeFromWindow(tx, { bucket, limit: limit.count, windowSeconds: limit.seconds })
  if (!taken.accepted) return { ok: false, reason: 'limit', retryAfterSeconds: taken.retryAfterSeconds }

  const text = createApiKeyText()
  const { name, scopes, days, allowList } = checked
  const row = await tx
    .insertInto('api_keys')
    .values({
      id: createId('key'),
      organization_id: organizationId,
      name,
      hash: hashApiKey(text),
      last_four: text.slice(-4),
      scopes,
      allow_list: allowList,
      expires_at: days === null ? null : sql<Date>`now() + make_interval(days => ${days})`,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  const key = toApiKey(row)
  const { lastFour, expiresAt } = key
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'api_key.created',
    subject: key.id,
    details: { name, lastFour, scopes, allowList, expiresAt },
  })
  return { ok: true, key, text }
}

/**
 * Refuses the key from the commit on, on every server. Again is no mistake. `organizationId` restricts to its own keys.
 * Null when there is no such key.
 */
export async function revokeApiKey(
  tx: Tx,
  { keyId, organizationId, actor }: { keyId: string; organizationId?: string; actor: string },
): Promise<ApiKey | null> {
  const found = await tx
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where('id', '=', keyId)
    .$if(organizationId !== undefined, (query) =>
      query.where('organization_id', '=', organizationId as string),
    )
    .forUpdate()
    .executeTakeFirst()
  if (found === undefined) return null
  if (found.revoked_at !== null) {
    recordNoChange(tx)
    return toApiKey(found)
  }
  const row = await tx
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', keyId)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  const { organization_id, name, last_four } = row
  await recordAudit(tx, {
    organizationId: organization_id,
    actor,
    action: 'api_key.revoked',
    subject: keyId,
    details: { name, lastFour: last_four },
  })
  return toApiKey(row)
}

/** Newest first, revoked and expired ones too. */
export async function listApiKeys(db: Queries, organizationId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(COLUMNS)
    .where('organization_id', '=', organizationId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toApiKey)
}

function checkNewKey(
  wanted: NewApiKey,
): { name: string; scopes: Scope[]; days: KeyLifetime; allowList: string[] } | { details: string[] } {
  const { scopes = SCOPES, expiresInDays = DEFAULT_KEY_LIFETIME } = wanted
  const name = wanted.name.trim()
  const allowList = parseAllowList(wanted.allowList ?? [])
  const details = [...allowList.problems]
  if (name === '' || name.length > MAX_NAME_LENGTH) {
    details.push(`A key needs a name of 1 to ${MAX_NAME_LENGTH} characters`)
  }
  const known = SCOPES.filter((scope) => scopes.includes(scope))
  if (known.length === 0 || scopes.some((scope) => !known.includes(scope as Scope))) {
    details.push('The scopes of a key are `read`, `write`, or both')
  }
  const days = KEY_LIFETIMES.find((lifetime) => lifetime === expiresInDays)
  if (days === undefined) details.push('A key expires after 7, 30, 60 or 90 days, or never')
  if (details.length > 0 || days === undefined) return { details }
  return { name, scopes: known, days, allowList: allowList.entries }
}

const COLUMNS = [
  'id',
  'organization_id',
  'name',
  'last_four',
  'scopes',
  'allow_list',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
] as const

function toApiKey(row: {
  id: string
  organization_id: string
  name: string
  last_four: string
  scopes: Scope[]
  allow_list: string[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
}): ApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    lastFour: row.last_four,
    scopes: row.scopes,
    allowList: row.allow_list,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  }
}
