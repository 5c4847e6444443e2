/** Creates, lists and revokes API keys. The text of a key is returned only when the key is created. */

import { sql } from 'kysely'
import { NAME_CHARACTER_LIMITS } from '../../../base/api/form-limits.ts'
import type { Limit } from '../../../base/api/limits.ts'
import { isLine } from '../../../base/api/line.ts'
import type { KeyKind } from '../../../base/api/operation.ts'
import type { Role } from '../../../base/api/roles.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { createFault, type Fault, faultAt } from '../../../base/errors/fault.ts'
import { createId } from '../../../base/ids.ts'
import { recordAudit, recordNoChange } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import type { Scope } from '../../../routing/caller.ts'
import { limitReached } from '../../../routing/rate-limit-headers.ts'
import { consumeSlot } from '../../../routing/rate-window.ts'
import { ACCOUNT_LIMITS } from '../operations/limits.ts'
import { parseAllowList } from './allow-list.ts'
import { createApiKeyText, hashApiKey } from './api-key-text.ts'
import { keyRole } from './key-role.ts'

export const SCOPES: readonly Scope[] = ['read', 'write']

/** Days until a key expires; null means never. */
export type KeyLifetime = 7 | 30 | 60 | 90 | null
export const KEY_LIFETIMES: readonly KeyLifetime[] = [7, 30, 60, 90, null]
export const DEFAULT_KEY_LIFETIME = 90

export interface ApiKey {
  id: string
  organizationId: string
  name: string
  kind: KeyKind
  lastFour: string
  /** Empty for an assistant key: its kind defines what it may do. */
  scopes: Scope[]
  /** Empty: allowed from any address. */
  allowList: string[]
  createdAt: Date
  expiresAt: Date | null
  revokedAt: Date | null
  /** Accurate to one minute. */
  lastUsedAt: Date | null
  /** Null for a key created by the operator on the command line. */
  maker: { id: string; name: string } | null
  /**
   * Role that limits the key in addition to its scopes: the role of its creator, or a lower role. Null: limited
   * only by its scopes.
   */
  role: Role | null
  /** Projects that the key can access, with a null name for a deleted one. Null: all projects of the organization. */
  projects: { id: string; name: string | null }[] | null
}

export interface NewApiKey {
  organizationId: string
  name: string
  kind?: KeyKind
  scopes?: readonly string[]
  expiresInDays?: number | null
  allowList?: readonly string[]
  /** All projects, including future ones, when left out. */
  projectIds?: readonly string[]
  actor: string
  /** The member who creates the key; null for the operator on the command line. */
  makerId: string | null
  limit?: Limit
}

export interface CreatedApiKey {
  key: ApiKey
  text: string
}

/**
 * Counts towards the organization's hourly limit of new keys when the transaction commits. Throws AppError
 * `not_found` for the organization, `invalid_request`, `rate_limited`.
 */
export async function createApiKey(tx: Tx, wanted: NewApiKey): Promise<CreatedApiKey> {
  const { organizationId, actor, limit = ACCOUNT_LIMITS.newKeys } = wanted
  const organization = await findOrganization(tx, wanted)
  if (organization === undefined) throw new AppError('not_found')
  const checked = checkNewKey(wanted, organization.max_key_days)
  const projectIds = await checkProjects(tx, wanted)
  const bucket = `newKeys:${organizationId}`
  const verdict = await consumeSlot(tx, { bucket, limit: limit.count, windowSeconds: limit.seconds })
  if (!verdict.accepted) throw limitReached({ ...verdict, name: 'newKeys', seconds: limit.seconds })

  const { kind = 'admin' } = wanted
  const text = createApiKeyText(kind)
  const { name, scopes, days, allowList } = checked
  const id = createId('key')
  await tx
    .insertInto('api_keys')
    .values({
      id,
      organization_id: organizationId,
      maker_id: wanted.makerId,
      name,
      kind,
      hash: hashApiKey(text),
      last_four: text.slice(-4),
      scopes,
      allow_list: allowList,
      project_ids: projectIds,
      expires_at: days === null ? null : sql<Date>`now() + make_interval(days => ${days})`,
    })
    .execute()
  const key = await selectKeys(tx).where('key.id', '=', id).executeTakeFirstOrThrow().then(toApiKey)
  const { lastFour, expiresAt } = key
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'api_key.created',
    subject: key.id,
    details: {
      name,
      kind,
      lastFour,
      scopes: key.scopes,
      allowList,
      expiresAt,
      ...(projectIds && { projectIds }),
    },
  })
  return { key, text }
}

/**
 * Revokes a key on every server as of the commit; revoking it again is allowed. `organizationId` restricts the lookup
 * to keys of that organization. Returns null when there is no such key.
 */
export async function revokeApiKey(
  tx: Tx,
  { keyId, organizationId, actor }: { keyId: string; organizationId?: string; actor: string },
): Promise<ApiKey | null> {
  const revoked = await tx
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('id', '=', keyId)
    .where('revoked_at', 'is', null)
    .$if(organizationId !== undefined, (query) =>
      query.where('organization_id', '=', organizationId as string),
    )
    .returning(['organization_id', 'name', 'last_four'])
    .executeTakeFirst()
  if (revoked === undefined) recordNoChange(tx)
  else
    await recordAudit(tx, {
      organizationId: revoked.organization_id,
      actor,
      action: 'api_key.revoked',
      subject: keyId,
      details: { name: revoked.name, lastFour: revoked.last_four },
    })
  const key = await selectKeys(tx)
    .where('key.id', '=', keyId)
    .$if(organizationId !== undefined, (query) =>
      query.where('key.organization_id', '=', organizationId as string),
    )
    .executeTakeFirst()
  return key === undefined ? null : toApiKey(key)
}

