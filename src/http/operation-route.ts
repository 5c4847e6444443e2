/**
 * Turns a row of the table of operations and its handler into a route. The order of checks: key, scope and address,
 * rate (admission, before the body is read) → shape → then the handler's own plan, existence and state.
 */

import type { FastifyInstance } from 'fastify'
import type { Operation } from '../base/api/operation.ts'
import type { AnyHandler, Handlers } from '../routing/handler.ts'
import { withHead } from '../routing/method-refusals.ts'
import { compileShape } from '../routing/request-shape.ts'
import { admit } from './admission.ts'
import { answerRead } from './answer-read.ts'
import { answerWrite } from './answer-write.ts'
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
