/** Pagination cursors: opaque to callers, and rejected if altered or used with another list. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const TAG_BYTES = 16

export interface CursorCodec {
  /** `scope` identifies the list and its filters; a cursor is only valid within its scope. */
  encode(scope: string, position: readonly (string | number | null)[]): string
  decode(scope: string, cursor: string): (string | number | null)[] | null
}

/** Creates a codec. The secret must survive restarts, so that cursors stay valid. */
export function createCursorCodec(secret: string): CursorCodec {
  const tag = (scope: string, body: Buffer) =>
    createHmac('sha256', secret).update(`cursor\n${scope}\n`).update(body).digest().subarray(0, TAG_BYTES)
  return {
    encode(scope, position) {
      const body = Buffer.from(JSON.stringify(position))
      return Buffer.concat([tag(scope, body), body]).toString('base64url')
    },
    decode(scope, cursor) {
      const bytes = decodeBytes(cursor)
      if (bytes === null) return null
      const body = bytes.subarray(TAG_BYTES)
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tag(scope, body))) return null
      return JSON.parse(body.toString('utf8'))
    },
  }
}

/** Splits rows, queried with `limit` + 1, into the rows of the page and its `nextCursor`. */
export function pageOf<Row>(rows: readonly Row[], limit: number, cursorAfter: (last: Row) => string) {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const hasMore = rows.length > limit && last !== undefined
  return { shown, paging: { nextCursor: hasMore ? cursorAfter(last) : null, hasMore } }
}

/** Returns whether the text has the form of a cursor, which excludes most forged ones. */
export function hasCursorForm(cursor: string): boolean {
  return decodeBytes(cursor) !== null
}

function decodeBytes(cursor: string): Buffer | null {
  if (!/^[\w-]+$/.test(cursor)) return null
  const bytes = Buffer.from(cursor, 'base64url')
  return bytes.length > TAG_BYTES && bytes.toString('base64url') === cursor ? bytes : null
}
