/**
 * Checks a request before its body is read: key, session or signature (401), scope and allowed IP addresses,
 * or membership and role (403), rate limit (429).
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../base/api/operation.ts'
import { type Permission, requiredPermission, roleHasPermission } from '../base/api/roles.ts'
import { AppError } from '../base/errors/errors.ts'
import { createFault } from '../base/errors/fault.ts'
import { networkPrefix } from '../base/net/address-network.ts'
import { authenticate, type Credentials } from '../features/accounts/keys/authenticate.ts'
import { findSessionMembership } from '../features/accounts/people/session-memberships.ts'
import { LIMITS, type LimitName, type Limits, type OperationLimitName } from '../features/limits.ts'
import type { ListedOperation } from '../features/operations.ts'
import type { Admission, Caller, Visitor } from '../routing/caller.ts'
import { limitReached, type RateState, rateHeaders } from '../routing/rate-limit-headers.ts'
import { consumeForRead, consumeSlot, peekWindow, type RateWindow } from '../routing/rate-window.ts'
import { admitMember, admitVisitor, type MemberAdmissionDeps, wantsSession } from './member-admission.ts'
import { admitOperator, isOperatorCall, type OperatorAdmissionDeps } from './operator-admission.ts'

export interface AdmissionDeps extends MemberAdmissionDeps, OperatorAdmissionDeps {
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
  const { limit, secondLimit: also } = operation as ListedOperation
  if (limit === null || caller.kind === 'operator') {
    return { caller, refusal: null, take: async () => null, isStillAuthorized: checkCaller }
  }
  const { counts } = limit
  const name = resolveLimitName(limit.name, caller)
  const window = windowOf(deps, name, getRateWindowKey(name, caller, request))
  const take = operation.method === 'GET' || operation.isQuery ? consumeForRead : consumeSlot
  const checkWindow = counts === 'request' ? take : peekWindow
  // Only peeks, so that a request refused by one of the limits does not count towards the other.
  if (also !== undefined) await enforceSecondLimit(deps, also, peekWindow, caller, request)
  const state: RateState = {
    ...(await checkWindow(deps.database.queries, window)),
    name,
    seconds: window.windowSeconds,
  }
  reply.headers(rateHeaders(state))
  const refusal = state.accepted ? null : limitReached(state)
  // Stored responses for an Idempotency-Key are returned even when the limit is reached.
  const mayBeReplay = counts === 'accepted' && request.headers['idempotency-key'] !== undefined
  if (refusal !== null && !mayBeReplay) throw refusal
  if (also !== undefined) await enforceSecondLimit(deps, also, consumeSlot, caller, request)
  return {
    caller,
    refusal,
    isStillAuthorized: checkCaller,
    async take(tx) {
      if (counts === 'request') return null
      const takenState: RateState = {
        ...(await consumeSlot(tx, window)),
        name,
        seconds: window.windowSeconds,
      }
      if (!takenState.accepted) throw limitReached(takenState)
      return takenState
    },
  }
}

async function enforceSecondLimit(
  deps: AdmissionDeps,
  name: OperationLimitName,
  checkWindow: typeof peekWindow,
  caller: Caller | Visitor,
  request: FastifyRequest,
): Promise<void> {
  const window = windowOf(deps, name, getRateWindowKey(name, caller, request))
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

/** Identifies the caller. The public API accepts keys and sessions, the internal API only sessions. */
function identify(
  deps: AdmissionDeps,
  operation: Operation & { permission?: Permission | null },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | Visitor> {
  const { permission = requiredPermission(operation), needsFresh, ownerTable } = operation
  if (permission === null) return admitVisitor(deps, request, reply)
  if (isOperatorCall(request)) return admitOperator(deps, { permission, ownerTable }, request)
  if (operation.permission !== undefined || wantsSession(request))
    return admitMember(deps, { permission, needsFresh }, request, reply)
  return checkKey(deps, operation, request)
}

/**
 * Uses a separate limit for reads by members, so that they do not exhaust the limit of the organization's
 * keys.
 */
function resolveLimitName(name: OperationLimitName, caller: Caller | Visitor): OperationLimitName {
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
      throw new AppError('scope_missing', { details: [createFault('scope_needed', { scope })] })
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
  if (caller.kind === 'visitor' || caller.kind === 'operator') return true
  if (caller.kind === 'key')
    return (await authenticate(queries, credentialsOf(operation, request))).kind === 'ok'
  const { id: userId, sessionId = '', organizationId } = caller
  const standing = await findSessionMembership(queries, { userId, sessionId, organizationId })
  return (
    standing !== null &&
    roleHasPermission(standing.role, operation.permission ?? requiredPermission(operation))
  )
}

/** Counts failed keys by address, to limit guessing. Valid keys from the same address are still accepted. */
async function countFailedKey(deps: AdmissionDeps, address: string): Promise<void> {
  const window = windowOf(deps, 'failedKeys', networkPrefix(address))
  const verdict = await consumeForRead(deps.database.queries, window)
  if (!verdict.accepted) throw limitReached({ ...verdict, name: 'failedKeys', seconds: window.windowSeconds })
}

/**
 * Returns the key of the window, which depends on how the limit is shared. Visitors are limited by address.
 */
function getRateWindowKey(
  name: OperationLimitName,
  caller: Caller | Visitor,
  request: FastifyRequest,
): string {
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
