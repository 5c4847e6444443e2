/** Authenticates members: session from the cookie, organization from a header, role from the database. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listRoleScopes, type Permission, roleHasPermission } from '../base/api/roles.ts'
import { AppError } from '../base/errors/errors.ts'
import type { Database } from '../database/database.ts'
import { isOperator } from '../features/accounts/people/operators.ts'
import {
  findSessionMembership,
  requireFresh,
  requireSecondFactor,
} from '../features/accounts/people/session-memberships.ts'
import type { SignIn } from '../features/accounts/sign-in/sign-in.ts'
import type { Caller, Person, Visitor } from '../routing/caller.ts'

export interface MemberAdmissionDeps {
  database: Database
  signIn: SignIn
}

/** Selects the organization that a member acts for. Other origins cannot send this header. */
export const ORGANIZATION_HEADER = 'octavo-organization'

export function wantsSession(request: FastifyRequest): boolean {
  return request.headers.authorization === undefined && request.headers[ORGANIZATION_HEADER] !== undefined
}

/**
 * Throws AppError `signed_out`, `cross_site_refused`, `not_a_member`, `second_factor_required`,
 * `role_missing`, `operator_missing`, or `session_not_fresh`.
 */
export async function admitMember(
  deps: MemberAdmissionDeps,
  { permission, needsFresh = false }: { permission: Permission; needsFresh?: boolean | undefined },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  checkSameSite(request)
  const person = await findPerson(deps, request, reply)
  if (person === null) throw new AppError('signed_out')
  const organizationId = String(request.headers[ORGANIZATION_HEADER] ?? '')
  const asked = { userId: person.id, sessionId: person.sessionId, organizationId }
  const standing = await findSessionMembership(deps.database.queries, asked)
  if (standing === null) throw new AppError('not_a_member')
  requireSecondFactor(standing)
  const { role, plan, provedAt } = standing
  if (!roleHasPermission(role, permission)) throw new AppError('role_missing')
  if (
    permission === 'machine' ||
    (permission === 'instance' && !(await isOperator(deps.database.queries, person.id)))
  )
    throw new AppError('operator_missing')
  if (needsFresh) requireFresh(standing)
  return {
    kind: 'member',
    id: person.id,
    organizationId,
    plan,
    scopes: listRoleScopes(role),
    role,
    projectIds: null,
    provedAt,
    sessionId: person.sessionId,
  }
}

/** Admits anyone, signed in or not. Throws AppError `cross_site_refused`. */
export async function admitVisitor(
  deps: MemberAdmissionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor> {
  checkSameSite(request)
  const person = await findPerson(deps, request, reply)
  return { kind: 'visitor', id: `visitor:${request.ip}`, person }
}

async function findPerson(
  { signIn }: MemberAdmissionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Person | null> {
  const { person, cookies } = await signIn.personOf(request.headers.cookie)
  if (cookies.length > 0) reply.header('Set-Cookie', cookies)
  return person
}

/** Checks headers that browsers send and pages cannot change. Other programs do not send them. */
function checkSameSite(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOther = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (isOther || (origin !== undefined && URL.parse(origin)?.host !== request.host)) {
    throw new AppError('cross_site_refused')
  }
}
