/**
 * Turns a row of the table of operations and its handler into a route. The order of checks: key, scope and address,
 * rate (admission, before the body is read) → shape → then the handler's own plan, existence and state.
 */
import type { FastifyInstance } from 'fastify'
import type { SecretBox } from '../base/secret-box.ts'
import type { Fault } from '../contract/fault.ts'
import type { Operation } from '../contract/operations.ts'
import { type AdmissionDeps, admit } from './admission.ts'
import { answerRead } from './answer-read.ts'
import { answerWrite } from './answer-write.ts'
import { compileShape, type GivenShape, type RequestShape } from './request-shape.ts'

export interface OperationRouteDeps extends AdmissionDeps {
  /** Ends when the server stops: streams end with it. */
  stopping: AbortSignal
  /** For answers with a secret that are kept for a repetition. */
  keptAnswers: SecretBox
}

/** What a schema cannot say of a request: one sentence for each thing wrong, beside those of the schema. */
export type ShapeRule = (given: GivenShape) => Fault[]

/** A handler whose row is not known statically; `Handlers<Table>` has checked that it fits its row. */
export type AnyHandler = (call: never) => Promise<unknown>

export interface OperationRoute {
  operation: Operation
  handler: (call: object) => Promise<unknown>
  shape: RequestShape
  /** Calls with an Idempotency-Key that are at work in this process. */
  atWork: Set<string>
}

export function addOperationRoute(
  app: FastifyInstance,
  deps: OperationRouteDeps,
  operation: Operation,
  handler: AnyHandler,
  rule?: ShapeRule,
): void {
  const route: OperationRoute = {
    operation,
    handler: handler as unknown as OperationRoute['handler'],
    shape: compileShape(operation, rule),
    atWork: new Set(),
  }
  app.route({
    method: operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method,
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
