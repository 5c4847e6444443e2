/** Functions shared by all forges with an API. */
import { type Forge, ForgeError, type ManagedComment, type WrittenComment } from './forge.ts'
import { refusalStatus } from './forge-errors.ts'
import { authorizationFor, type ForgeKind, type ForgeLocation } from './forge-location.ts'
import { callForge, type ForgeCall } from './forge-request.ts'
import { readPages } from './review-comments.ts'

export type ForgeCaller = <Answer = unknown, Out = Answer>(
  signal: AbortSignal,
  route: ForgeCall['route'],
  more?: Pick<ForgeCall, 'query' | 'body'>,
  read?: (answer: Answer) => Out,
) => Promise<Out>

/** Calls `getToken` before each request, because tokens of apps expire after an hour. */
export function createForgeCaller(
  kind: ForgeKind,
  location: ForgeLocation,
  getToken: (signal: AbortSignal) => Promise<string>,
): ForgeCaller {
  return async <Answer, Out>(
    signal: AbortSignal,
    route: ForgeCall['route'],
    more: Pick<ForgeCall, 'query' | 'body'> = {},
    read = (answer: Answer) => answer as unknown as Out,
  ) => {
    const authorization = authorizationFor(kind, await getToken(signal))
    return await callForge(location, { route, ...more, authorization }, read, signal)
  }
}

/** Prevents a forge that returns endless lists from blocking a job. */
const MAX_PAGES = 100

export async function findOnPages<T>(
  size: number,
  readPage: (page: number) => Promise<{ found: T | null; count: number }>,
): Promise<T | null> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { found, count } = await readPage(page)
    if (found !== null || count < size) return found
  }
  return null
}

/** Creates a pull request, or returns the open one if the forge rejects the creation because one is already open. */
export function createOnce(
  create: Forge['createPullRequest'],
  findPullRequest: Forge['findPullRequest'],
): Forge['createPullRequest'] {
  return async (request, signal) => {
    try {
      return await create(request, signal)
    } catch (error) {
      if (![400, 409, 422].includes(refusalStatus(error) ?? 0)) throw error
      const existing = await findPullRequest(request, signal)
      if (existing?.state === 'open') return existing
      throw error
    }
  }
}

interface Extra {
  /** Name of the reviewer or label in messages. */
  what: string
  add(): Promise<unknown>
}

/**
 * Adds reviewers and labels separately, so that an unknown name does not affect the others. Returns a message for each
 * reviewer or label that was rejected. Throws errors that a retry may resolve.
 */
export async function addSeparately(extras: readonly Extra[]): Promise<string[]> {
  const faults: string[] = []
  for (const { what, add } of extras) {
    try {
      await add()
    } catch (error) {
      if (!(error instanceof ForgeError) || error.isTemporary) throw error
      faults.push(rejectedExtraMessage(what, error.message))
    }
  }
  return faults
}

export function rejectedExtraMessage(what: string, reason: string): string {
  return `The forge rejected ${what}. ${reason}`
}

interface ForgeComment {
  id: number
  body?: string | null
  updated_at?: string | null
}

interface CommentCalls {
  list(page: number): Promise<readonly ForgeComment[]>
  edit(id: number, body: string): Promise<ForgeComment>
  create(body: string): Promise<ForgeComment>
}

/** Creates or updates the comment. Skips other authors' comments with the mark, which cannot be edited. */
export async function upsertComment(
  calls: CommentCalls,
  { name, text }: ManagedComment,
): Promise<WrittenComment> {
  // A link definition as the mark, because forges do not render it.
  const mark = `[//]: # (octavo: keeps ${name})`
  const body = `${mark}\n\n${text.trim()}\n`
  const toKept = ({ id, updated_at }: ForgeComment) => ({ id: String(id), at: updated_at ?? '' })
  for (const comment of await readPages((page) => calls.list(page))) {
    if (!comment.body?.startsWith(mark)) continue
    if (comment.body.trim() === body.trim()) return toKept(comment)
    try {
      return toKept(await calls.edit(comment.id, body))
    } catch (error) {
      if (![403, 404].includes(refusalStatus(error) ?? 0)) throw error
    }
  }
  return toKept(await calls.create(body))
}

export interface ListedReaction {
  author: string
  at?: string | null
  isThumbsUp: boolean
  mayWrite(): Promise<boolean>
}

/** Maximum number of people whose permissions are queried. */
const MAX_APPROVALS = 20

/** Selects people with write access; a reaction to an earlier text of the comment does not count. */
export async function selectApprovals(
  { at }: WrittenComment,
  reactions: readonly ListedReaction[],
): Promise<string[]> {
  const writers: string[] = []
  const later = reactions.filter((one) => one.isThumbsUp && Date.parse(one.at ?? '') > Date.parse(at))
  for (const { author, mayWrite } of later.slice(0, MAX_APPROVALS)) if (await mayWrite()) writers.push(author)
  return writers
}
