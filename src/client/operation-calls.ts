/** Typed calls of operations. At run time, only the paths of the operation table are needed. */
import type { Static, TSchema } from 'typebox'
import type { Operation } from '../base/api/operation.ts'
import { type Call, type Caller, toQueryString } from './call.ts'

type Table = Readonly<Record<string, Operation>>

/** Maps each operation to its method and path: `GET /v1/things/{id}`. */
export type Addresses<Operations extends Table> = {
  readonly [Id in keyof Operations]: `${Operations[Id]['method']} ${Operations[Id]['path']}`
}

type Part<Name extends string, Schema> = Schema extends TSchema
  ? Record<never, never> extends Static<Schema>
    ? { [Key in Name]?: Static<Schema> }
    : { [Key in Name]: Static<Schema> }
  : unknown

export type InputOf<Op extends Operation> = Part<'params', Op['params']> &
  Part<'query', Op['query']> &
  Part<'body', Op['body']>

export type ResponseOf<Op extends Operation> = Static<Op['success']['schema']>

export type Arguments<Op extends Operation, More> =
  Record<never, never> extends InputOf<Op>
    ? [input?: InputOf<Op>, more?: More]
    : [input: InputOf<Op>, more?: More]

export type CallOptions = Pick<Call, 'idempotencyKey' | 'lastEventId' | 'signal'>

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
    return call<ResponseOf<Operations[Name]>>(buildRequest(name, input, more))
  }

  return {
    /** Does not validate the input; for callers that have already validated it. */
    send,
    /** Rejects with ApiError for error responses. */
    call: <Name extends Id>(name: Name, ...[input, more]: Arguments<Operations[Name], CallOptions>) =>
      send(name, input as AnyInput, more),
    stream: <Name extends Id>(name: Name, ...[input, more]: Arguments<Operations[Name], CallOptions>) =>
      stream(buildRequest(name, input as AnyInput, more)),
    addressOf: <Name extends Id>(name: Name, ...[input]: Arguments<Operations[Name], never>): string =>
      buildRequest(name, input as AnyInput).path,
  }
}
