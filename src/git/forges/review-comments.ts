/** Review comments on a pull request, and detection of Octavo's answers. */

/** Comment by a user with write access to the repository. */
export interface ReviewComment {
  /** Id assigned by the forge's adapter: letters, digits, `:` and `-`. */
  id: string
  author: string
  /** Path in the repository, or null; `line` is null if the line no longer exists. */
  path: string | null
  line: number | null
  text: string
}

export interface ReviewComments {
  /** Oldest first, without comments by bots and by Octavo. */
  comments: ReviewComment[]
  /** Ids of comments that Octavo has answered. */
  answered: ReadonlySet<string>
}

/** Maximum number of pages read from a list; the rest of a longer conversation is ignored. */
const MAX_PAGES = 5
export const COMMENTS_PER_PAGE = 100

/** Matches the mark of an answer. The mark is a link definition, because forges do not render those. */
const ANSWER = /^\[\/\/\]: # \(octavo: answers ([\w:-]{1,120})\)\s*$/m

/** Adds a mark by which a retry recognizes the answer, because a failed request may have succeeded. */
export function addAnswerMark(id: string, text: string): string {
  return `${text.trim()}\n\n[//]: # (octavo: answers ${id})\n`
}

export interface ListedComment extends ReviewComment {
  /** Set only by forges whose user names are not unique. */
  authorId?: string
  /** Called at most once per author. */
  mayWrite(): Promise<boolean>
}

/** Selects comments by users with write access. Rejects if `mayWrite` rejects. */
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
