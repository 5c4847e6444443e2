/** The organization: name, plan, limits with their use. */
import {
  changeOrganization,
  type OrganizationUseDeps,
  organizationUse,
} from '../../../accounts/organization-use.ts'
import type { OrganizationDetail } from '../../../contract/dashboard-organization.ts'
import { faultAt } from '../../../contract/fault.ts'
import type { Retention } from '../../../contract/retention.ts'
import type { Queries } from '../../../database/database.ts'
import { organizationStorage } from '../../../storage/organization-storage.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'
import type { ShapeRule } from '../../operation-route.ts'

export interface OrganizationRouteDeps extends OrganizationUseDeps {
  /** The operator's. */
  retention: Retention
}

export async function getOrganization(
  deps: OrganizationRouteDeps,
  { db, caller }: DashboardCallOf<'getOrganization'>,
): DashboardAnswerOf<'getOrganization'> {
  return { body: await detailOf(deps, db, caller.organizationId) }
}

export async function updateOrganization(
  deps: OrganizationRouteDeps,
  { tx, caller, body }: DashboardCallOf<'updateOrganization'>,
): DashboardAnswerOf<'updateOrganization'> {
  const { organizationId, id: actor } = caller
  await changeOrganization(tx, { ...body, organizationId, actor })
  return { body: await detailOf(deps, tx, organizationId) }
}

async function detailOf(
  deps: OrganizationRouteDeps,
  queries: Queries,
  organizationId: string,
): Promise<OrganizationDetail> {
  const use = await organizationUse(deps, queries, organizationId)
  return { ...use, storage: await organizationStorage(queries, organizationId, deps.retention) }
}

export const ORGANIZATION_RULES = {
  updateOrganization({ body }) {
    const { name } = (body ?? {}) as { name?: unknown }
    const isBlank = typeof name === 'string' && name !== '' && name.trim() === ''
    return isBlank ? [faultAt('/name', 'must have a character in it')] : []
  },
} satisfies Record<string, ShapeRule>
