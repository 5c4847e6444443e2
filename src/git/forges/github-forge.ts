/** Pull requests on GitHub and GitHub Enterprise: https://docs.github.com/rest/pulls */
import type { Forge, PullRequest } from './forge.ts'
import { nullIfNotFound } from './forge-errors.ts'
import type { ForgeLocation } from './forge-location.ts'
import { fitText, readPullRequest } from './forge-request.ts'
import {
  addSeparately,
  createForgeCaller,
  createOnce,
  type ForgeCaller,
  findOnPages,
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

interface GithubRequest {
  number: number
  html_url: string
  state: string
  merged_at: string | null
  title: string
  body: string | null
  head: { ref: string; repo: { id: number } | null }
  base: { ref: string; repo: { id: number } }
}

interface GithubComment {
  id: number
  user: { login: string; type: string } | null
  body?: string | null
  author_association?: string
  created_at?: string
  submitted_at?: string
  /** Verdict; only present in reviews. */
  state?: string
  path?: string | null
  line?: number | null
}

interface GithubReaction {
  user: { login: string; type: string } | null
  created_at: string
}

const PAGE_SIZE = 30
const MARK_READY_MUTATION =
  'mutation ($id: ID!) { markPullRequestReadyForReview(input: { pullRequestId: $id }) { clientMutationId } }'
/** Authors who may have write access, which must be checked: organization members can be read-only. */
const INSIDER_ASSOCIATIONS = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])
const WRITERS = new Set(['admin', 'write'])

export function createGithubForge(
  location: ForgeLocation,
  getToken: (signal: AbortSignal) => Promise<string>,
): Forge {
  const call = createForgeCaller('github', location, getToken)
  const at = `/repos/${location.path}` as const
  const [owner] = location.path.split('/')
  const read = (request: GithubRequest) => toPullRequest(location, request)
  const findPullRequest: Forge['findPullRequest'] = ({ branch, target }, signal) =>
    findOnPages(PAGE_SIZE, (page) => {
      const sorted = { state: 'all', sort: 'created', direction: 'desc', per_page: PAGE_SIZE, page }
      const query = { head: `${owner}:${branch}`, base: target, ...sorted }
      return call(signal, `GET ${at}/pulls`, { query }, (listed: GithubRequest[]) => {
        // The filter of the list also matches a fork by the same owner under another name.
        const own = listed.find(
          ({ head, base }) => head.ref === branch && base.ref === target && head.repo?.id === base.repo.id,
        )
        return { found: own === undefined ? null : read(own), count: listed.length }
      })
    })
  return {
    kind: 'github',
    findPullRequest,
    createPullRequest: createOnce(({ branch, target, isDraft = false, ...text }, signal) => {
      const body = { head: branch, base: target, draft: isDraft, ...fitText(text) }
      return call(signal, `POST ${at}/pulls`, { body }, read)
    }, findPullRequest),
    async markReadyForReview(id, signal) {
      const shown = await call<{ draft: boolean; node_id: string }>(signal, `GET ${at}/pulls/${id}`)
      if (!shown.draft) return
      // Available only in the GraphQL API.
      const apiPath = location.apiPath.replace(/\/v3$/, '')
      const graphql = createForgeCaller('github', { ...location, apiPath }, getToken)
      const body = { query: MARK_READY_MUTATION, variables: { id: shown.node_id } }
      await graphql(signal, 'POST /graphql', { body }, ({ errors }: { errors?: unknown }) => {
        if (errors !== undefined) throw new TypeError('the draft was not marked as ready for review')
      })
    },
    readComments: (id, signal) => readGithubComments(call, at, id, signal),
    async answerComment(id, { id: comment, text: body }, signal) {
      const [kind, number] = comment.split(':')
      // Replies in the thread of a line comment, otherwise in the conversation.
      const thread = kind === 'line' ? `pulls/${id}/comments/${number}/replies` : `issues/${id}/comments`
      await call(signal, `POST ${at}/${thread}`, { body: { body } })
    },
    async readApprovals(_id, comment, signal) {
      const route = `GET ${at}/issues/comments/${comment.id}/reactions` as const
      const query = { content: '+1', per_page: COMMENTS_PER_PAGE }
      const listed = (await nullIfNotFound(call<GithubReaction[]>(signal, route, { query }))) ?? []
      const people = listed.filter(({ user }) => user?.type === 'User')
      const reactions = people.map(({ user, created_at }) => {
        const author = user?.login ?? ''
        return {
          author,
          at: created_at,
          isThumbsUp: true,
          mayWrite: () => mayWrite(call, at, author, signal),
        }
      })
      return await selectApprovals(comment, reactions)
    },
    ...githubOperations(call, at, (page) => ({ per_page: COMMENTS_PER_PAGE, page })),
  }
}

