/** What an invitation offers to whoever holds its link. */
import { findInvitation } from '../../../accounts/invitations.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export async function getInvitation({
  tx,
  body,
}: DashboardCallOf<'getInvitation'>): DashboardAnswerOf<'getInvitation'> {
  return { body: await findInvitation(tx, body.token) }
}
