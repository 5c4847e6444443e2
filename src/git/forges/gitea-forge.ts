/** Pull requests on Gitea and Forgejo: https://docs.gitea.com/api/#tag/repository */
import type { Branches, Forge, PullRequest } from './forge.ts'
import { nullIfNotFound, refusalStatus, unexpectedResponseError } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { fitText, readPullRequest } from './forge-request.ts'
import { githubOperations } from './github-forge.ts'
import { createForgeCaller, createOnce, type ForgeCaller, selectApprovals } from './rest-forge.ts'
import { type ListedComment, type ReviewComments, readPages, sortComments } from './review-comments.ts'

interface GiteaRequest {
  number: number
  html_url: string
  state: string
  merged?: boolean
  title?: string
  body?: string | null
  head?: { label: string; repo_id: number }
  base?: { label: string; repo_id: number }
}

interface GiteaComment {
  id: number
  user?: { login: string } | null
  body?: string
  created_at?: string
  submitted_at?: string
  path?: string
  position?: number
  /** Verdict; only present in reviews. */
  state?: string
  comments_count?: number
}

interface GiteaReaction {
  user?: { login: string } | null
  content?: string
  created_at?: string
}

const PAGE_SIZE = 30
/** Maximum number of reviews whose line comments are read, newest first. */
const MAX_REVIEWS = 30
/** Gitea's page size for reviews, regardless of the requested size. */
const REVIEWS_PER_PAGE = 50

export function createGiteaForge(location: ForgeLocation, token: string): Forge {
  const call = createForgeCaller('gitea', location, async () => token)
  const at = `/repos/${location.path}` as const
  const read = (request: GiteaRequest) => toPullRequest(location, request)
  const findPullRequest: Forge['findPullRequest'] = async (branches, signal) => {
    const found = await findUnfiltered(call, at, branches, signal)
    if (found === null || found.state === 'open') return found && read(found)
    return read(await findNewest(call, at, branches, found, signal))
  }
  return {
    kind: 'gitea',
    findPullRequest,
    createPullRequest: createOnce(({ branch, target, isDraft = false, title, body }, signal) => {
      // Gitea marks drafts by their title.
      const text = fitText({ title: isDraft ? `WIP: ${title}` : title, body })
      return call(signal, `POST ${at}/pulls`, { body: { head: branch, base: target, ...text } }, read)
    }, findPullRequest),
    readComments: (id, signal) => readGiteaComments(call, at, id, signal),
    // Answers in the conversation, because Gitea's API does not support replies to line comments.
    async answerComment(id, { text }, signal) {
      await call(signal, `POST ${at}/issues/${id}/comments`, { body: { body: text } })
    },
    async readApprovals(_id, comment, signal) {
      const route = `GET ${at}/issues/comments/${comment.id}/reactions` as const
      const listed = (await nullIfNotFound(call<GiteaReaction[] | null>(signal, route))) ?? []
      const writers = listed.length === 0 ? new Set() : await readWriters(call, at, signal)
      const reactions = listed.map(({ user, content, created_at: reactedAt }) => {
        const author = user?.login ?? ''
        return {
          ...{ author, at: reactedAt, isThumbsUp: content === '+1' },
          mayWrite: async () => writers.has(author),
        }
      })
      return await selectApprovals(comment, reactions)
    },
    ...githubOperations(call, at, null),
  }
}

/** Possible assignees have write access; querying the permissions of a single user requires an admin. */
async function readWriters(
  call: ForgeCaller,
  at: `/${string}`,
  signal: AbortSignal,
): Promise<ReadonlySet<string | undefined>> {
  const users = await call<{ login?: string }[]>(signal, `GET ${at}/assignees`)
  return new Set(users.map(({ login }) => login))
}

/** Finds a pull request by its branches. If there are several, Gitea returns any of them. */
async function findUnfiltered(
  call: ForgeCaller,
  at: `/${string}`,
  { branch, target }: Branches,
  signal: AbortSignal,
): Promise<GiteaRequest | null> {
  const head = branch.split('/').map(encodeURIComponent).join('/')
  try {
    return await call<GiteaRequest>(signal, `GET ${at}/pulls/${encodeURIComponent(target)}/${head}`)
  } catch (error) {
    if (refusalStatus(error) !== 404) throw error
    // Throws if the repository does not exist; otherwise only the pull request is missing.
    await call(signal, `GET ${at}`)
    return null
  }
}

/** Reads the list from the newest pull request to the known one, because Gitea cannot filter by branch. */
async function findNewest(
  call: ForgeCaller,
  at: `/${string}`,
  { branch, target }: Branches,
  known: GiteaRequest,
  signal: AbortSignal,
): Promise<GiteaRequest> {
  for (let page = 1; ; page++) {
    const query = { state: 'all', page, limit: PAGE_SIZE }
    const listed = await call<GiteaRequest[]>(signal, `GET ${at}/pulls`, { query })
    // Compares `label`, because `ref` changes when the branch is deleted.
    const found = listed.find(
      ({ number, head, base }) =>
        number === known.number ||
        (head?.label === branch && base?.label === target && head.repo_id === base.repo_id),
    )
    if (found) return found
    if (listed.length === 0) return known
  }
}

async function readGiteaComments(
  call: ForgeCaller,
  at: `/${string}`,
  id: string,
  signal: AbortSignal,
): Promise<ReviewComments> {
  const notes = await call<GiteaComment[]>(signal, `GET ${at}/issues/${id}/comments`)
  const all = await readPages((page) => {
    const query = { page, limit: REVIEWS_PER_PAGE }
    return call<GiteaComment[]>(signal, `GET ${at}/pulls/${id}/reviews`, { query })
  }, REVIEWS_PER_PAGE)
  const reviews = all.filter(({ state }) => state !== 'PENDING')
  const lines: GiteaComment[] = []
  for (const review of reviews.slice(-MAX_REVIEWS))
    if (review.comments_count)
      lines.push(
        ...(await call<GiteaComment[]>(signal, `GET ${at}/pulls/${id}/reviews/${review.id}/comments`)),
      )
  const timeOf = ({ created_at, submitted_at }: GiteaComment) => Date.parse(created_at ?? submitted_at ?? '')
  const listed = Object.entries({ note: notes, review: reviews, line: lines })
    .flatMap(([kind, comments]) => comments.map((one) => ({ ...one, kind })))
    .sort((a, b) => timeOf(a) - timeOf(b))
  const writers = listed.length === 0 ? new Set() : await readWriters(call, at, signal)
  return await sortComments(
    listed.map(({ kind, id, user, path, position, body }): ListedComment => {
      const author = user?.login ?? ''
      return {
        ...{ id: `${kind}:${id}`, author, path: path ?? null, line: position || null, text: body ?? '' },
        mayWrite: async () => writers.has(author),
      }
    }),
  )
}

function toPullRequest(location: ForgeLocation, request: GiteaRequest): PullRequest {
  const { number, html_url, state, merged, title = '', body } = request
  if (html_url === undefined) throw unexpectedResponseError(location)
  return readPullRequest(location, number, html_url, {
    state: merged ? 'merged' : state === 'open' ? 'open' : 'closed',
    text: { title, body: body ?? '' },
  })
}
