/** Members of the organization: listed, given another role, removed. */
import * as members from '../../../accounts/members.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export async function listMembers({
  db,
  caller,
}: DashboardCallOf<'listMembers'>): DashboardAnswerOf<'listMembers'> {
  return { body: { members: await members.listMembers(db, caller.organizationId) } }
}

export async function updateMember({
  tx,
  caller,
  params,
  body,
}: DashboardCallOf<'updateMember'>): DashboardAnswerOf<'updateMember'> {
  return { body: await members.changeRole(tx, { ...params, ...body, changer: caller }) }
}

export async function removeMember({
  tx,
  caller,
  params,
  query,
}: DashboardCallOf<'removeMember'>): DashboardAnswerOf<'removeMember'> {
  const { keys = 'revoke' } = query
  const keyCount = await members.removeMember(tx, { ...params, changer: caller, keys })
  return { body: { ...params, keys, keyCount } }
}
