/** Admin API keys: listed, made, revoked. The text of a key is in the answer to its making, and in none after it. */
import * as keys from '../../../accounts/api-keys.ts'
import type { ApiKey } from '../../../contract/dashboard-organization.ts'
import { AppError } from '../../../contract/errors.ts'
import type { Limit, LimitName } from '../../../contract/limits.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'
import { limitReached } from '../../rate-headers.ts'

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
  const limit = limits.newKeys
  const created = await keys.createApiKey(tx, { ...body, organizationId, actor, makerId: actor, limit })
  if (created.ok) return { body: { key: toApiKey(created.key, Date.now()), text: created.text } }
  switch (created.reason) {
    case 'invalid':
      throw new AppError('request.invalid', { details: created.details })
    case 'organization_missing':
      throw new AppError('not_found')
    case 'limit': {
      const { retryAfterSeconds } = created
      const { count, seconds } = limit
      const full = {
        accepted: false,
        limit: count,
        remaining: 0,
        resetSeconds: retryAfterSeconds,
        retryAfterSeconds,
      }
      throw limitReached({ ...full, name: 'newKeys', seconds })
    }
  }
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
