/** What Octavo says at a forge about what became of a commit: a status beside it, and one comment that is kept up to date. */
import type { KeptComment } from './forge.ts'
import { refusedWith } from './forge-refusal.ts'
import { readPages } from './review-comments.ts'

/** Under which name forges show it; the last one of a name counts. */
export const STATUS_NAME = 'octavo/preview'

/** A definition of a link, which no forge shows. */
function commentWithMark({ name, text }: KeptComment): string {
  return `${markOf(name)}\n\n${text.trim()}\n`
}

function markOf(name: string): string {
  return `[//]: # (octavo: keeps ${name})`
}

/** How a forge lists, changes and makes comments. */
interface CommentCalls {
  list(page: number): Promise<readonly { id: number; body: string }[]>
  edit(id: number, body: string): Promise<unknown>
  create(body: string): Promise<unknown>
  pageSize?: number
}

/** What somebody else has written with our mark is refused to be changed, and passed over. */
export async function keepOneComment(calls: CommentCalls, comment: KeptComment): Promise<void> {
  const body = commentWithMark(comment)
  const listed = await readPages((page) => calls.list(page), calls.pageSize)
  for (const { id, body: before } of listed) {
    if (!before.startsWith(markOf(comment.name))) continue
    if (before.trim() === body.trim()) return
    try {
      return void (await calls.edit(id, body))
    } catch (error) {
      if (![403, 404].includes(refusedWith(error) ?? 0)) throw error
    }
  }
  await calls.create(body)
}
