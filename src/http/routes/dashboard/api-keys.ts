/** Admin API keys: listed, made, revoked. The text of a key is in the answer to its making, and in none after it. */
import * as keys from '../../../accounts/api-keys.ts'
import type { ApiKey } from '../../../contract/dashboard-organization.ts'
import { AppError } from '../../../contract/errors.ts'
import type { Limit, LimitName } from '../../../contract/limits.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export interface ApiKeysDeps {
  limits: Record<LimitName, Limit>
}

export async function listApiKeys({
  db,
  caller,
}: DashboardCallOf<'listApiKeys'>): DashboardAnswerOf<'listApiKeys'> {
  const found = await keys.listApiKeys(db, caller.organizationId)
  return { body: { keys: found.map((key) => toApiKey(key, Date.now())) } }
}

export async function createApiKey(
  { limits }: ApiKeysDeps,
  { tx, caller, body }: DashboardCallOf<'createApiKey'>,
): DashboardAnswerOf<'createApiKey'> {
  const { organizationId, id: actor } = caller
  const wanted = { ...body, organizationId, actor, makerId: actor, limit: limits.newKeys }
  const { key, text } = await keys.createApiKey(tx, wanted)
  return { body: { key: toApiKey(key, Date.now()), text } }
}

export async function revokeApiKey({
  tx,
  caller,
  params,
}: DashboardCallOf<'revokeApiKey'>): DashboardAnswerOf<'revokeApiKey'> {
  const { organizationId, id: actor } = caller
  const revoked = await keys.revokeApiKey(tx, { ...params, organizationId, actor })
  if (revoked === null) throw new AppError('not_found')
  return { body: toApiKey(revoked, Date.now()) }
}

function toApiKey(key: keys.ApiKey, now: number): ApiKey {
  const { id, name, lastFour, scopes, allowList, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  const { maker, role } = key
  const isExpired = expiresAt !== null && expiresAt.getTime() <= now
  return {
    id,
    name,
    lastFour,
    scopes,
    allowList,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    maker,
    role,
    state: revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'valid',
  }
}
