/** Lists whose newest rows come first, a page at a time; the cursor is the place of the last row that was shown. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { AppError } from '../base/errors/errors.ts'
import { CURSOR_FAULT } from '../base/errors/fault.ts'
import type { CursorCodec } from '../base/signed-cursor.ts'

export interface ListPlace {
  createdAt: Date
  id: string
}

export interface ListPage<Row> {
  shown: Row[]
  nextCursor: string | null
  hasMore: boolean
}

/** What a cursor holds; null without one. Throws AppError `invalid_request` for one of another list. */
export function readPosition(
  cursors: CursorCodec,
  scope: string,
  cursor: string | undefined,
): (string | number | null)[] | null {
  if (cursor === undefined) return null
  const position = cursors.decode(scope, cursor)
  if (position !== null) return position
  throw new AppError('invalid_request', { details: [CURSOR_FAULT] })
}

/** Null for the beginning. Throws as `readPosition`. */
export function readPlace(cursors: CursorCodec, scope: string, cursor: string | undefined): ListPlace | null {
  const position = readPosition(cursors, scope, cursor)
  return position && { createdAt: new Date(String(position[0])), id: String(position[1]) }
}

/** A condition on rows with `created_at` and `id`: those behind the place. */
export function isBehind(place: ListPlace | null): RawBuilder<SqlBool> {
  return place === null
    ? sql<SqlBool>`true`
    : sql<SqlBool>`(created_at, id) < (${place.createdAt}, ${place.id})`
}

/** `rows` were asked for with one more than the limit, which tells whether there are more. */
export function cutPage<Row extends { created_at: Date; id: string }>(
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
