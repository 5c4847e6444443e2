/** Typed calls of operations. At run time, only the paths of the operation table are needed. */
import type { Static, TSchema } from 'typebox'
import type { Operation } from '../base/api/operation.ts'
import { type Call, type Caller, toQueryString } from './call.ts'

type Table = Readonly<Record<string, Operation>>

/** Maps each operation to `GET /v1/things/{id}`. */
export type Addresses<Operations extends Table> = {
  readonly [Id in keyof Operations]: `${Operations[Id]['method']} ${Operations[Id]['path']}`
}

type Part<Name extends string, Schema> = Schema extends TSchema
  ? Record<never, never> extends Static<Schema>
    ? { [Key in Name]?: Static<Schema> }
    : { [Key in Name]: Static<Schema> }
  : unknown

/** Input of an operation: `params`, `query` and `body`, where it has them. */
export type InputOf<Op extends Operation> = Part<'params', Op['params']> &
  Part<'query', Op['query']> &
  Part<'body', Op['body']>

export type AnswerOf<Op extends Operation> = Static<Op['success']['schema']>

export type Arguments<Op extends Operation, More> =
  Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, more?: More]
    : [input: InputOf<Op>, more?: More]

export type CallOptions = Pick<Call, 'idempotencyKey' | 'lastEventId' | 'signal'>

/** Untyped input of any operation. */
export interface AnyInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

export function createOperationCalls<Operations extends Table>(
  { call, stream }: Caller,
  addresses: Addresses<Operations>,
) {
  type Id = keyof Operations & string

  function buildRequest(id: Id, input: AnyInput = {}, more: CallOptions = {}): Call {
    const [method, path] = addresses[id].split(' ', 2) as [Call['method'], string]
    const { params = {}, query = {}, body } = input
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    return { method, path: filled + toQueryString(query), ...(body === undefined ? {} : { body }), ...more }
  }

  function send<Name extends Id>(name: Name, input?: AnyInput, more?: CallOptions) {
    return call<AnswerOf<Operations[Name]>>(buildRequest(name, input, more))
  }

  return {
    /** For callers that have validated the input themselves. */
    send,
    /** Rejects with ApiError for error responses. */
    call: <Name extends Id>(name: Name, ...[input, more]: Arguments<Operations[Name], CallOptions>) =>
      send(name, input as AnyInput, more),
    /** Calls an operation with a streamed response. */
    stream: <Name extends Id>(name: Name, ...[input, more]: Arguments<Operations[Name], CallOptions>) =>
      stream(buildRequest(name, input as AnyInput, more)),
    /** Returns the path and query of an operation, for links and streams. */
    addressOf: <Name extends Id>(name: Name, ...[input]: Arguments<Operations[Name], never>): string =>
      buildRequest(name, input as AnyInput).path,
  }
}
