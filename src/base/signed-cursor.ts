/** Cursors that callers carry: opaque, and refused when altered or used for another list. */
import { createHmac, timingSafeEqual } from 'node:crypto'

const TAG_BYTES = 16

export interface CursorCodec {
  /** `scope` names the list and its filters; a cursor is valid in its own scope only. */
  encode(scope: string, position: readonly (string | number | null)[]): string
  /** Null when the text is not a cursor of this scope. */
  decode(scope: string, cursor: string): (string | number | null)[] | null
}

/** The secret outlives restarts, so that cursors do. */
export function createCursorCodec(secret: string): CursorCodec {
  const tag = (scope: string, body: Buffer) =>
    createHmac('sha256', secret).update(`cursor\n${scope}\n`).update(body).digest().subarray(0, TAG_BYTES)
  return {
    encode(scope, position) {
      const body = Buffer.from(JSON.stringify(position))
      return Buffer.concat([tag(scope, body), body]).toString('base64url')
    },
    decode(scope, cursor) {
      const bytes = bytesOf(cursor)
      if (bytes === null) return null
      const body = bytes.subarray(TAG_BYTES)
      if (!timingSafeEqual(bytes.subarray(0, TAG_BYTES), tag(scope, body))) return null
      return JSON.parse(body.toString('utf8'))
    },
  }
}

/** Whether the text could be a cursor of some list: most of those that people make up could not. */
export function hasCursorForm(cursor: string): boolean {
  return bytesOf(cursor) !== null
}

function bytesOf(cursor: string): Buffer | null {
  if (!/^[\w-]+$/.test(cursor)) return null
  const bytes = Buffer.from(cursor, 'base64url')
  return bytes.length > TAG_BYTES && bytes.toString('base64url') === cursor ? bytes : null
}
