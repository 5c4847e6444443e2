/** Joins an organization: with the account that is signed in, or with a new one. */
import { acceptInvitation as accept } from '../../../accounts/invitations.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export async function acceptInvitation({
  tx,
  caller,
  body: { token, name, password },
}: DashboardCallOf<'acceptInvitation'>): DashboardAnswerOf<'acceptInvitation'> {
  const { user, organizationId } = await accept(tx, { token, user: caller.person, name, password })
  return { body: { userId: user.id, email: user.email, organizationId } }
}
