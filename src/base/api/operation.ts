/** What stands in a row of the tables of operations. */

import type { TSchema } from 'typebox'
import type { AuditRule } from './audit-actions.ts'
import type { OperationLimitName } from './limits.ts'
import type { Area, Permission } from './roles.ts'

/** `assistant`: bound to one project, it reaches what readers of its site may read without coming in. */
export const KEY_KINDS = ['admin', 'assistant'] as const
export type KeyKind = (typeof KEY_KINDS)[number]
/** Each other prefix begins with that of admin keys, which therefore stands last. */
export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = { assistant: 'oct_ast_', admin: 'oct_' }

interface AnyOperation {
  /** OpenAPI form, `{name}` for parameters. */
  path: string
  area: Area
  summary: string
  /**
   * `request` limits count every request that passed the key checks; `accepted` ones count only what was accepted, in
   * the transaction that accepts it, and are only looked at before.
   */
  limit: { name: OperationLimitName; counts: 'request' | 'accepted' } | null
  /** A second window, in which every request counts that the first one has let in. */
  secondLimit?: OperationLimitName
  params: TSchema | null
  query: TSchema | null
  body: TSchema | null
  success: {
    status: 200 | 201 | 202
    schema: TSchema
    contentType?: string
    /** The answer is a stream of one of these types, which the handler names. */
    contentTypes?: readonly string[]
    headers?: Record<string, string>
    /** It holds something that is shown this once: an answer kept for a repetition is sealed. */
    isSecret?: true
  }
  /**
   * What names nothing of a project refuses a key that is limited to projects. `kept`: its handler keeps to the limit.
   * `refused`: it is about the organization as a whole.
   */
  keyProjects?: 'kept' | 'refused'
  /** It takes assistant keys beside admin keys. */
  takesAssistantKeys?: true
  /** An archived project refuses its changes, but for deletions and what says so. */
  ofArchived?: 'allowed'
  /** It is hard to undo: a member must have proved who they are within minutes. Keys are their own proof. */
  needsFresh?: true
  /** Of the public API: what the caller needs where that is more than its area says. */
  needs?: Permission
  /** It goes: since when nobody should begin to use it, when it ends, and what takes its place. */
  deprecated?: { since: Day; sunset: Day; by: string }
}

/** `2026-12-01`, at its beginning in UTC. */
type Day = `${number}-${number}-${number}`

interface ReadOperation extends AnyOperation {
  method: 'GET'
  isQuery?: undefined
  audit?: undefined
  needsRoom?: undefined
}

/** Asks with a body and changes nothing: no transaction, no row in the audit log; a repetition is answered anew. */
interface QueryOperation extends AnyOperation {
  method: 'POST'
  isQuery: true
  audit?: undefined
  needsRoom?: undefined
}

interface WriteOperation extends AnyOperation {
  method: 'POST' | 'PATCH' | 'DELETE'
  isQuery?: undefined
  /** What a call leaves in the audit log. */
  audit: AuditRule
  /** It goes on while the disk is nearly full: it takes next to no room, or ends what takes some. So do all deletions. */
  needsRoom?: false
}

export type Operation = ReadOperation | QueryOperation | WriteOperation

/** Of the internal API. */
export type DashboardOperation = Operation & {
  area: 'dashboard'
  /** Null: open to visitors, who need not be signed in. */
  permission: Permission | null
}

/** Statuses of the error shape that any operation can answer. */
const EVERY_OPERATION = [400, 401, 403, 405, 408, 429, 431, 500, 503]
/** Of what changes something: of its body, and of a repetition of the call. */
const EVERY_WRITE = [409, 413, 415, 422]

/** The statuses of the error shape that it can answer. Bodies of the internal API may name things that are not there. */
export function errorStatuses({ method, params, body, area }: Operation): number[] {
  const canMiss = params !== null || (area === 'dashboard' && body !== null)
  return [...EVERY_OPERATION, ...(canMiss ? [404] : []), ...(method === 'GET' ? [] : EVERY_WRITE)].sort(
    (one, other) => one - other,
  )
}

/** What most rows of the public API have. */
export const PUBLIC_ROW = {
  limit: { name: 'reads', counts: 'request' },
  params: null,
  query: null,
  body: null,
} as const

/** What most rows of the internal API have. */
export const DASHBOARD_ROW = {
  ...PUBLIC_ROW,
  area: 'dashboard',
  limit: { name: 'members', counts: 'request' },
} as const
