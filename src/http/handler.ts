/** What a handler is given and what it answers, derived from its row in the table of operations. */
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../accounts/authenticate.ts'
import type { Person } from '../accounts/sign-in.ts'
import type { DASHBOARD_OPERATIONS, DashboardOperationId } from '../contract/dashboard-operations.ts'
import type { OPERATIONS, Operation, OperationId } from '../contract/operations.ts'
import type { Queries, Tx } from '../database/database.ts'
import type { ServerEvent } from './event-stream.ts'

type Part<Schema> = Schema extends TSchema ? Static<Schema> : null

/** Who calls an operation that is open to all. */
export interface Visitor {
  kind: 'visitor'
  /** Tells visitors apart by their address. */
  id: string
  /** Null: not signed in. */
  person: Person | null
}

interface Call<Op extends Operation> {
  caller: Op extends { permission: null } ? Visitor : Caller
  requestId: string
  params: Part<Op['params']>
  query: Part<Op['query']>
}

/** GET: reads outside any transaction. `signal` ends when the client has gone or the server stops. */
export interface ReadCall<Op extends Operation> extends Call<Op> {
  db: Queries
  signal: AbortSignal
  /** The header of who comes back to a stream of events; undefined for who comes anew. */
  lastEventId: string | undefined
}

/** POST, PATCH, DELETE: all of it in one transaction, which is committed before the answer leaves. */
export interface WriteCall<Op extends Operation> extends Call<Op> {
  tx: Tx
  body: Part<Op['body']>
}

/** The status is the operation's own. */
export interface Answer<Body> {
  body: Body
  headers?: Record<string, string>
  /** Of a change: what its row in the audit log says beside what the address of the call tells. */
  audit?: AuditDetails
}

export interface AuditDetails {
  /** What was changed; what the address names when left out. */
  subject?: string
  /** Never a secret. */
  details?: Record<string, unknown>
}

/** An answer that is sent piece by piece, under one of the content types of the operation. */
export interface StreamAnswer {
  contentType: string
  body: AsyncIterable<string>
  headers?: Record<string, string>
}

type Success<Op extends Operation> = Static<Op['success']['schema']>

/** Refuses by throwing AppError. A stream of events or text refuses before its first piece or not at all. */
export type Handler<Op extends Operation> = Op['method'] extends 'GET'
  ? Op['success'] extends { contentType: 'text/event-stream' }
    ? (call: ReadCall<Op>) => Promise<AsyncIterable<ServerEvent>>
    : Op['success'] extends { contentTypes: readonly string[] }
      ? (call: ReadCall<Op>) => Promise<StreamAnswer>
      : (call: ReadCall<Op>) => Promise<Answer<Success<Op>>>
  : (call: WriteCall<Op>) => Promise<Answer<Success<Op>>>

/** One handler for each operation: a missing one does not compile. */
export type Handlers<Table extends Record<string, Operation>> = { [Id in keyof Table]: Handler<Table[Id]> }

/** What the handler of this operation of the API is called with. */
export type CallOf<Id extends OperationId> = Parameters<Handler<(typeof OPERATIONS)[Id]>>[0]

/** What the handler of this operation of the API answers. */
export type AnswerOf<Id extends OperationId> = ReturnType<Handler<(typeof OPERATIONS)[Id]>>

/** What the handler of this operation of the dashboard is called with. */
export type DashboardCallOf<Id extends DashboardOperationId> = Parameters<
  Handler<(typeof DASHBOARD_OPERATIONS)[Id]>
>[0]

/** What the handler of this operation of the dashboard answers. */
export type DashboardAnswerOf<Id extends DashboardOperationId> = ReturnType<
  Handler<(typeof DASHBOARD_OPERATIONS)[Id]>
>
