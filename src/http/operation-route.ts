/**
 * Turns a row of the table of operations and its handler into a route. The order of checks: key, scope and address,
 * rate (admission, before the body is read) → shape → then the handler's own plan, existence and state.
 */

import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../base/api/operation.ts'
import { createEventStream, type ServerEvent, whileConnected } from '../routing/event-stream.ts'
import type { Answer, AnyHandler, Handlers, StreamAnswer } from '../routing/handler.ts'
import { withHead } from '../routing/method-refusals.ts'
import { addressOf, admissionOf, JSON_TYPE, queryStringOf } from '../routing/request-parts.ts'
import { compileShape } from '../routing/request-shape.ts'
import { admit } from './admission.ts'
import { answerWrite } from './answer-write.ts'
import { checkKeyProjects } from './key-projects.ts'
import type { OperationRoute, OperationRouteDeps } from './route.ts'

/** All of a table; the handlers are checked against it. */
export function addOperationRoutes<Table extends Record<string, Operation>>(
  app: FastifyInstance,
  deps: OperationRouteDeps,
  operations: Table,
  handlers: Handlers<Table>,
): void {
  for (const [id, operation] of Object.entries(operations))
    addOperationRoute(app, deps, operation, handlers[id] as AnyHandler)
}

function addOperationRoute(
  app: FastifyInstance,
  deps: OperationRouteDeps,
  operation: Operation,
  handler: AnyHandler,
): void {
  const { parse, handle } = typeof handler === 'function' ? { parse: undefined, handle: handler } : handler
  const route: OperationRoute = {
    operation,
    handle,
    shape: compileShape(operation, parse),
    atWork: new Set(),
  }
  app.route({
    method: withHead(operation.method),
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: {
      needsRoom: operation.method !== 'GET' && operation.method !== 'DELETE' && operation.needsRoom !== false,
    },
    async onRequest(request, reply) {
      request.admission = await admit(deps, operation, request, reply)
    },
    handler: (request, reply) =>
      operation.method === 'GET'
        ? answerRead(deps, route, request, reply)
        : answerWrite(deps, route, request, reply),
  })
}

/** GET and HEAD: shape, handler, answer; or a stream of events or text. */
async function answerRead(
  deps: OperationRouteDeps,
  route: OperationRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation, handle, shape } = route
  const { caller, isStillGiven } = admissionOf(request)
  const { query, parsed } = shape.check({
    params: request.params as Record<string, string>,
    queryString: queryStringOf(request),
    body: undefined,
  })
  const params = addressOf(shape, request)
  const db = deps.database.queries
  const lastEventId = request.headers['last-event-id'] as string | undefined
  let connected: AbortSignal | null = null
  const call = {
    ...{ db, caller, requestId: request.id, params, query, lastEventId },
    /** Made for who asks for it: most are done before it could end. */
    get signal() {
      connected ??= whileConnected(reply, deps.stopping)
      return connected
    },
  }
  await checkKeyProjects(db, caller, operation, params)
  reply.code(operation.success.status)
  const result = await handle(call, parsed)
  if (operation.success.contentTypes !== undefined) {
    const { bom } = query as { bom?: boolean }
    return sendStream(request, reply, result as StreamAnswer, bom === true)
  }
  if (operation.success.contentType !== 'text/event-stream') {
    const { body, headers = {} } = result as Answer<unknown>
    return reply.headers(headers).header('Content-Type', JSON_TYPE).send(JSON.stringify(body))
  }
  reply.header('Content-Type', 'text/event-stream; charset=utf-8')
  reply.header('X-Accel-Buffering', 'no') // Proxies that buffer would hold the events back.
  if (request.method === 'HEAD') return reply.send()
  const events = whileGiven(result as AsyncIterable<ServerEvent>, isStillGiven)
  return reply.send(createEventStream(events, { lastEventId, signal: call.signal }))
}

/** A key that is revoked, or a member who leaves, is told nothing from then on. Events that come together share a look. */
async function* whileGiven(
  events: AsyncIterable<ServerEvent>,
  isStillGiven: () => Promise<boolean>,
): AsyncGenerator<ServerEvent> {
  let isGiven = false
  for await (const event of events) {
    isGiven ||= await isStillGiven()
    if (!isGiven) return
    setImmediate(() => {
      isGiven = false
    })
    yield event
  }
}

function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamAnswer,
  hasMark: boolean,
): FastifyReply {
  const { contentType, body, headers = {} } = answer
  reply.headers(headers).header('Content-Type', `${contentType}; charset=utf-8`)
  if (request.method === 'HEAD') return reply.send()
  const pieces = hasMark && contentType === 'text/csv' ? behindMark(body) : body
  return reply.send(Readable.from(pieces, { objectMode: false }))
}

async function* behindMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield '\ufeff'
  yield* pieces
}
