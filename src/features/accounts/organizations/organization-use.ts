/** An organization with the limits of its plan and their current usage. */
import { sql } from 'kysely'
import type { Limit } from '../../../base/api/limits.ts'
import { PLAN_CAPABILITIES } from '../../../base/api/plans.ts'
import type { RetentionChoice } from '../../../base/api/retention.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { recordAudit, recordNoChange } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'
import { peekWindow } from '../../../routing/rate-window.ts'
import type { LimitUse, OrganizationDetail } from '../operations/organization.ts'
import { findOrganization, setPlan } from './organizations.ts'
import { chooseRetention } from './retention.ts'

export interface OrganizationUseDeps {
  limits: Readonly<Record<LimitUse['name'], Limit>>
}

const MAX_SHOWN_PROJECTS = 50

/** Throws AppError `not_found`. */
export async function readOrganizationUse(
  { limits }: OrganizationUseDeps,
  db: Queries,
  organizationId: string,
): Promise<Omit<OrganizationDetail, 'storage'>> {
  const organization = await findOrganization(db, organizationId)
  if (organization === null) throw new AppError('not_found')
  const counts = await countProjectsAndKeys(db, organizationId)
  const shared = (['analytics', 'exportStarts', 'newKeys'] as const).map((name) => ({
    name,
    projectId: null,
    sharer: organizationId,
  }))
  const own = counts.project_ids.slice(0, MAX_SHOWN_PROJECTS).map((projectId) => ({
    name: 'agentJobs' as const,
    projectId,
    sharer: `${organizationId}:${projectId}`,
  }))
  const uses: LimitUse[] = []
  for (const { name, projectId, sharer } of [...shared, ...own]) {
    const { count: limit, seconds: windowSeconds } = limits[name]
    const found = await peekWindow(db, { bucket: `${name}:${sharer}`, limit, windowSeconds })
    const used = limit - found.remaining
    uses.push({
      name,
      projectId,
      limit,
      used,
      windowSeconds,
      resetSeconds: used === 0 ? 0 : found.resetSeconds,
    })
  }
  return {
    id: organization.id,
    name: organization.name,
    plan: organization.plan,
    capabilities: { ...PLAN_CAPABILITIES[organization.plan] },
    projectCount: counts.project_ids.length,
    apiKeyCount: counts.key_count,
    maxKeyDays: organization.maxKeyDays as OrganizationDetail['maxKeyDays'],
    limits: uses,
    createdAt: organization.createdAt.toISOString(),
  }
}

async function countProjectsAndKeys(
  db: Queries,
  organizationId: string,
): Promise<{ project_ids: string[]; key_count: number }> {
  const { rows } = await sql<{ project_ids: string[]; key_count: number }>`
    SELECT ARRAY(SELECT id FROM projects WHERE organization_id = ${organizationId}
        AND archived_at IS NULL ORDER BY created_at, id) AS project_ids,
      (SELECT count(*) FROM api_keys WHERE organization_id = ${organizationId} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > now())) AS key_count`.execute(db)
  return rows[0] ?? { project_ids: [], key_count: 0 }
}

/** Throws AppError `not_found`. */
export async function changeOrganization(
  tx: Tx,
  changes: {
    organizationId: string
    name?: string
    plan?: string
    maxKeyDays?: number | null
    retention?: RetentionChoice
    actor: string
  },
): Promise<void> {
  const { organizationId, actor, plan } = changes
  if (plan !== undefined) await setPlan(tx, { organizationId, plan, actor })
  if (changes.maxKeyDays !== undefined)
    await limitKeyLifetimes(tx, { organizationId, actor, days: changes.maxKeyDays })
  if (changes.retention !== undefined)
    await chooseRetention(tx, { organizationId, actor, choice: changes.retention })
  if (changes.name !== undefined) await rename(tx, { organizationId, actor, name: changes.name.trim() })
}

async function rename(
  tx: Tx,
  { organizationId, name, actor }: { organizationId: string; name: string; actor: string },
): Promise<void> {
  const before = await tx
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) throw new AppError('not_found')
  if (before.name === name) return recordNoChange(tx)
  await tx
    .updateTable('organizations')
    .set({ name, updated_at: sql<Date>`now()` })
    .where('id', '=', organizationId)
    .execute()
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'organization.renamed',
    subject: organizationId,
    details: { from: before.name, to: name },
  })
}

/**
 * Shortens the lifetime of keys that would outlive the limit, counted from now; raising the limit later does not extend
 * them again. Throws AppError `not_found`.
 */
async function limitKeyLifetimes(
  tx: Tx,
  { organizationId, days, actor }: { organizationId: string; days: number | null; actor: string },
): Promise<void> {
  const before = await tx
    .selectFrom('organizations')
    .select('max_key_days')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) throw new AppError('not_found')
  if (before.max_key_days === days) return recordNoChange(tx)
  await tx
    .updateTable('organizations')
    .set({ max_key_days: days, updated_at: sql<Date>`now()` })
    .where('id', '=', organizationId)
    .execute()
  const shortened = days === null ? 0 : await shortenKeys(tx, organizationId, days)
  await recordAudit(tx, {
    organizationId,
    actor,
    action: 'api_key.lifetime_bounded',
    subject: organizationId,
    details: { from: before.max_key_days, to: days, shortened },
  })
}

async function shortenKeys(tx: Tx, organizationId: string, days: number): Promise<number> {
  const bound = sql<Date>`now() + make_interval(days => ${days})`
  const { numUpdatedRows } = await tx
    .updateTable('api_keys')
    .set({ expires_at: bound })
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', bound)]))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
