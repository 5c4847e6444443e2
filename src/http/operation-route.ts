/**
 * Creates the route of an operation. Order of checks: key, scope and IP address, rate limit, all before the
 * body is read; then the shape; then the handler's checks of plan, existence and state.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../base/api/operation.ts'
import { whileConnected } from '../routing/event-stream.ts'
import type { AnyHandler, HandlerResponse, Handlers, Stream } from '../routing/handler.ts'
import { getIdempotencyKey } from '../routing/idempotency-key.ts'
import { withHead } from '../routing/method-refusals.ts'
import type { ReceivedBody } from '../routing/request-body.ts'
import { getAdmission, getQueryString, JSON_TYPE, parsePathParams } from '../routing/request-parts.ts'
import { compileShape } from '../routing/request-shape.ts'
import { admit } from './admission.ts'
import { handleWrite } from './answer-write.ts'
import { checkKeyProjects } from './key-projects.ts'
import type { OperationRoute, OperationRouteDeps } from './route.ts'
import { sendStream } from './send-stream.ts'

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
  const { parse, handle, replay = null } = typeof handler === 'function' ? { handle: handler } : handler
  const route: OperationRoute = {
    operation,
    ...{ handle, replay },
    shape: compileShape(operation, parse),
    atWork: new Set(),
  }
  app.route({
    method: withHead(operation.method),
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(operation.maxBodyBytes === undefined ? {} : { bodyLimit: operation.maxBodyBytes }),
    config: {
      needsRoom:
        operation.method !== 'GET' &&
        !operation.isQuery &&
        operation.method !== 'DELETE' &&
        operation.needsRoom !== false,
    },
    async onRequest(request, reply) {
      reply.headers(deprecationHeaders(operation, request.params as Record<string, string>))
      request.admission = await admit(deps, operation, request, reply)
    },
    handler: (request, reply) =>
      operation.method === 'GET' || operation.isQuery
        ? handleRead(deps, route, request, reply)
        : handleWrite(deps, route, request, reply),
  })
}

/** Handles GET, HEAD, and queries with a body. The response is JSON or a stream of events or text. */
async function handleRead(
  deps: OperationRouteDeps,
  route: OperationRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation, handle, shape } = route
  const { caller, isStillAuthorized: isAuthorized } = getAdmission(request)
  const received = request.body as ReceivedBody | undefined
  const { query, body, parsed } = shape.check({
    params: request.params as Record<string, string>,
    queryString: getQueryString(request),
    body: received?.json,
    idempotencyKey: operation.isQuery ? getIdempotencyKey(request) : undefined,
  })
  const params = parsePathParams(shape, request)
  const db = deps.database.queries
  const lastEventId = request.headers['last-event-id'] as string | undefined
  let connected: AbortSignal | null = null
  const call = {
    ...{ db, caller, requestId: request.id, params, query, body, lastEventId },
    /** Created on first use, because most calls finish without it. */
    get signal() {
      connected ??= whileConnected(reply, deps.stopping)
      return connected
    },
  }
  await checkKeyProjects(db, caller, operation, params)
  reply.code(operation.success.status)
  const result = await handle(call, parsed)
  if (operation.success.contentTypes === undefined && operation.success.contentType !== 'text/event-stream') {
    const { body, headers = {} } = result as HandlerResponse<unknown>
    return reply.headers(headers).header('Content-Type', JSON_TYPE).send(JSON.stringify(body))
  }
  const { bom: hasByteOrderMark = false } = query as { bom?: boolean }
  return sendStream(request, reply, result as Stream, {
    signal: call.signal,
    isStillGiven: isAuthorized,
    hasMark: hasByteOrderMark,
  })
}

function deprecationHeaders(
  { deprecated }: Operation,
  params: Readonly<Record<string, string>>,
): Record<string, string> {
  if (deprecated === undefined) return {}
  const { since, sunset, by } = deprecated
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${by.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}>; rel="successor-version"`,
  }
}
