/** Merge requests on GitLab: https://docs.gitlab.com/api/merge_requests/ */
import type { Forge, PullRequest, PullRequestExtras } from './forge.ts'
import { nullIfNotFound, refusalStatus } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { fitText, readPullRequest } from './forge-request.ts'
import {
  addSeparately,
  createForgeCaller,
  createOnce,
  type ForgeCaller,
  findOnPages,
  rejectedExtraMessage,
  selectApprovals,
  upsertComment,
} from './rest-forge.ts'
import {
  COMMENTS_PER_PAGE,
  type ListedComment,
  type ReviewComments,
  readPages,
  sortComments,
} from './review-comments.ts'

interface MergeRequest {
  iid: number
  web_url: string
  /** `locked` while it is being merged. */
  state: string
  source_branch: string
  target_branch: string
  source_project_id: number | null
  target_project_id: number
  title: string
  description: string | null
  labels?: string[]
  reviewers?: { id: number }[] | null
}

interface Discussion {
  id: string
  notes: {
    id: number
    body: string
    author: { id: number; username: string }
    system: boolean
    position?: { new_path: string | null; new_line: number | null } | null
  }[]
}

interface Note {
  id: number
  body: string
  updated_at?: string
}

interface Award {
  name: string
  user: { id: number; username: string }
  created_at: string
}

const PAGE_SIZE = 30
const STATUS_STATES = { pending: 'pending', success: 'success', failure: 'failed' } as const
/** Access level "Developer", the lowest with push access. */
const DEVELOPER_ACCESS_LEVEL = 30
/** Matches user names of project and group tokens and of service accounts. */
const PROGRAM = /^(?:project|group)_\d+_bot|^service_account_|-bot$|^ghost\d*$/

export function createGitlabForge(location: ForgeLocation, token: string): Forge {
  const call = createForgeCaller('gitlab', location, async () => token)
  const project = `/projects/${encodeURIComponent(location.path)}` as const
  const requests = `${project}/merge_requests` as const
  const read = (request: MergeRequest) => toPullRequest(location, request)
  const findPullRequest: Forge['findPullRequest'] = ({ branch, target }, signal) =>
    findOnPages(PAGE_SIZE, (page) => {
      const sorted = { scope: 'all', order_by: 'created_at', sort: 'desc', per_page: PAGE_SIZE, page }
      const query = { source_branch: branch, target_branch: target, ...sorted }
      return call(signal, `GET ${requests}`, { query }, (listed: MergeRequest[]) => {
        // The list includes merge requests from forks.
        const own = listed.find(
          (one) =>
            one.source_project_id === one.target_project_id &&
            one.source_branch === branch &&
            one.target_branch === target,
        )
        return { found: own === undefined ? null : read(own), count: listed.length }
      })
    })
  return {
    kind: 'gitlab',
    findPullRequest,
    createPullRequest: createOnce(({ branch, target, isDraft = false, ...text }, signal) => {
      const { title, body } = fitText({ ...text, title: isDraft ? `Draft: ${text.title}` : text.title })
      const request = { source_branch: branch, target_branch: target, title, description: body }
      return call(signal, `POST ${requests}`, { body: request }, read)
    }, findPullRequest),
    async updatePullRequest(id, text, signal) {
      const { title, body } = fitText(text)
      await call(signal, `PUT ${requests}/${id}`, { body: { title, description: body } })
    },
    addToPullRequest: (id, extras, signal) => addExtras(call, `${requests}/${id}`, extras, signal),
    readComments: (id, signal) => readGitlabComments(call, project, id, signal),
    async answerComment(id, { id: comment, text: body }, signal) {
      // Replying to a standalone comment starts a thread.
      const [thread] = comment.split(':')
      await call(signal, `POST ${requests}/${id}/discussions/${thread}/notes`, { body: { body } })
    },
    async setStatus({ name, commit, branch, state, description, url }, signal) {
      const body = {
        ...{ state: STATUS_STATES[state], name, description, target_url: url },
        ...(branch !== null && { ref: branch }),
      }
      try {
        await call(signal, `POST ${project}/statuses/${commit}`, { body })
      } catch (error) {
        // GitLab rejects a status that is already set.
        if (refusalStatus(error) !== 400 || !/Cannot transition status/i.test((error as Error).message))
          throw error
      }
    },
    writeComment(id, comment, signal) {
      const notes = `${requests}/${id}/notes` as const
      const sorted = { sort: 'asc', order_by: 'created_at', per_page: COMMENTS_PER_PAGE }
      const calls = {
        list: (page: number) => call<Note[]>(signal, `GET ${notes}`, { query: { ...sorted, page } }),
        edit: (note: number, body: string) => call<Note>(signal, `PUT ${notes}/${note}`, { body: { body } }),
        create: (body: string) => call<Note>(signal, `POST ${notes}`, { body: { body } }),
      }
      return upsertComment(calls, comment)
    },
    async readApprovals(id, comment, signal) {
      const route = `GET ${requests}/${id}/notes/${comment.id}/award_emoji` as const
      const query = { per_page: COMMENTS_PER_PAGE }
      const listed = (await nullIfNotFound(call<Award[]>(signal, route, { query }))) ?? []
      const reactions = listed
        .filter(({ user }) => !PROGRAM.test(user.username))
        .map(({ name, user, created_at: at }) => ({
          ...{ author: user.username, at, isThumbsUp: name === 'thumbsup' },
          mayWrite: () => mayWrite(call, project, user.id, signal),
        }))
      return await selectApprovals(comment, reactions)
    },
  }
}