/** Newest first, including revoked and expired keys. */
export async function listApiKeys(db: Queries, organizationId: string): Promise<ApiKey[]> {
  const rows = await selectKeys(db)
    .where('key.organization_id', '=', organizationId)
    .orderBy('key.created_at', 'desc')
    .orderBy('key.id', 'desc')
    .execute()
  return rows.map(toApiKey)
}

/**
 * Locks the organization until the transaction ends, so that creating a key is serialized with changing the
 * maximum lifetime and removing the key's creator. Returns undefined if the creator is no longer a member.
 * Membership is checked by a separate statement, which has to see changes that were committed while waiting
 * for the lock.
 */
async function findOrganization(
  tx: Tx,
  { organizationId, makerId }: NewApiKey,
): Promise<{ max_key_days: number | null } | undefined> {
  const organization = await tx
    .selectFrom('organizations')
    .select('max_key_days')
    .where('id', '=', organizationId)
    .forShare()
    .executeTakeFirst()
  if (makerId === null) return organization
  const maker = await tx
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', makerId)
    .executeTakeFirst()
  return maker === undefined ? undefined : organization
}

/** Throws AppError `invalid_request`. */
async function checkProjects(
  tx: Tx,
  { organizationId, projectIds, kind }: NewApiKey,
): Promise<string[] | null> {
  if (kind === 'assistant' && new Set(projectIds).size !== 1)
    throw new AppError('invalid_request', {
      details: [{ ...createFault('assistant_key_project'), field: '/projectIds' }],
    })
  if (projectIds === undefined) return null
  const wanted = [...new Set(projectIds)]
  const found = await tx
    .selectFrom('projects')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', wanted.length === 0 ? [''] : wanted)
    .execute()
  const missing = wanted.filter((id) => !found.some((project) => project.id === id))
  const details: Fault[] = missing.map((id) => faultAt('/projectIds', 'unknown_project', { id }))
  if (wanted.length === 0) details.push({ ...createFault('key_without_project'), field: '/projectIds' })
  if (details.length > 0) throw new AppError('invalid_request', { details: details.slice(0, 10) })
  return wanted
}

function checkNewKey(
  wanted: NewApiKey,
  maxDays: number | null,
): { name: string; scopes: Scope[]; days: KeyLifetime; allowList: string[] } {
  const { scopes = SCOPES, expiresInDays = defaultLifetime(maxDays) } = wanted
  const name = wanted.name.trim()
  const allowList = parseAllowList(wanted.allowList ?? [])
  const details: Fault[] = allowList.faults.map((fault) => ({ ...fault, field: '/allowList' }))
  const wrong = (field: string, fault: Fault) => details.push({ ...fault, field })
  if (wanted.kind === 'assistant' && wanted.scopes !== undefined)
    wrong('/scopes', createFault('assistant_key_scopes'))
  if (!isLine(name) || name.length > NAME_CHARACTER_LIMITS.key) {
    wrong('/name', createFault('key_name', { min: 1, max: NAME_CHARACTER_LIMITS.key }))
  }
  const known = SCOPES.filter((scope) => scopes.includes(scope))
  if (known.length === 0 || scopes.some((scope) => !known.includes(scope as Scope))) {
    wrong('/scopes', createFault('key_scopes'))
  }
  const days = KEY_LIFETIMES.find((lifetime) => lifetime === expiresInDays)
  if (days === undefined) wrong('/expiresInDays', createFault('key_lifetimes'))
  else if (maxDays !== null && (days === null || days > maxDays))
    wrong('/expiresInDays', createFault('key_days', { max: maxDays }))
  if (details.length > 0 || days === undefined) throw new AppError('invalid_request', { details })
  return { name, scopes: known, days, allowList: allowList.entries }
}

function defaultLifetime(maxDays: number | null): number | null {
  return Math.min(DEFAULT_KEY_LIFETIME, maxDays ?? DEFAULT_KEY_LIFETIME)
}

function selectKeys(db: Queries) {
  return db
    .selectFrom('api_keys as key')
    .leftJoin('users as maker', 'maker.id', 'key.maker_id')
    .leftJoin('members as membership', (join) =>
      join
        .onRef('membership.organization_id', '=', 'key.organization_id')
        .onRef('membership.user_id', '=', 'key.maker_id'),
    )
    .select([
      'key.id',
      'key.organization_id',
      'key.name',
      'key.kind',
      'key.last_four',
      'key.scopes',
      'key.allow_list',
      'key.created_at',
      'key.expires_at',
      'key.revoked_at',
      'key.last_used_at',
      'key.role_limit',
      'key.maker_id',
      'maker.name as maker_name',
      'membership.role as maker_role',
      sql<{ id: string; name: string | null }[] | null>`(
        SELECT json_agg(json_build_object('id', named.id, 'name', project.name) ORDER BY project.name, named.id)
        FROM unnest(key.project_ids) AS named (id)
        LEFT JOIN projects AS project ON project.id = named.id AND project.organization_id = key.organization_id
      )`.as('projects'),
    ])
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>

function toApiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    kind: row.kind,
    lastFour: row.last_four,
    scopes: row.kind === 'assistant' ? [] : row.scopes,
    allowList: row.allow_list,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    maker: row.maker_id === null ? null : { id: row.maker_id, name: row.maker_name ?? '' },
    role: keyRole(row),
    projects: row.projects,
  }
}
