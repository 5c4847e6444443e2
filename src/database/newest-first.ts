/** Paginates lists with the newest rows first. The cursor is the position of the last row shown. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../base/errors/errors.ts'
import { faultAt } from '../base/errors/fault.ts'
import type { CursorCodec } from '../base/signed-cursor.ts'

export interface ListPosition {
  createdAt: Date
  id: string
}

export interface ListPage<Row> {
  shown: Row[]
  nextCursor: string | null
  hasMore: boolean
}

/** Decodes a cursor; null when there is none. Throws AppError `invalid_request` for a cursor from another list. */
export function readPosition(
  cursors: CursorCodec,
  scope: string,
  cursor: string | undefined,
): (string | number | null)[] | null {
  if (cursor === undefined) return null
  const position = cursors.decode(scope, cursor)
  if (position !== null) return position
  throw new AppError('invalid_request', { details: [faultAt('cursor', 'invalid_cursor')] })
}

/** Returns null for the first page. Throws like `readPosition`. */
export function readListPosition(
  cursors: CursorCodec,
  scope: string,
  cursor: string | undefined,
): ListPosition | null {
  const position = readPosition(cursors, scope, cursor)
  return position && { createdAt: new Date(String(position[0])), id: String(position[1]) }
}

/** Condition that selects the rows after the position. Needs columns `created_at` and `id`. */
export function isAfter(listPosition: ListPosition | null): RawBuilder<SqlBool> {
  return listPosition === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(created_at, id) < (${listPosition.createdAt}, ${listPosition.id})`
}

/** Cuts `rows` to the limit. They must have been queried with limit + 1, to detect whether more exist. */
export function toListPage<Row extends { created_at: Date; id: string }>(
  cursors: CursorCodec,
  scope: string,
  rows: readonly Row[],
  limit: number,
): ListPage<Row> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return {
    shown,
    nextCursor: hasMore ? cursors.encode(scope, [last.created_at.toISOString(), last.id]) : null,
    hasMore,
  }
}