async function mayWrite(
  call: ForgeCaller,
  project: `/${string}`,
  user: number,
  signal: AbortSignal,
): Promise<boolean> {
  const member = call<{ access_level: number }>(signal, `GET ${project}/members/all/${user}`)
  return ((await nullIfNotFound(member))?.access_level ?? 0) >= DEVELOPER_ACCESS_LEVEL
}

/** GitLab requires reviewer ids, and an update replaces the whole list. */
async function addExtras(
  call: ForgeCaller,
  request: `/${string}`,
  { reviewers, labels }: PullRequestExtras,
  signal: AbortSignal,
): Promise<string[]> {
  const ids: number[] = []
  const unknown: string[] = []
  for (const username of reviewers) {
    const [user] = await call<{ id: number }[]>(signal, 'GET /users', { query: { username } })
    if (user !== undefined) ids.push(user.id)
    else unknown.push(rejectedExtraMessage(`${username} as a reviewer`, 'There is no user with this name.'))
  }
  if (ids.length === 0 && labels.length === 0) return unknown
  const now = await call<MergeRequest>(signal, `GET ${request}`)
  const body = {
    ...(ids.length > 0 && {
      reviewer_ids: [...new Set([...(now.reviewers ?? []).map(({ id }) => id), ...ids])],
    }),
    ...(labels.length > 0 && { labels: [...new Set([...(now.labels ?? []), ...labels])] }),
  }
  const add = () => call(signal, `PUT ${request}`, { body })
  return [...unknown, ...(await addSeparately([{ what: 'reviewers and labels', add }]))]
}

async function readGitlabComments(
  call: ForgeCaller,
  project: `/${string}`,
  id: string,
  signal: AbortSignal,
): Promise<ReviewComments> {
  const threads = await readPages((page) => {
    const query = { per_page: COMMENTS_PER_PAGE, page }
    return call<Discussion[]>(signal, `GET ${project}/merge_requests/${id}/discussions`, { query })
  })
  const listed = threads
    .flatMap(({ id: thread, notes }) => notes.map((note) => ({ ...note, thread })))
    .filter(({ system, author }) => !system && !PROGRAM.test(author.username))
    .sort((a, b) => a.id - b.id)
  return await sortComments(
    listed.map(
      ({ id, thread, author, body, position }): ListedComment => ({
        ...{ id: `${thread}:${id}`, author: author.username, text: body },
        ...{ path: position?.new_path ?? null, line: position?.new_line ?? null },
        mayWrite: () => mayWrite(call, project, author.id, signal),
      }),
    ),
  )
}

function toPullRequest(location: ForgeLocation, request: MergeRequest): PullRequest {
  const { iid, web_url, state, title, description } = request
  const known = state === 'merged' || state === 'closed' ? state : 'open'
  return readPullRequest(location, iid, web_url, { state: known, text: { title, body: description ?? '' } })
}
