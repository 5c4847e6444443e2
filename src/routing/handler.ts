/** Types of a handler's input and result, derived from its operation. */
import type { Static, TSchema } from 'typebox'
import type { Operation } from '../base/api/operation.ts'
import type { Fault } from '../base/errors/fault.ts'
import type { Queries, Tx } from '../database/database.ts'
import type { Caller, Visitor } from './caller.ts'
import type { ServerEvent } from './event-stream.ts'
import type { ParseRequest, UncheckedRequest } from './request-shape.ts'

type Part<Schema> = Schema extends TSchema ? Static<Schema> : null

interface Call<Op extends Operation> {
  caller: Op extends { permission: null } ? Visitor : Caller
  requestId: string
  params: Part<Op['params']>
  query: Part<Op['query']>
}

/** GET: reads outside any transaction. `signal` aborts when the client disconnects or the server stops. */
export interface ReadCall<Op extends Operation> extends Call<Op> {
  db: Queries
  signal: AbortSignal
  /** `Last-Event-ID` header of a client that reconnects to an event stream; undefined for a new client. */
  lastEventId: string | undefined
}

/** A POST that changes nothing: like a GET, but with a body. */
interface QueryCall<Op extends Operation> extends ReadCall<Op> {
  body: Part<Op['body']>
}

/** POST, PATCH, DELETE: runs in one transaction, which is committed before the response is sent. */
export interface WriteCall<Op extends Operation> extends Call<Op> {
  tx: Tx
  body: Part<Op['body']>
}

/** Result of a handler. The status is defined by the operation. */
export interface HandlerResponse<Body> {
  body: Body
  headers?: Record<string, string>
  audit?: AuditDetails
}

export interface AuditDetails {
  /** Id of the changed object. Defaults to the last path parameter. */
  subject?: string
  /** Must never contain a secret. */
  details?: Record<string, unknown>
}

export interface StreamResponse {
  contentType: string
  body: AsyncIterable<string>
  headers?: Record<string, string>
}

type Success<Op extends Operation> = Static<Op['success']['schema']>

/**
 * Rejects a request by throwing AppError. A stream of events or text can be rejected in this way only before its
 * first chunk.
 */
export type Handler<Op extends Operation> = Op['method'] extends 'GET'
  ? Op['success'] extends { contentType: 'text/event-stream' }
    ? (call: ReadCall<Op>) => Promise<AsyncIterable<ServerEvent>>
    : Op['success'] extends { contentTypes: readonly string[] }
      ? (call: ReadCall<Op>) => Promise<StreamResponse>
      : (call: ReadCall<Op>) => Promise<HandlerResponse<Success<Op>>>
  : Op extends { isQuery: true }
    ? (call: QueryCall<Op>) => Promise<HandlerResponse<Success<Op>>>
    : Op['success'] extends StreamSuccess
      ? (call: WriteCall<Op>) => Promise<ResponseWithStream>
      : (call: WriteCall<Op>) => Promise<HandlerResponse<Success<Op>>>

type StreamSuccess = { contentType: 'text/event-stream' } | { contentTypes: readonly string[] }

export type Stream = AsyncIterable<ServerEvent> | StreamResponse

/** Streamed response to a POST, started once its transaction is committed. */
export interface ResponseWithStream extends HandlerResponse<object> {
  stream(signal: AbortSignal): Stream
}

export type CallOf<Op extends Operation> = Parameters<Handler<Op>>[0]

export type ResponseOf<Op extends Operation> = ReturnType<Handler<Op>>

/** A handler that also receives a value parsed from the request, for input that schemas cannot describe. */
interface ParsingHandler<Op extends Operation> {
  parse: ParseRequest
  handle(call: CallOf<Op>, value: unknown): ResponseOf<Op>
}

/** One handler for each operation; a missing one is a type error. */
export type Handlers<Table extends Record<string, Operation>> = {
  [Id in keyof Table]: Table[Id] extends { method: 'POST'; success: StreamSuccess }
    ? StreamingHandler<Table[Id]>
    : Handler<Table[Id]> | ParsingHandler<Table[Id]>
}

/**
 * Handler of a POST that responds with a stream. With an Idempotency-Key, the body of its result is stored,
 * and `replay` creates the stream for a repeated request from that body.
 */
interface StreamingHandler<Op extends Operation> {
  parse?: ParseRequest
  handle(call: CallOf<Op>, value: unknown): ResponseOf<Op>
  replay: Replay
}

/** Throws AppError while the first request is still running. */
export type Replay = (body: unknown, signal: AbortSignal) => Promise<Stream>

export function parsing<Value, Call, Result>(
  parse: ParseRequest<Value>,
  handle: (call: Call, value: Value) => Result,
): { parse: ParseRequest<Value>; handle(call: Call, value: Value): Result } {
  return { parse, handle }
}

export function validating<Call, Result>(
  rule: (given: UncheckedRequest) => Fault[],
  handle: (call: Call) => Result,
): { parse: ParseRequest<null>; handle(call: Call): Result } {
  return { parse: (given) => ({ value: null, faults: rule(given) }), handle }
}

/**
 * Handlers of operations that are not statically known. `Handlers<Table>` has checked that each matches its
 * operation.
 */
export type AnyHandle = (call: object, value: unknown) => Promise<unknown>
export type AnyHandler = AnyHandle | { parse?: ParseRequest; handle: AnyHandle; replay?: Replay }

/** Returns the `Location` header of an object: the URL of the operation that reads it. */
export function locationHeader(
  { publicUrl }: { publicUrl: () => string },
  { path }: { path: string },
  params: Readonly<Record<string, string>>,
): { Location: string } {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return { Location: publicUrl() + filled }
}
