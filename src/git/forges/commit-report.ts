/** Reports the outcome of a commit to a forge: a commit status, and one comment that is updated. */
import type { ManagedComment } from './forge.ts'
import { refusalStatus } from './forge-errors.ts'
import { readPages } from './review-comments.ts'

/** Name under which forges show the status; the latest status of a name counts. */
export const STATUS_NAME = 'octavo/preview'

/** Adds a mark in the form of a link definition, which forges do not render. */
function commentWithMark({ name, text }: ManagedComment): string {
  return `${commentMark(name)}\n\n${text.trim()}\n`
}

function commentMark(name: string): string {
  return `[//]: # (octavo: keeps ${name})`
}

/** Functions that list, edit and create comments on a forge. */
interface CommentCalls {
  list(page: number): Promise<readonly { id: number; body: string }[]>
  edit(id: number, body: string): Promise<unknown>
  create(body: string): Promise<unknown>
  pageSize?: number
}

/** Creates or updates the comment. Comments of other authors with our mark cannot be edited and are skipped. */
export async function upsertComment(calls: CommentCalls, comment: ManagedComment): Promise<void> {
  const body = commentWithMark(comment)
  const listed = await readPages((page) => calls.list(page), calls.pageSize)
  for (const { id, body: before } of listed) {
    if (!before.startsWith(commentMark(comment.name))) continue
    if (before.trim() === body.trim()) return
    try {
      return void (await calls.edit(id, body))
    } catch (error) {
      if (![403, 404].includes(refusalStatus(error) ?? 0)) throw error
    }
  }
  await calls.create(body)
}
