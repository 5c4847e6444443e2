/**
 * POST, PATCH and DELETE: handler, audit log row, rate limit count and Idempotency-Key record in one transaction. The
 * response is sent after its commit.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../base/api/operation.ts'
import { AppError } from '../base/errors/errors.ts'
import { completeAudit } from '../database/audit.ts'
import type { Tx } from '../database/database.ts'
import type { Caller, Visitor } from '../routing/caller.ts'
import { whileConnected } from '../routing/event-stream.ts'
import type { Answer, AuditDetails, Begun } from '../routing/handler.ts'
import { type IdempotentCall, type StoredAnswer, withIdempotency } from '../routing/idempotency.ts'
import {
  idempotencyKeyOf,
  idempotentCall,
  inProgressError,
  requireAnswer,
} from '../routing/idempotency-key.ts'
import { type RateState, rateHeaders } from '../routing/rate-state.ts'
import type { ReceivedBody } from '../routing/request-body.ts'
import { admissionOf, JSON_TYPE, pathParamsOf, queryStringOf } from '../routing/request-parts.ts'
import { refuseArchived } from './archived-projects.ts'
import { checkKeyProjects } from './key-projects.ts'
import type { OperationRoute, OperationRouteDeps } from './route.ts'
import { sendStream } from './send-stream.ts'

export async function answerWrite(
  deps: OperationRouteDeps,
  route: OperationRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation, handle, shape, replay } = route
  const { caller, refusal, take, isStillAuthorized: isStillGiven } = admissionOf(request)
  const received = request.body as ReceivedBody | undefined
  const idempotencyKey = idempotencyKeyOf(request)
  const given = {
    params: request.params as Record<string, string>,
    queryString: queryStringOf(request),
    body: received?.json,
    idempotencyKey,
  }
  // If the limit is reached, only a stored response can be returned, so the shape no longer matters.
  const checked = refusal === null ? shape.check(given) : null

  const run: Run = async (tx) => {
    if (checked === null) throw refusal
    const params = pathParamsOf(shape, request)
    const { parsed, ...shaped } = checked
    await checkKeyProjects(tx, caller, operation, params)
    if (caller.kind !== 'visitor') await refuseArchived(tx, operation, caller.organizationId, params)
    const call = { tx, caller, requestId: request.id, params, ...shaped }
    const { body, headers = {}, audit, ...more } = (await handle(call, parsed)) as Answer<unknown>
    await recordOperation(tx, operation, caller, params, audit)
    const answer = { status: operation.success.status, headers, body: JSON.stringify(body) }
    return { answer, rate: await take(tx), stream: 'stream' in more ? (more as Begun).stream : null }
  }
  const done =
    idempotencyKey === undefined
      ? { ...(await deps.database.transaction(run)), isReplay: false }
      : await answerOnce(
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

interface Done {
  answer: StoredAnswer
  rate: RateState | null
  /** Null for a repetition, and for what is answered at once. */
  stream: Begun['stream'] | null
}
type Run = (tx: Tx) => Promise<Done>

async function answerOnce(
  deps: OperationRouteDeps,
  { atWork, operation }: OperationRoute,
  call: IdempotentCall,
  run: Run,
): Promise<Done & { isReplay: boolean }> {
  // The database resolves conflicts between servers. Within this one, repeated calls are refused without a query.
  const sealContext = JSON.stringify([call.callerId, call.path, call.key])
  const name = `${call.method} ${sealContext}`
  if (atWork.has(name)) throw inProgressError()
  atWork.add(name)
  const seal = operation.success.isSecret === true ? createSeal(deps, sealContext) : null
  let first: Done | null = null
  const outcome = await deps.database
    .transaction((tx) =>
      withIdempotency(tx, call, async () => {
        first = await run(tx)
        return seal?.close(first.answer) ?? first.answer
      }),
    )
    .finally(() => atWork.delete(name))
  const { kind, answer } = requireAnswer(outcome)
  if (kind === 'replay')
    return { answer: seal?.open(answer) ?? answer, rate: null, stream: null, isReplay: true }
  return { ...(first as unknown as Done), isReplay: false }
}

/** Encrypts responses that contain a secret shown only once, since they are stored for retries. */
function createSeal({ storedResponses: keptAnswers }: OperationRouteDeps, sealContext: string) {
  return {
    close: (answer: StoredAnswer): StoredAnswer => ({
      ...answer,
      body: keptAnswers.seal(Buffer.from(answer.body), sealContext).toString('base64'),
    }),
    open(answer: StoredAnswer): StoredAnswer {
      const body = keptAnswers.open(Buffer.from(answer.body, 'base64'), sealContext)
      // The node's secret has changed since.
      if (body === null) throw new AppError('idempotency_body_differs')
      return { ...answer, body: body.toString() }
    },
  }
}

// The only code that adds audit log rows for changes over HTTP, according to the operation.

/**
 * Writes the audit row in the transaction of the change. Rows that a domain has written for the caller are kept as
 * they are. A visitor acts for no organization, so the domains themselves write a row for each one concerned.
 */
async function recordOperation(
  tx: Tx,
  { audit: action }: Operation,
  caller: Caller | Visitor,
  params: Readonly<Record<string, string>>,
  { subject, details }: AuditDetails = {},
): Promise<void> {
  if (typeof action !== 'string' || caller.kind === 'visitor') return
  const { organizationId, id: actor } = caller
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
