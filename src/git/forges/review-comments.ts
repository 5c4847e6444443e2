/** What reviewers say of a pull request at its forge, and how our answers to that are known again. */

/** Of somebody who may write to the repository. */
export interface ReviewComment {
  /** The adapter's own name for it, of letters, digits, `:` and `-`. */
  id: string
  author: string
  /** File in the repository, with the line when it is still there. */
  path: string | null
  line: number | null
  /** Whatever they wrote. */
  text: string
}

export interface ReviewComments {
  /** Oldest first; none of programs, and none of ours. */
  comments: ReviewComment[]
  /** Ids of those that have an answer of ours. */
  answered: ReadonlySet<string>
}

/** Of each list of a forge; a conversation that is longer is followed in its first part. */
export const MOST_PAGES = 5
export const COMMENTS_OF_PAGE = 100

/** A definition of a link, which no forge shows. */
const ANSWER = /^\[\/\/\]: # \(octavo: answers ([\w:-]{1,120})\)\s*$/m

/** Looked for before it is sent again, since nobody knows whether an answer that got no answer has arrived. */
export function answerWithMark(id: string, text: string): string {
  return `${text.trim()}\n\n[//]: # (octavo: answers ${id})\n`
}

/** One comment as a forge lists it. */
export interface ListedComment extends ReviewComment {
  /** Where names are not unique. */
  authorId?: string
  /** Asked for at most once for each author. */
  mayWrite(): Promise<boolean>
}

/** Takes those of people who may write. Rejects with what `mayWrite` does. */
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

/** Every item of a list that comes in pages, up to a bound. */
export async function readPages<T>(
  read: (page: number) => Promise<readonly T[]>,
  size = COMMENTS_OF_PAGE,
): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const items = await read(page)
    all.push(...items)
    if (items.length < size) break
  }
  return all
}
