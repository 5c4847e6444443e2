/** Review comments on a pull request, and recognition of our answers. */

/** Comment of a person with write access to the repository. */
export interface ReviewComment {
  /** Identifier assigned by the adapter: letters, digits, `:` and `-`. */
  id: string
  author: string
  /** File in the repository, and the line if it still exists. */
  path: string | null
  line: number | null
  /** Unmodified text of the comment. */
  text: string
}

export interface ReviewComments {
  /** Oldest first, without comments of bots and our own. */
  comments: ReviewComment[]
  /** Ids of comments that we have answered. */
  answered: ReadonlySet<string>
}

/** Maximum number of pages read from a list; the rest of a longer conversation is ignored. */
export const MAX_PAGES = 5
export const COMMENTS_PER_PAGE = 100

/** Link definition as a mark, which forges do not render. */
const ANSWER = /^\[\/\/\]: # \(octavo: answers ([\w:-]{1,120})\)\s*$/m

/** Marks an answer, so that it can be found before it is sent again: a failed request may have succeeded. */
export function answerWithMark(id: string, text: string): string {
  return `${text.trim()}\n\n[//]: # (octavo: answers ${id})\n`
}

/** A comment as listed by a forge. */
export interface ListedComment extends ReviewComment {
  /** Where names are not unique. */
  authorId?: string
  /** Called at most once per author. */
  mayWrite(): Promise<boolean>
}

/** Selects comments of people with write access. Rejects if `mayWrite` does. */
export async function sortComments(listed: readonly ListedComment[]): Promise<ReviewComments> {
  const answered = new Set<string>()
  const comments: ReviewComment[] = []
  const writers = new Map<string, boolean>()
  for (const { mayWrite, authorId, ...comment } of listed) {
    const person = authorId ?? comment.author
    const [, answers] = ANSWER.exec(comment.text) ?? []
    if (answers !== undefined) answered.add(answers)
    if (answers !== undefined || comment.text.trim() === '') continue
    const isWriter = writers.get(person) ?? (await mayWrite())
    writers.set(person, isWriter)
    if (isWriter) comments.push(comment)
  }
  return { comments, answered }
}

/** Reads a paginated list, up to a limit. */
export async function readPages<T>(
  read: (page: number) => Promise<readonly T[]>,
  size = COMMENTS_PER_PAGE,
): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const items = await read(page)
    all.push(...items)
    if (items.length < size) break
  }
  return all
}
