/** Where the operations on people meet their handlers. */
import type { PEOPLE_OPERATIONS } from '../contract/people-operations.ts'
import type { Handlers } from './handler.ts'
import { acceptInvitation } from './routes/dashboard/accept-invitation.ts'
import { getInvitation } from './routes/dashboard/get-invitation.ts'
import { type GetSessionDeps, getSession } from './routes/dashboard/get-session.ts'
import {
  type CreateInvitationDeps,
  createInvitation,
  listInvitations,
  revokeInvitation,
} from './routes/dashboard/invitations.ts'
import { listMembers, removeMember, updateMember } from './routes/dashboard/members.ts'
import { resetPassword } from './routes/dashboard/reset-password.ts'
import { endOtherSessions, endSession, listSessions } from './routes/dashboard/sessions.ts'
import { setUp } from './routes/dashboard/set-up.ts'

export type PeopleHandlerDeps = GetSessionDeps & CreateInvitationDeps

export function createPeopleHandlers(deps: PeopleHandlerDeps): Handlers<typeof PEOPLE_OPERATIONS> {
  return {
    getSession: (call) => getSession(deps, call),
    setUp,
    getInvitation,
    acceptInvitation,
    resetPassword,
    listSessions,
    endOtherSessions,
    endSession,
    listMembers,
    updateMember,
    removeMember,
    listInvitations,
    createInvitation: (call) => createInvitation(deps, call),
    revokeInvitation,
  }
}
