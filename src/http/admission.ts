/**
 * Checks before anything of a request is read: key or session (401), scope and address or membership and role (403),
 * rate (429). Produces an Admission with the caller and the state of the limit.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS, type LimitName, type Limits, type OperationLimitName } from '../base/api/limits.ts'
import type { Operation } from '../base/api/operation.ts'
import { type Permission, requiredPermission, roleHasPermission } from '../base/api/roles.ts'
import { AppError } from '../base/errors/errors.ts'
import { networkPrefix } from '../base/net/address-network.ts'
import type { Database } from '../database/database.ts'
import { authenticate, type Credentials } from '../features/accounts/keys/authenticate.ts'
import { findSessionMembership } from '../features/accounts/people/session-memberships.ts'
import type { Admission, Caller, Visitor } from '../routing/caller.ts'
import { limitReached, type RateState, rateHeaders } from '../routing/rate-state.ts'
import { peekWindow, type RateWindow, takeForRead, takeFromWindow } from '../routing/rate-window.ts'
import { admitMember, admitVisitor, type MemberAdmissionDeps, wantsSession } from './member-admission.ts'

export interface AdmissionDeps extends MemberAdmissionDeps {
  database: Database
  limits: Limits
}

export async function admit(
  deps: AdmissionDeps,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Admission> {
  const caller = await identify(deps, operation, request, reply)
  const checkCaller = () => isStillValidCaller(deps, operation, request, caller)
  if (operation.limit === null) {
    return { caller, refusal: null, take: async () => null, isStillAuthorized: checkCaller }
  }
  const { counts } = operation.limit
  const name = limitOf(operation.limit.name, caller)
  const window = windowOf(deps, name, windowKeyOf(name, caller, request))
  const take = operation.method === 'GET' || operation.isQuery ? takeForRead : takeFromWindow
  const checkWindow = counts === 'request' ? take : peekWindow
  const also = operation.secondLimit
  // Looked at before: who is refused by one window takes no place in the other.
  if (also !== undefined) await passSecondLimit(deps, also, peekWindow, caller, request)
  const state: RateState = {
    ...(await checkWindow(deps.database.queries, window)),
    name,
    seconds: window.windowSeconds,
  }
  reply.headers(rateHeaders(state))
  const refusal = state.accepted ? null : limitReached(state)
  // A repeated call with an Idempotency-Key may already have a stored response, which does not count.
  const mayBeReplay = counts === 'accepted' && request.headers['idempotency-key'] !== undefined
  if (refusal !== null && !mayBeReplay) throw refusal
  if (also !== undefined) await passSecondLimit(deps, also, takeFromWindow, caller, request)
  return {
    caller,
    refusal,
    isStillAuthorized: checkCaller,
    async take(tx) {
      if (counts === 'request') return null
      const takenState: RateState = {
        ...(await takeFromWindow(tx, window)),
        name,
        seconds: window.windowSeconds,
      }
      if (!takenState.accepted) throw limitReached(takenState)
      return takenState
    },
  }
}

/** Throws AppError `rate_limited`. */
async function passSecondLimit(
  deps: AdmissionDeps,
  name: OperationLimitName,
  checkWindow: typeof peekWindow,
  caller: Caller | Visitor,
  request: FastifyRequest,
): Promise<void> {
  const window = windowOf(deps, name, windowKeyOf(name, caller, request))
  const verdict = await checkWindow(deps.database.queries, window)
  if (!verdict.accepted) throw limitReached({ ...verdict, name, seconds: window.windowSeconds })
}

function credentialsOf(operation: Operation, request: FastifyRequest): Credentials {
  return {
    authorization: request.headers.authorization,
    address: request.ip,
    scope: operation.method === 'GET' ? 'read' : 'write',
    takesAssistantKeys: operation.takesAssistantKeys === true,
    permission: requiredPermission(operation),
  }
}

/** The internal API only accepts sessions. The public API accepts a session instead of a key. */
function identify(
  deps: AdmissionDeps,
  operation: Operation & { permission?: Permission | null },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | Visitor> {
  const { permission = requiredPermission(operation), needsFresh } = operation
  if (permission === null) return admitVisitor(deps, request, reply)
  if (operation.permission !== undefined || wantsSession(request))
    return admitMember(deps, { permission, needsFresh }, request, reply)
  return checkKey(deps, operation, request)
}

/** Members' reads do not use up the limit shared by the organization's keys. */
function limitOf(name: OperationLimitName, caller: Caller | Visitor): OperationLimitName {
  return caller.kind === 'member' && (name === 'analytics' || name === 'reads') ? 'members' : name
}

async function checkKey(deps: AdmissionDeps, operation: Operation, request: FastifyRequest): Promise<Caller> {
  const credentials = credentialsOf(operation, request)
  const { authorization, scope } = credentials
  const verdict = await authenticate(deps.database.queries, credentials)
  switch (verdict.kind) {
    case 'ok':
      return verdict.caller
    case 'scope_missing':
      throw new AppError('scope_missing', { details: [{ message: `The key needs the scope \`${scope}\`` }] })
    case 'maker_role_missing':
      throw new AppError('maker_role_missing')
    case 'address_refused':
      throw new AppError('address_refused')
    case 'unauthorized':
      if (authorization !== undefined) await countFailedKey(deps, request.ip)
      throw new AppError('unauthorized')
  }
}

async function isStillValidCaller(
  { database: { queries } }: AdmissionDeps,
  operation: Operation & { permission?: Permission | null },
  request: FastifyRequest,
  caller: Caller | Visitor,
): Promise<boolean> {
  if (caller.kind === 'visitor') return true
  if (caller.kind === 'key')
    return (await authenticate(queries, credentialsOf(operation, request))).kind === 'ok'
  const { id: userId, sessionId = '', organizationId } = caller
  const standing = await findSessionMembership(queries, { userId, sessionId, organizationId })
  return (
    standing !== null &&
    roleHasPermission(standing.role, operation.permission ?? requiredPermission(operation))
  )
}

/** Limits guessing by address, but never refuses a valid key from the same address. */
async function countFailedKey(deps: AdmissionDeps, address: string): Promise<void> {
  const window = windowOf(deps, 'failedKeys', networkPrefix(address))
  const verdict = await takeForRead(deps.database.queries, window)
  if (!verdict.accepted) throw limitReached({ ...verdict, name: 'failedKeys', seconds: window.windowSeconds })
}

/** Returns the key of the callers that share the window. Visitors are only identified by address. */
function windowKeyOf(name: OperationLimitName, caller: Caller | Visitor, request: FastifyRequest): string {
  if (caller.kind === 'visitor') return networkPrefix(request.ip)
  switch (LIMITS[name].sharedBy) {
    case 'caller':
      return caller.id
    case 'project': {
      const { projectId } = request.params as { projectId: string }
      return `${caller.organizationId}:${projectId}`
    }
    case 'organization':
      return caller.organizationId
    case 'address':
      return networkPrefix(request.ip)
  }
}

function windowOf(deps: AdmissionDeps, name: LimitName, windowKey: string): RateWindow {
  const { count, seconds } = deps.limits[name]
  return { bucket: `${name}:${windowKey}`, limit: count, windowSeconds: seconds }
}
