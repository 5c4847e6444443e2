/** Row type of the operation tables. */

import type { TSchema } from 'typebox'
import type { Area, Permission } from './roles.ts'

/** `assistant` keys are bound to one project and can read only the content that is public on its site. */
export const KEY_KINDS = ['admin', 'assistant'] as const
export type KeyKind = (typeof KEY_KINDS)[number]
/** The prefix of admin keys comes last, because all other prefixes begin with it. */
export const KEY_PREFIXES: Readonly<Record<KeyKind, string>> = { assistant: 'oct_ast_', admin: 'oct_' }

/** Audit action of an operation, or the reason why it is not logged. */
export type AuditRule<Action extends string = string> = Action | { none: string }

interface AnyOperation {
  path: string
  area: Area
  summary: string
  /**
   * `request` limits count every request that passed authentication. `accepted` limits are checked first, but count a
   * request only once it is accepted, in its transaction.
   */
  limit: { name: string; counts: 'request' | 'accepted' } | null
  /** A second rate limit, which counts every request that the first limit admits. */
  secondLimit?: string
  params: TSchema | null
  query: TSchema | null
  body: TSchema | null
  /** 1 MiB if left out. */
  maxBodyBytes?: number
  success: {
    status: 200 | 201 | 202
    schema: TSchema
    contentType?: string
    contentTypes?: readonly string[]
    headers?: Record<string, string>
    /** The response contains a secret that is shown once, so it is encrypted when stored for retries. */
    isSecret?: true
  }
  /**
   * For operations whose path names no project: behavior when called with a project-scoped key. `scoped`: the handler
   * applies the scope. `refused`: the operation concerns the whole organization.
   */
  keyProjects?: 'scoped' | 'refused'
  /**
   * Table of the row that the first path parameter identifies, unless the parameter is a project. The row
   * provides the organization for calls by the operator, and the project for keys limited to projects.
   */
  ownerTable?: string
  takesAssistantKeys?: true
  /** Archived projects reject changes, except for deletions and operations with this flag. */
  ofArchived?: 'allowed'
  /**
   * Requires recent authentication of a member, within minutes, because the operation is hard to undo. Does not
   * apply to keys.
   */
  needsFresh?: true
  /** Permission required by an operation of the public API, if higher than the permission of its area. */
  needs?: Permission
  /** Deprecation: the day when it began, the day when the operation is removed, and its replacement. */
  deprecated?: { since: Day; sunset: Day; by: string }
}

/** A date such as `2026-12-01`, meaning 00:00 UTC on that day. */
type Day = `${number}-${number}-${number}`

interface ReadOperation extends AnyOperation {
  method: 'GET'
  isQuery?: undefined
  audit?: undefined
  needsRoom?: undefined
}

/** Read operation with a request body. Has no transaction and no audit log entry; a retry executes it again. */
interface QueryOperation extends AnyOperation {
  method: 'POST'
  isQuery: true
  audit?: undefined
  needsRoom?: undefined
}

interface WriteOperation extends AnyOperation {
  method: 'POST' | 'PATCH' | 'DELETE'
  isQuery?: undefined
  audit: AuditRule
  /** Allowed on a nearly full disk: needs hardly any space, or frees some. Deletions are always allowed. */
  needsRoom?: false
}

export type Operation = ReadOperation | QueryOperation | WriteOperation

export type DashboardOperation = Operation & {
  area: 'dashboard'
  /** Null allows visitors who are not signed in. */
  permission: Permission | null
}

const COMMON_ERROR_STATUSES = [400, 401, 403, 405, 408, 429, 431, 500, 503]
const WRITE_ERROR_STATUSES = [409, 413, 415, 422]

/**
 * Returns the error statuses of an operation. Includes 404 if it is internal and its request body may refer to a
 * missing object.
 */
export function errorStatuses({ method, params, body, area }: Operation): number[] {
  const canMiss = params !== null || (area === 'dashboard' && body !== null)
  return [
    ...COMMON_ERROR_STATUSES,
    ...(canMiss ? [404] : []),
    ...(method === 'GET' ? [] : WRITE_ERROR_STATUSES),
  ].sort((one, other) => one - other)
}

export const PUBLIC_ROW = {
  limit: { name: 'reads', counts: 'request' },
  params: null,
  query: null,
  body: null,
} as const

export const DASHBOARD_ROW = {
  ...PUBLIC_ROW,
  area: 'dashboard',
  limit: { name: 'members', counts: 'request' },
} as const
