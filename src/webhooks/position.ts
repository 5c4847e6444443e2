/** Cursors of the lists here, whose ids sort by time: the id of the last entry is the whole position. */
import type { CursorCodec } from '../base/signed-cursor.ts'
import { AppError } from '../contract/errors.ts'

/** Null without a cursor. Throws AppError `request.invalid`. */
export function readPosition(cursors: CursorCodec, scope: string, cursor: string | undefined): string | null {
  if (cursor === undefined) return null
  const position = cursors.decode(scope, cursor)
  if (position !== null) return String(position[0])
  throw new AppError('request.invalid', {
    details: ['`cursor` is not one that this list gave: send `nextCursor` as it came, or leave it out.'],
  })
}
