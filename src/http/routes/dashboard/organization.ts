/** The organization: name, plan, limits with their use. */
import {
  changeOrganization,
  type OrganizationUseDeps,
  organizationUse,
} from '../../../accounts/organization-use.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'
import type { ShapeRule } from '../../operation-route.ts'

export async function getOrganization(
  deps: OrganizationUseDeps,
  { db, caller }: DashboardCallOf<'getOrganization'>,
): DashboardAnswerOf<'getOrganization'> {
  return { body: await organizationUse(deps, db, caller.organizationId) }
}

export async function updateOrganization(
  deps: OrganizationUseDeps,
  { tx, caller, body }: DashboardCallOf<'updateOrganization'>,
): DashboardAnswerOf<'updateOrganization'> {
  const { organizationId, id: actor } = caller
  await changeOrganization(tx, { ...body, organizationId, actor })
  return { body: await organizationUse(deps, tx, organizationId) }
}

export const ORGANIZATION_RULES = {
  updateOrganization({ body }) {
    const { name } = (body ?? {}) as { name?: unknown }
    const isBlank = typeof name === 'string' && name !== '' && name.trim() === ''
    return isBlank ? ['`/name` must have a character in it'] : []
  },
} satisfies Record<string, ShapeRule>
