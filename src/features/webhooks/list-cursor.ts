/** Cursors of webhook lists, which contain only the last id, because ids sort by time. */
import type { CursorCodec } from '../../base/signed-cursor.ts'
import { readPosition } from '../../database/newest-first.ts'

/** Returns null without a cursor. Throws AppError `invalid_request`. */
export function readLastId(cursors: CursorCodec, scope: string, cursor: string | undefined): string | null {
  const position = readPosition(cursors, scope, cursor)
  return position && String(position[0])
}
