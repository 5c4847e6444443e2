/**
 * Pull requests on Bitbucket Cloud:
 * https://developer.atlassian.com/cloud/bitbucket/rest/api-group-pullrequests/
 */
import type { Branches, Forge, PullRequest, PullRequestExtras } from './forge.ts'
import { refusalStatus, unexpectedResponseError } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { fitText, readPullRequest } from './forge-request.ts'
import {
  addSeparately,
  createForgeCaller,
  createOnce,
  type ForgeCaller,
  findOnPages,
  rejectedExtraMessage,
  upsertComment,
} from './rest-forge.ts'
import {
  COMMENTS_PER_PAGE,
  type ListedComment,
  type ReviewComments,
  readPages,
  sortComments,
} from './review-comments.ts'

interface BitbucketRequest {
  id: number
  title: string
  description?: string | null
  state: string
  draft?: boolean
  close_source_branch?: boolean
  reviewers?: { uuid: string }[]
  /** Has no repository if the fork was deleted. */
  source: RequestSide
  destination: RequestSide
  links: { html?: { href?: string } }
}

interface RequestSide {
  branch: { name: string }
  repository?: { full_name: string } | null
}

interface BitbucketComment {
  id: number
  content?: { raw?: string | null }
  deleted?: boolean
  /** True if the comment belongs to a review that is not submitted yet. */
  pending?: boolean
  user?: { type: string; uuid?: string; nickname?: string; display_name?: string }
  inline?: { path: string; to?: number | null }
}

const UUID = /^\{[0-9a-f-]{36}\}$/i
const PAGE_SIZE = 50
const STATES = ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED']
const STATUS_STATES = { pending: 'INPROGRESS', success: 'SUCCESSFUL', failure: 'FAILED' } as const
const WRITERS = new Set(['admin', 'write'])

export function createBitbucketForge(location: ForgeLocation, token: string): Forge {
  const call = createForgeCaller('bitbucket', location, async () => token)
  const repository = `/repositories/${location.path}` as const
  const requests = `${repository}/pullrequests` as const
  const read = (request: BitbucketRequest) => toPullRequest(location, request)
  const findPullRequest: Forge['findPullRequest'] = (branches, signal) =>
    findOnPages(PAGE_SIZE, (page) => {
      const sorted = { sort: '-created_on', pagelen: PAGE_SIZE, page, state: STATES }
      const query = { q: buildQuery(branches), ...sorted }
      return call(signal, `GET ${requests}`, { query }, ({ values }: { values: BitbucketRequest[] }) => {
        // The list includes pull requests from forks.
        const own = values.find((one) => isBetween(one, branches))
        return { found: own === undefined ? null : read(own), count: values.length }
      })
    })
  return {
    kind: 'bitbucket',
    findPullRequest,
    createPullRequest: createOnce(({ branch, target, isDraft = false, ...text }, signal) => {
      const { title, body: description } = fitText(text)
      const ends = { source: { branch: { name: branch } }, destination: { branch: { name: target } } }
      const body = { title, description, ...ends, ...(isDraft && { draft: true }) }
      return call(signal, `POST ${requests}`, { body }, read)
    }, findPullRequest),
    updatePullRequest(id, text, signal) {
      const { title, body: description } = fitText(text)
      return updateRequest(call, `${requests}/${id}`, { title, description }, signal)
    },
    addToPullRequest: (id, extras, signal) => addExtras(call, `${requests}/${id}`, extras, signal),
    markReadyForReview: (id, signal) => updateRequest(call, `${requests}/${id}`, { draft: false }, signal),
    readComments: (id, signal) => readBitbucketComments(call, location.path, id, signal),
    async answerComment(id, { id: comment, text }, signal) {
      // Replies in the thread of the comment.
      const body = { content: { raw: text }, parent: { id: Number(comment.split(':')[1]) } }
      await call(signal, `POST ${requests}/${id}/comments`, { body })
    },
    async setStatus({ name, commit, branch, state, description, url }, signal) {
      const body = {
        ...{
          key: name,
          name: name.replace('octavo/', 'Octavo '),
          state: STATUS_STATES[state],
          description,
          url,
        },
        // Pull requests only show a status with `refname`.
        ...(branch !== null && { refname: branch }),
      }
      await call(signal, `POST ${repository}/commit/${commit}/statuses/build`, { body })
    },
    writeComment(id, comment, signal) {
      const comments = `${requests}/${id}/comments` as const
      const content = (raw: string) => ({ body: { content: { raw } } })
      const calls = {
        list: async (page: number) =>
          (await readPage<BitbucketComment>(call, comments, page, signal)).map((one) => ({
            id: one.id,
            body: one.deleted === true ? '' : (one.content?.raw ?? ''),
          })),
        edit: (number: number, raw: string) =>
          call<BitbucketComment>(signal, `PUT ${comments}/${number}`, content(raw)),
        create: (raw: string) => call<BitbucketComment>(signal, `POST ${comments}`, content(raw)),
      }
      return upsertComment(calls, comment)
    },
  }
}

