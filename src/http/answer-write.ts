/**
 * Runs POST, PATCH and DELETE. One transaction contains the change, its audit log row, the rate limit count
 * and the Idempotency-Key record. The response is sent after the commit.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../base/api/operation.ts'
import { AppError } from '../base/errors/errors.ts'
import { completeAudit } from '../database/audit.ts'
import type { Tx } from '../database/database.ts'
import type { ListedOperation } from '../features/operations.ts'
import type { Caller, Visitor } from '../routing/caller.ts'
import { whileConnected } from '../routing/event-stream.ts'
import type { AuditDetails, HandlerResponse, ResponseWithStream } from '../routing/handler.ts'
import { type IdempotentCall, type StoredResponse, withIdempotency } from '../routing/idempotency.ts'
import {
  getIdempotencyKey,
  idempotentCall,
  inProgressError,
  requireResponse,
} from '../routing/idempotency-key.ts'
import { type RateState, rateHeaders } from '../routing/rate-limit-headers.ts'
import type { ReceivedBody } from '../routing/request-body.ts'
import { getAdmission, getQueryString, JSON_TYPE, parsePathParams } from '../routing/request-parts.ts'
import { checkKeyProjects } from './key-projects.ts'
import type { OperationRoute, OperationRouteDeps } from './route.ts'
import { sendStream } from './send-stream.ts'

export async function handleWrite(
  deps: OperationRouteDeps,
  route: OperationRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation, handle, shape, replay } = route
  const { caller, refusal, take, isStillAuthorized: isStillGiven } = getAdmission(request)
  const received = request.body as ReceivedBody | undefined
  const idempotencyKey = getIdempotencyKey(request)
  const given = {
    params: request.params as Record<string, string>,
    queryString: getQueryString(request),
    body: received?.json,
    idempotencyKey,
  }
  // Once the limit is reached, only a stored response can be returned, so the input is not validated.
  const checked = refusal === null ? shape.check(given) : null

  const run: Run = async (tx) => {
    if (checked === null) throw refusal
    const params = parsePathParams(shape, request)
    const { parsed, ...shaped } = checked
    await checkKeyProjects(tx, caller, operation, params)
    if (caller.kind !== 'visitor') await refuseArchived(tx, operation, caller.organizationId, params)
    const call = { tx, caller, requestId: request.id, params, ...shaped }
    const { body, headers = {}, audit, ...more } = (await handle(call, parsed)) as HandlerResponse<unknown>
    await recordOperation(tx, operation, caller, params, audit)
    const answer = { status: operation.success.status, headers, body: JSON.stringify(body) }
    return {
      answer,
      rate: await take(tx),
      stream: 'stream' in more ? (more as ResponseWithStream).stream : null,
    }
  }
  const done =
    idempotencyKey === undefined
      ? { ...(await deps.database.transaction(run)), isReplay: false }
      : await runIdempotently(
          deps,
          route,
          idempotentCall(request, { callerId: caller.id, key: idempotencyKey, bytes: received?.bytes }),
          run,
        )
  const { answer, rate, isReplay } = done
  if (isReplay) reply.header('Idempotent-Replayed', 'true')
  if (rate !== null) reply.headers(rateHeaders(rate))
  reply.code(answer.status).headers(answer.headers)
  if (replay === null) return reply.header('Content-Type', JSON_TYPE).send(answer.body)
  const signal = whileConnected(reply, deps.stopping)
  const stream = done.stream?.(signal) ?? (await replay(JSON.parse(answer.body), signal))
  return sendStream(request, reply, stream, { signal, isStillGiven })
}

/**
 * Refuses changes to archived projects, which can only be read and deleted. Locks the project until the
 * transaction ends, so that it cannot be archived during the change. Throws `project_archived`.
 */
async function refuseArchived(
  tx: Tx,
  operation: Operation,
  organizationId: string,
  params: Readonly<Record<string, string>> | null,
): Promise<void> {
  const projectId = params?.projectId
  if (projectId === undefined || operation.method === 'DELETE' || operation.ofArchived === 'allowed') return
  const project = await tx
    .selectFrom('all_projects')
    .select('archived_at')
    .where('id', '=', projectId)
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  if (project?.archived_at != null) throw new AppError('project_archived')
}

interface Done {
  answer: StoredResponse
  rate: RateState | null
  stream: ResponseWithStream['stream'] | null
}
type Run = (tx: Tx) => Promise<Done>

async function runIdempotently(
  deps: OperationRouteDeps,
  { atWork, operation }: OperationRoute,
  call: IdempotentCall,
  run: Run,
): Promise<Done & { isReplay: boolean }> {
  // Detects repeated calls in this process without a query. The database detects calls repeated in other processes.
  const sealContext = JSON.stringify([call.callerId, call.path, call.key])
  const name = `${call.method} ${sealContext}`
  if (atWork.has(name)) throw inProgressError()
  atWork.add(name)
  const seal = operation.success.isSecret === true ? createResponseSealer(deps, sealContext) : null
  let first: Done | null = null
  const outcome = await deps.database
    .transaction((tx) =>
      withIdempotency(tx, call, async () => {
        first = await run(tx)
        return seal?.close(first.answer) ?? first.answer
      }),
    )
    .finally(() => atWork.delete(name))
  const { kind, answer } = requireResponse(outcome)
  if (kind === 'replay')
    return { answer: seal?.open(answer) ?? answer, rate: null, stream: null, isReplay: true }
  return { ...(first as unknown as Done), isReplay: false }
}

/** Encrypts responses that contain a secret, because they are stored for retries. */
function createResponseSealer({ storedResponses: responses }: OperationRouteDeps, sealContext: string) {
  return {
    close: (answer: StoredResponse): StoredResponse => ({
      ...answer,
      body: responses.seal(Buffer.from(answer.body), sealContext).toString('base64'),
    }),
    open(answer: StoredResponse): StoredResponse {
      const body = responses.open(Buffer.from(answer.body, 'base64'), sealContext)
      // The secret of the node has changed since the response was stored.
      if (body === null) throw new AppError('idempotency_body_differs')
      return { ...answer, body: body.toString() }
    },
  }
}

// All audit log rows for changes over HTTP are added here.

/**
 * Writes the audit log row in the transaction of the change, unless the handler has already written one for
 * the caller. Visitors and the operator of the server belong to no organization, so their handlers write a
 * row for each organization concerned.
 */
async function recordOperation(
  tx: Tx,
  operation: Operation,
  caller: Caller | Visitor,
  params: Readonly<Record<string, string>>,
  { subject, details }: AuditDetails = {},
): Promise<void> {
  const { audit: action } = operation as ListedOperation
  if (typeof action !== 'string' || caller.kind === 'visitor') return
  const { organizationId, id: actor } = caller
  if (organizationId === '') return
  const named = Object.values(params).at(-1)
  const { projectId } = params
  await completeAudit(tx, {
    organizationId,
    actor,
    action,
    subject: subject ?? named ?? organizationId,
    details: { ...(projectId === undefined ? {} : { projectId }), ...details },
  })
}