async function mayWrite(
  call: ForgeCaller,
  at: `/${string}`,
  username: string,
  signal: AbortSignal,
): Promise<boolean> {
  const route = `GET ${at}/collaborators/${encodeURIComponent(username)}/permission` as const
  const known = await nullIfNotFound(call<{ permission: string }>(signal, route))
  return known !== null && WRITERS.has(known.permission)
}

/** Operations shared with Gitea. `pageQuery` is null if lists of comments are not paginated. */
export function githubOperations(
  call: ForgeCaller,
  at: `/${string}`,
  pageQuery: ((page: number) => Record<string, number>) | null,
): Pick<Forge, 'updatePullRequest' | 'addToPullRequest' | 'setStatus' | 'writeComment'> {
  return {
    async updatePullRequest(id, text, signal) {
      await call(signal, `PATCH ${at}/pulls/${id}`, { body: fitText(text) })
    },
    addToPullRequest: (id, { reviewers, labels }, signal) =>
      addSeparately([
        ...reviewers.map((name) => {
          // A name with a slash is a team.
          const [, team] = name.split('/')
          const body = team === undefined ? { reviewers: [name] } : { team_reviewers: [team] }
          const route = `POST ${at}/pulls/${id}/requested_reviewers` as const
          return { what: `${name} as a reviewer`, add: () => call(signal, route, { body }) }
        }),
        // A single request for all labels, because forges create or skip missing labels.
        ...(labels.length === 0 ? [] : [labels]).map((all) => ({
          what: `the labels ${all.join(', ')}`,
          add: () => call(signal, `POST ${at}/issues/${id}/labels`, { body: { labels: all } }),
        })),
      ]),
    async setStatus({ name, commit, state, description, url }, signal) {
      const body = { state, description, target_url: url, context: name }
      await call(signal, `POST ${at}/statuses/${commit}`, { body })
    },
    writeComment: (id, comment, signal) =>
      upsertComment(
        {
          list: async (page) =>
            page > 1 && pageQuery === null
              ? []
              : await call(signal, `GET ${at}/issues/${id}/comments`, { query: pageQuery?.(page) ?? {} }),
          edit: (number, body) => call(signal, `PATCH ${at}/issues/comments/${number}`, { body: { body } }),
          create: (body) => call(signal, `POST ${at}/issues/${id}/comments`, { body: { body } }),
        },
        comment,
      ),
  }
}

async function readGithubComments(
  call: ForgeCaller,
  at: `/${string}`,
  id: string,
  signal: AbortSignal,
): Promise<ReviewComments> {
  const list = (path: string, kind: string) =>
    readPages((page) =>
      call(
        signal,
        `GET ${at}/${path}`,
        { query: { per_page: COMMENTS_PER_PAGE, page } },
        (listed: GithubComment[]) => listed.map((one) => ({ ...one, kind })),
      ),
    )
  const listed = [
    ...(await list(`pulls/${id}/comments`, 'line')),
    ...(await list(`pulls/${id}/reviews`, 'review')).filter(({ state }) => state !== 'PENDING'),
    ...(await list(`issues/${id}/comments`, 'note')),
  ]
  const timeOf = ({ created_at, submitted_at }: GithubComment) =>
    Date.parse(created_at ?? submitted_at ?? '') || 0
  return await sortComments(
    listed
      .filter(({ user }) => user?.type === 'User')
      .sort((a, b) => timeOf(a) - timeOf(b))
      .map(({ kind, id, user, body, path, line, author_association: association = '' }): ListedComment => {
        const author = user?.login ?? ''
        return {
          ...{ id: `${kind}:${id}`, author, path: path ?? null, line: line ?? null, text: body ?? '' },
          mayWrite: async () =>
            INSIDER_ASSOCIATIONS.has(association) && (await mayWrite(call, at, author, signal)),
        }
      }),
  )
}

function toPullRequest(location: ForgeLocation, request: GithubRequest): PullRequest {
  const { number, html_url, state, merged_at, title, body } = request
  return readPullRequest(location, number, html_url, {
    state: merged_at ? 'merged' : state === 'open' ? 'open' : 'closed',
    text: { title, body: body ?? '' },
  })
}
