/** Organizations: they own projects and keys, and have a plan. */
import { sql } from 'kysely'
import { NAME_CHARACTER_LIMITS } from '../../../base/api/form-limits.ts'
import { isLine } from '../../../base/api/line.ts'
import { PLANS, type Plan } from '../../../base/api/plans.ts'
import { AppError } from '../../../base/errors/errors.ts'
import { createFault, type Fault } from '../../../base/errors/fault.ts'
import { createId } from '../../../base/ids.ts'
import { recordAudit, recordNoChange } from '../../../database/audit.ts'
import type { Queries, Tx } from '../../../database/database.ts'

export interface Organization {
  id: string
  name: string
  plan: Plan
  /** Maximum lifetime of an API key, in days; null means unlimited. */
  maxKeyDays: number | null
  createdAt: Date
}

/** Throws AppError `invalid_request`. */
export async function createOrganization(
  tx: Tx,
  input: { name: string; plan?: string; actor: string },
): Promise<Organization> {
  const name = input.name.trim()
  const plan = findPlan(input.plan ?? 'free')
  const isNamed = isLine(name) && name.length <= NAME_CHARACTER_LIMITS.organization
  if (plan === undefined || !isNamed)
    throw new AppError('invalid_request', {
      details: [...(isNamed ? [] : [NAME_FAULT]), ...(plan === undefined ? [PLAN_FAULT] : [])],
    })
  const row = await tx
    .insertInto('organizations')
    .values({ id: createId('org'), name, plan })
    .returning(['id', 'name', 'plan', 'max_key_days', 'created_at'])
    .executeTakeFirstOrThrow()
  const organization = toOrganization(row)
  await recordAudit(tx, {
    organizationId: organization.id,
    actor: input.actor,
    action: 'organization.created',
    subject: organization.id,
    details: { name, plan },
  })
  return organization
}

/** Takes effect with the next request. Throws AppError `not_found`, `invalid_request`. */
export async function setPlan(
  tx: Tx,
  input: { organizationId: string; plan: string; actor: string },
): Promise<Organization> {
  const { organizationId, actor } = input
  const plan = findPlan(input.plan)
  if (plan === undefined) throw new AppError('invalid_request', { details: [PLAN_FAULT] })
  const before = await tx
    .selectFrom('organizations')
    .select('plan')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) throw new AppError('not_found')
  const row = await tx
    .updateTable('organizations')
    .set({ plan, updated_at: sql<Date>`now()` })
    .where('id', '=', organizationId)
    .returning(['id', 'name', 'plan', 'max_key_days', 'created_at'])
    .executeTakeFirstOrThrow()
  if (before.plan === plan) recordNoChange(tx)
  else {
    await recordAudit(tx, {
      organizationId,
      actor,
      action: 'organization.plan_changed',
      subject: organizationId,
      details: { from: before.plan, to: plan },
    })
  }
  return toOrganization(row)
}

export async function findOrganization(db: Queries, id: string): Promise<Organization | null> {
  const row = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'plan', 'max_key_days', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : toOrganization(row)
}

/** Oldest first. */
export async function listOrganizations(db: Queries): Promise<Organization[]> {
  const rows = await db
    .selectFrom('organizations')
    .select(['id', 'name', 'plan', 'max_key_days', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toOrganization)
}

const NAME_FAULT: Fault = {
  ...createFault('organization_name', { min: 1, max: NAME_CHARACTER_LIMITS.organization }),
  field: '/name',
}
const PLAN_FAULT: Fault = { ...createFault('plan', { values: PLANS }), field: '/plan' }

function findPlan(name: string): Plan | undefined {
  return PLANS.find((plan) => plan === name)
}

function toOrganization(row: {
  id: string
  name: string
  plan: Plan
  max_key_days: number | null
  created_at: Date
}): Organization {
  const { id, name, plan } = row
  return { id, name, plan, maxKeyDays: row.max_key_days, createdAt: row.created_at }
}
