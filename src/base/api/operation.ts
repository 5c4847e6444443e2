/** Row type of the operation tables. */

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
  /** OpenAPI path, with `{name}` for parameters. */
  path: string
  area: Area
  summary: string
  /**
   * `request` limits count every request that passed authentication. `accepted` limits count only accepted requests,
   * in the same transaction, and are merely checked beforehand.
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
    /** Content types of a streamed response, one of which the handler selects. */
    contentTypes?: readonly string[]
    headers?: Record<string, string>
    /**
     * The response contains a secret that is shown only once, so it is encrypted when stored for idempotent retries.
     */
    isSecret?: true
  }
  /**
   * Behavior for project-scoped keys of operations that name no project. `scoped`: the handler applies the scope.
   * `refused`: the operation concerns the whole organization.
   */
  keyProjects?: 'scoped' | 'refused'
  /** It takes assistant keys beside admin keys. */
  takesAssistantKeys?: true
  /** Archived projects reject changes, except for deletions and operations with this flag. */
  ofArchived?: 'allowed'
  /**
   * Requires recent authentication of a member, within minutes, because it is hard to undo. Does not apply to keys.
   */
  needsFresh?: true
  /** For the public API: permission required if it exceeds that of the area. */
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
  /** Audit log entry of a call. */
  audit: AuditRule
  /** Allowed while the disk is nearly full, because it needs hardly any space or frees some. Deletions always are. */
  needsRoom?: false
}

export type Operation = ReadOperation | QueryOperation | WriteOperation

/** Operation of the internal API. */
export type DashboardOperation = Operation & {
  area: 'dashboard'
  /** Null allows visitors who are not signed in. */
  permission: Permission | null
}

/** Error statuses that every operation can return. */
const EVERY_OPERATION = [400, 401, 403, 405, 408, 429, 431, 500, 503]
/** Error statuses of writing operations: of their body and of idempotent retries. */
const EVERY_WRITE = [409, 413, 415, 422]

/** Returns the error statuses of an operation. Bodies of the internal API may refer to objects that do not exist. */
export function errorStatuses({ method, params, body, area }: Operation): number[] {
  const canMiss = params !== null || (area === 'dashboard' && body !== null)
  return [...EVERY_OPERATION, ...(canMiss ? [404] : []), ...(method === 'GET' ? [] : EVERY_WRITE)].sort(
    (one, other) => one - other,
  )
}

/** Defaults for rows of the public API. */
export const PUBLIC_ROW = {
  limit: { name: 'reads', counts: 'request' },
  params: null,
  query: null,
  body: null,
} as const

/** Defaults for rows of the internal API. */
export const DASHBOARD_ROW = {
  ...PUBLIC_ROW,
  area: 'dashboard',
  limit: { name: 'members', counts: 'request' },
} as const
