/** Routes for the organization: name, plan and limits with their usage, its API keys and audit log. */

import { readMoment } from '../../../base/api/dates.ts'
import type { Retention } from '../../../base/api/retention.ts'
import { AppError } from '../../../base/errors/errors.ts'
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import type { Queries } from '../../../database/database.ts'
import { type Handlers, parsing } from '../../../routing/handler.ts'
import type { UncheckedRequest } from '../../../routing/request-shape.ts'
import { organizationStorage } from '../../storage/organization-storage.ts'
import { type AuditDeps, exportAudit, parseAuditRange, readAudit } from '../audit/read-audit.ts'
import * as keys from '../keys/api-keys.ts'
import type {
  ApiKey,
  CreateApiKeyBody,
  ORGANIZATION_OPERATIONS,
  OrganizationDetail,
} from '../operations/organization.ts'
import {
  changeOrganization,
  type OrganizationUseDeps,
  readOrganizationUse,
} from '../organizations/organization-use.ts'
import { requireFresh } from '../people/session-memberships.ts'

type OrganizationDeps = OrganizationUseDeps & {
  cursors: CursorCodec
  retention: () => Retention
}

export function organizationHandlers(deps: OrganizationDeps): Handlers<typeof ORGANIZATION_OPERATIONS> {
  const audit: AuditDeps = { cursors: deps.cursors, readMoment }
  const auditRange = ({ query }: UncheckedRequest) => parseAuditRange(audit, query)
  return {
    getOrganization: async ({ db, caller }) => ({ body: await buildDetail(deps, db, caller.organizationId) }),
    async updateOrganization({ tx, caller: { organizationId, id: actor }, body }) {
      await changeOrganization(tx, { ...body, organizationId, actor })
      return { body: await buildDetail(deps, tx, organizationId) }
    },
    async listApiKeys({ db, caller }) {
      const found = await keys.listApiKeys(db, caller.organizationId)
      return { body: { keys: found.map((key) => toApiKey(key, Date.now())) } }
    },
    /** Only this response contains the text of the key. */
    async createApiKey({ tx, caller: { kind, organizationId, id: actor, provedAt }, body }) {
      if (hasFullAccess(body) && provedAt !== undefined) requireFresh({ provedAt })
      const input = {
        ...body,
        organizationId,
        actor,
        makerId: kind === 'operator' ? null : actor,
        limit: deps.limits.newKeys,
      }
      const { key, text } = await keys.createApiKey(tx, input)
      return { body: { key: toApiKey(key, Date.now()), text } }
    },
    async revokeApiKey({ tx, caller: { organizationId, id: actor }, params }) {
      const revoked = await keys.revokeApiKey(tx, { ...params, organizationId, actor })
      if (revoked === null) throw new AppError('not_found')
      return { body: toApiKey(revoked, Date.now()) }
    },
    listAudit: parsing(auditRange, async ({ db, caller, query }, range) => ({
      body: await readAudit(audit, db, caller.organizationId, query, range),
    })),
    exportAudit: parsing(auditRange, async ({ db, caller, query }, range) => {
      const { contentType, filename, lines } = exportAudit(db, caller.organizationId, query, range)
      return {
        contentType,
        body: lines,
        headers: { 'Content-Disposition': `attachment; filename="${filename}"` },
      }
    }),
  }
}

/** Returns whether the key can write to every current and future project. */
function hasFullAccess({ scopes, projectIds }: CreateApiKeyBody): boolean {
  return projectIds === undefined && (scopes ?? ['write']).includes('write')
}

async function buildDetail(
  deps: OrganizationDeps,
  queries: Queries,
  organizationId: string,
): Promise<OrganizationDetail> {
  const use = await readOrganizationUse(deps, queries, organizationId)
  return { ...use, storage: await organizationStorage(queries, organizationId, deps.retention()) }
}

function toApiKey(key: keys.ApiKey, now: number): ApiKey {
  const { id, name, kind, lastFour, scopes, allowList, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  const { maker, role, projects } = key
  const isExpired = expiresAt !== null && expiresAt.getTime() <= now
  return {
    id,
    name,
    kind,
    lastFour,
    scopes,
    allowList,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    maker,
    role,
    projects,
    state: revokedAt !== null ? 'revoked' : isExpired ? 'expired' : 'valid',
  }
}
