/**
 * Turns a row of the table of operations and its handler into a route. The order of checks is the order of this file:
 * key, scope and address, rate (admission, before the body is read) → shape → then the handler's own plan, existence
 * and state.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type StoredAnswer, withIdempotency } from '../accounts/idempotency.ts'
import { sha256 } from '../base/hash.ts'
import { AppError } from '../contract/errors.ts'
import type { Operation } from '../contract/operations.ts'
import type { Tx } from '../database/database.ts'
import { type Admission, type AdmissionDeps, admit } from './admission.ts'
import { createEventStream, type ServerEvent } from './event-stream.ts'
import type { Answer } from './handler.ts'
import { type RateState, setRateHeaders } from './rate-headers.ts'
import type { ReceivedBody } from './request-body.ts'
import { compileShape, type RequestShape } from './request-shape.ts'

export interface OperationRouteDeps extends AdmissionDeps {
  /** Ends when the server stops: streams end with it. */
  stopping: AbortSignal
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** A handler whose row is not known statically; `Handlers<Table>` has checked that it fits its row. */
export type AnyHandler = (call: never) => Promise<unknown>

interface Route {
  operation: Operation
  handler: (call: object) => Promise<unknown>
  shape: RequestShape
}

export function addOperationRoute(
  app: FastifyInstance,
  deps: OperationRouteDeps,
  operation: Operation,
  handler: AnyHandler,
): void {
  const route: Route = {
    operation,
    handler: handler as unknown as Route['handler'],
    shape: compileShape(operation),
  }
  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    async onRequest(request, reply) {
      request.admission = await admit(deps, operation, request, reply)
    },
    handler: (request, reply) =>
      operation.method === 'GET'
        ? answerRead(deps, route, request, reply)
        : answerWrite(deps, route, request, reply),
  })
}

async function answerRead(
  deps: OperationRouteDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation, handler, shape } = route
  const { caller } = admissionOf(request)
  const { query } = shape.check({ queryString: queryStringOf(request), body: undefined })
  const params = addressOf(route, request)
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, deps.stopping])
  const result = await handler({
    db: deps.database.queries,
    caller,
    requestId: request.id,
    params,
    query,
    signal,
  })
  if (operation.success.contentType !== 'text/event-stream') {
    const { body, headers = {} } = result as Answer<unknown>
    return reply
      .code(operation.success.status)
      .headers(headers)
      .header('Content-Type', JSON_TYPE)
      .send(JSON.stringify(body))
  }

  reply.code(operation.success.status).header('Content-Type', 'text/event-stream; charset=utf-8')
  reply.header('X-Accel-Buffering', 'no') // Proxies that buffer would hold the events back.
  if (request.method === 'HEAD') return reply.send('')
  const lastEventId = request.headers['last-event-id']
  return reply.send(
    createEventStream(result as AsyncIterable<ServerEvent>, {
      lastEventId: String(lastEventId ?? ''),
      signal,
    }),
  )
}

async function answerWrite(
  deps: OperationRouteDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation, handler, shape } = route
  const { caller, refusal, take } = admissionOf(request)
  const received = request.body as ReceivedBody | undefined
  const idempotencyKey = request.headers['idempotency-key'] as string | undefined
  const given = { queryString: queryStringOf(request), body: received?.json, idempotencyKey }
  // With the limit full, only the answer of an earlier call is left to give: the shape does not matter any more.
  const checked = refusal === null ? shape.check(given) : null

  let rate: RateState | null = null
  const run = async (tx: Tx): Promise<StoredAnswer> => {
    if (checked === null) throw refusal
    const params = addressOf(route, request)
    const call = { tx, caller, requestId: request.id, params, ...checked }
    const { body, headers = {} } = (await handler(call)) as Answer<unknown>
    rate = await take(tx)
    return { status: operation.success.status, headers, body: JSON.stringify(body) }
  }
  const outcome = await deps.database.transaction(async (tx) => {
    if (idempotencyKey === undefined) return { kind: 'first' as const, answer: await run(tx) }
    return withIdempotency(tx, idempotentCall(request, caller.keyId, idempotencyKey, received), () => run(tx))
  })
  if (rate !== null) setRateHeaders(reply, rate)
  switch (outcome.kind) {
    case 'busy':
      throw new AppError('idempotency.in_progress', { headers: { 'Retry-After': '1' } })
    case 'mismatch':
      throw new AppError('idempotency.body_differs')
    case 'replay':
      reply.header('Idempotent-Replayed', 'true')
  }
  const { status, headers, body } = outcome.answer
  return reply.code(status).headers(headers).header('Content-Type', JSON_TYPE).send(body)
}

function idempotentCall(
  request: FastifyRequest,
  callerId: string,
  key: string,
  received: ReceivedBody | undefined,
) {
  return {
    callerId,
    key,
    method: request.method,
    path: pathOf(request),
    bodyHash: sha256(received?.bytes ?? ''),
  }
}

/** The parts of the path. One that cannot name anything names a thing that does not exist. */
function addressOf({ shape }: Route, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>
  if (!shape.isAddress(params)) throw new AppError('not_found')
  return params
}

function admissionOf(request: FastifyRequest): Admission {
  if (request.admission === null) throw new Error('the route was reached without its key check')
  return request.admission
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] as string
}

function queryStringOf(request: FastifyRequest): string {
  return request.url.slice(pathOf(request).length + 1)
}
