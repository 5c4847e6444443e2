/** Finds the caller by the Authorization header. Reads the database each time, so that revocation is immediate. */
import { sql } from 'kysely'
import { type Permission, roleHasPermission } from '../../../base/api/roles.ts'
import { BatchedCalls } from '../../../base/batched-calls.ts'
import type { Queries } from '../../../database/database.ts'
import type { Caller, Scope } from '../../../routing/caller.ts'
import { isAddressAllowed } from './allow-list.ts'
import { hashApiKey, isApiKeyText } from './api-key-text.ts'
import { keyRole } from './key-role.ts'

/** `unauthorized` gives no reason: revoked, expired and unknown keys are indistinguishable from outside. */
export type Authentication =
  | { kind: 'ok'; caller: Caller }
  | { kind: 'unauthorized' }
  | { kind: 'scope_missing' }
  | { kind: 'maker_role_missing' }
  | { kind: 'address_refused' }

export interface Credentials {
  authorization: string | undefined
  address: string
  /** Scope that the request needs; `write` includes `read`. */
  scope: Scope
  /** Whether the operation also accepts assistant keys, which have no scopes. */
  takesAssistantKeys?: boolean
  /** Permission that a member would need, because a key can never do more than its creator. */
  permission: Permission
}

const LAST_USE_UPDATE_SECONDS = 60

/**
 * Authenticates with one indexed lookup, which concurrent requests with the same key share. A text that
 * cannot be a key needs no lookup.
 */
export async function authenticate(db: Queries, credentials: Credentials): Promise<Authentication> {
  const hash = keyHashOf(credentials.authorization)
  const key = hash === null ? undefined : await findKeyOnce(db, hash)
  if (hash === null || key === undefined || !key.is_valid) return { kind: 'unauthorized' }
  if (key.kind === 'assistant' && !credentials.takesAssistantKeys) return { kind: 'unauthorized' }
  if (key.use_is_old) recordKeyUse(db, key.id)
  return checkKey(key, credentials)
}

function keyHashOf(authorization: string | undefined): Buffer | null {
  const text = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  return text === undefined || !isApiKeyText(text) ? null : hashApiKey(text)
}

function checkKey(key: KeyRow, credentials: Credentials): Authentication {
  const isScoped = key.kind === 'admin'
  if (isScoped && credentials.scope === 'write' && !key.scopes.includes('write'))
    return { kind: 'scope_missing' }
  const role = keyRole(key)
  if (role !== null && !roleHasPermission(role, credentials.permission)) return { kind: 'maker_role_missing' }
  if (!isAddressAllowed(key.allow_list, credentials.address)) return { kind: 'address_refused' }
  return {
    kind: 'ok',
    caller: {
      kind: 'key',
      id: key.id,
      organizationId: key.organization_id,
      plan: key.plan,
      scopes: key.scopes,
      role,
      projectIds: key.project_ids,
    },
  }
}

const lookups = new WeakMap<Queries, BatchedCalls<KeyRow | undefined>>()

function findKeyOnce(db: Queries, hash: Buffer): Promise<KeyRow | undefined> {
  const joinedCalls = lookups.get(db) ?? new BatchedCalls()
  lookups.set(db, joinedCalls)
  return joinedCalls.share(hash.toString('base64'), () => selectKeyByHash(db, hash).executeTakeFirst())
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeyByHash>['executeTakeFirstOrThrow']>>

/**
 * Validity depends on the database's clock, which all servers share. A key whose creator is no longer a member is
 * invalid, however the membership ended.
 */
function selectKeyByHash(db: Queries, hash: Buffer) {
  return db
    .selectFrom('api_keys as key')
    .innerJoin('organizations as organization', 'organization.id', 'key.organization_id')
    .leftJoin('members as maker', (join) =>
      join
        .onRef('maker.organization_id', '=', 'key.organization_id')
        .onRef('maker.user_id', '=', 'key.maker_id'),
    )
    .select([
      'key.id',
      'key.kind',
      'key.organization_id',
      'key.scopes',
      'key.allow_list',
      'key.role_limit',
      'key.project_ids',
    ])
    .select(['organization.plan', 'maker.role as maker_role'])
    .select([
      sql<boolean>`key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now())
        AND (key.maker_id IS NULL OR maker.user_id IS NOT NULL)`.as('is_valid'),
      sql<boolean>`coalesce(key.last_used_at < now() - make_interval(secs => ${LAST_USE_UPDATE_SECONDS}), true)`.as(
        'use_is_old',
      ),
    ])
    .where('key.hash', '=', hash)
}

/** Ids of keys whose last use is being written, so that a burst of requests writes it once. */
const recording = new WeakMap<Queries, Set<string>>()

/**
 * Writes at most once a minute per key, outside the request: a lost write is better than a request that waits or
 * fails.
 */
function recordKeyUse(db: Queries, keyId: string): void {
  const keys = recording.get(db) ?? new Set()
  recording.set(db, keys)
  if (keys.has(keyId)) return
  keys.add(keyId)
  // SKIP LOCKED: another server is writing the same value.
  sql`UPDATE api_keys SET last_used_at = now() WHERE id = (
        SELECT id FROM api_keys
        WHERE id = ${keyId} AND coalesce(last_used_at < now() - make_interval(secs => ${LAST_USE_UPDATE_SECONDS}), true)
        FOR UPDATE SKIP LOCKED)`
    .execute(db)
    .catch(() => undefined)
    .finally(() => keys.delete(keyId))
}
