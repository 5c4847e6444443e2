/** Invitations of the organization: listed, made, taken back. */
import * as invitations from '../../../accounts/invitations.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export interface CreateInvitationDeps {
  publicUrl: () => string
}

export async function listInvitations({
  db,
  caller,
}: DashboardCallOf<'listInvitations'>): DashboardAnswerOf<'listInvitations'> {
  return { body: { invitations: await invitations.listInvitations(db, caller.organizationId) } }
}

export async function createInvitation(
  { publicUrl }: CreateInvitationDeps,
  { tx, caller, body }: DashboardCallOf<'createInvitation'>,
): DashboardAnswerOf<'createInvitation'> {
  const { invitation, token } = await invitations.createInvitation(tx, { ...body, changer: caller })
  return { body: { ...invitation, link: `${publicUrl()}/invitation#token=${token}` } }
}

export async function revokeInvitation({
  tx,
  caller,
  params,
}: DashboardCallOf<'revokeInvitation'>): DashboardAnswerOf<'revokeInvitation'> {
  await invitations.revokeInvitation(tx, { ...params, changer: caller })
  return { body: params }
}