async function readPage<T>(
  call: ForgeCaller,
  path: `/${string}`,
  page: number,
  signal: AbortSignal,
): Promise<T[]> {
  const query = { pagelen: COMMENTS_PER_PAGE, page }
  return await call(signal, `GET ${path}`, { query }, ({ values }: { values: T[] }) => values)
}

async function addExtras(
  call: ForgeCaller,
  request: `/${string}`,
  { reviewers, labels }: PullRequestExtras,
  signal: AbortSignal,
): Promise<string[]> {
  const unknown = reviewers
    .filter((name) => !UUID.test(name))
    .map((name) =>
      rejectedExtraMessage(`${name} as a reviewer`, 'Bitbucket identifies accounts by their {uuid}.'),
    )
  if (labels.length > 0)
    unknown.push(rejectedExtraMessage(`the labels ${labels.join(', ')}`, 'Bitbucket has no labels.'))
  const parts = reviewers
    .filter((name) => UUID.test(name))
    .map((uuid) => ({
      what: `${uuid} as a reviewer`,
      add: () => updateRequest(call, request, { reviewers: [{ uuid }] }, signal),
    }))
  return [...unknown, ...(await addSeparately(parts))]
}

/**
 * Updates a pull request and adds `reviewers` to the existing ones. Also sends unchanged fields, because
 * Bitbucket resets omitted reviewers, draft state and text.
 */
async function updateRequest(
  call: ForgeCaller,
  request: `/${string}`,
  {
    reviewers = [],
    ...change
  }: Partial<Pick<BitbucketRequest, 'title' | 'description' | 'draft' | 'reviewers'>>,
  signal: AbortSignal,
): Promise<void> {
  const now = await call<BitbucketRequest>(signal, `GET ${request}`)
  const { title, description = '', draft = false, close_source_branch = false } = now
  const present = (now.reviewers ?? []).map(({ uuid }) => ({ uuid }))
  const others = reviewers.filter(({ uuid }) => present.every((one) => one.uuid !== uuid))
  const unchanged = { title, description: description ?? '', draft, close_source_branch }
  await call(signal, `PUT ${request}`, {
    body: { ...unchanged, ...change, reviewers: [...present, ...others] },
  })
}

/** Reads comments on lines and on the pull request, grouped by thread. */
async function readBitbucketComments(
  call: ForgeCaller,
  repository: string,
  id: string,
  signal: AbortSignal,
): Promise<ReviewComments> {
  const comments = `/repositories/${repository}/pullrequests/${id}/comments` as const
  const listed = await readPages((page) => readPage<BitbucketComment>(call, comments, page, signal))
  const said = listed.filter(
    ({ deleted, pending, user }) => deleted !== true && pending !== true && user?.type === 'user',
  )
  const writers = said.length === 0 ? new Set<string>() : await findWriters(call, repository, signal)
  return await sortComments(
    said.map(({ id, user, inline, content }): ListedComment => {
      const { uuid = '', nickname, display_name: name = '' } = user ?? {}
      return {
        ...{ id: `note:${id}`, author: nickname ?? name, authorId: uuid, text: content?.raw ?? '' },
        ...{ path: inline?.path ?? null, line: inline?.to ?? null },
        mayWrite: async () => writers.has(uuid),
      }
    }),
  )
}

/** Returns an empty set if the token cannot read permissions; reading them requires admin access to the repository. */
async function findWriters(
  call: ForgeCaller,
  repository: string,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const [workspace, name] = repository.split('/')
  const path = `/workspaces/${workspace}/permissions/repositories/${name}` as const
  type Permission = { permission: string; user: { uuid: string } }
  try {
    const permissions = await readPages((page) => readPage<Permission>(call, path, page, signal))
    return new Set(
      permissions.filter(({ permission }) => WRITERS.has(permission)).map(({ user }) => user.uuid),
    )
  } catch (error) {
    if ([401, 403, 404].includes(refusalStatus(error) ?? 0)) return new Set()
    throw error
  }
}

/** Builds a query for Bitbucket, whose strings use backslash escapes. */
function buildQuery({ branch, target }: Branches): string {
  const quoted = (name: string) => `"${name.replace(/["\\]/g, '\\$&')}"`
  return `source.branch.name = ${quoted(branch)} AND destination.branch.name = ${quoted(target)}`
}

function isBetween({ source, destination }: BitbucketRequest, { branch, target }: Branches): boolean {
  const isSameRepository = source.repository?.full_name === destination.repository?.full_name
  return isSameRepository && source.branch.name === branch && destination.branch.name === target
}

function toPullRequest(location: ForgeLocation, request: BitbucketRequest): PullRequest {
  const { id, links, state, title, description } = request
  const link = links?.html?.href
  if (typeof title !== 'string' || link === undefined) throw unexpectedResponseError(location)
  return readPullRequest(location, id, link, {
    state: state === 'OPEN' ? 'open' : state === 'MERGED' ? 'merged' : 'closed',
    text: { title, body: description ?? '' },
  })
}
