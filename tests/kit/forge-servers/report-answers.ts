/** Answers requests for commit statuses, comments and reactions in the format of each forge. */
import type { ApiAnswer, ApiRequest } from './forge-api.ts'
import type { ForgeState, KeptComment } from './forge-state.ts'

type Json = { [key: string]: unknown }

interface Reports {
  state: ForgeState
  /** API path of the repository. */
  base: string
  /** Converts a status to the forge's response format. */
  status: (said: Json) => Json
  comment: (kept: KeptComment) => Json
  reaction?: (given: KeptComment['reactions'][number], id: number) => Json
}

interface Routes {
  status: RegExp
  /** Matches the path of a comment; the last group is its id. */
  change: RegExp
  method: 'PATCH' | 'PUT'
  /** Matches the reactions of a comment; the group is its id. Absent on forges without reactions. */
  reactions?: RegExp
  /** Matches the comments of a pull request; the group is its number. Absent if the forge's API handles them. */
  comments?: RegExp
  textOf: (body: Json) => string
  listed?: (comments: Json[], request: ApiRequest) => unknown
}

/** Returns null for any other request. */
export function answerAboutReports(
  { state, base, status, comment, reaction = () => ({}) }: Reports,
  routes: Routes,
  request: ApiRequest,
): ApiAnswer | null {
  const { method, path, body } = request
  if (!path.startsWith(`${base}/`)) return null
  const rest = path.slice(base.length)
  const [, commit] = routes.status.exec(rest) ?? []
  if (commit !== undefined && method === 'POST') {
    state.statuses.push({ commit, said: body })
    return { status: 201, body: status(body) }
  }
  const changed = routes.change.exec(rest)
  if (changed !== null && method === routes.method) {
    const kept = state.comments.find(({ id }) => id === Number(changed.at(-1)))
    if (kept === undefined) return { status: 404, body: { message: 'Not Found' } }
    state.change(kept, routes.textOf(body))
    return { status: 200, body: comment(kept) }
  }
  const reacted = routes.reactions?.exec(rest) ?? null
  if (reacted !== null && method === 'GET') {
    const kept = state.comments.find(({ id }) => id === Number(reacted[1]))
    const wanted = request.query.get('content')
    const all = kept?.reactions.filter(({ name }) => wanted === null || name === wanted) ?? []
    return { status: 200, body: all.map((one, index) => reaction(one, index + 1)) }
  }
  const [, number] = routes.comments?.exec(rest) ?? []
  if (number === undefined) return null
  if (method === 'POST') {
    const said = { request: Number(number), author: 'octavo', text: routes.textOf(body) }
    return { status: 201, body: comment(state.say(said)) }
  }
  const of = state.comments.filter((one) => one.request === Number(number))
  return { status: 200, body: routes.listed?.(of.map(comment), request) }
}

const COMMIT = '([0-9a-f]{40})'

/** Also used for Gitea, which has the same paths. */
export const GITHUB_REPORTS: Routes = {
  status: new RegExp(`^/statuses/${COMMIT}$`),
  change: /^\/issues\/comments\/(\d+)$/,
  reactions: /^\/issues\/comments\/(\d+)\/reactions$/,
  method: 'PATCH',
  textOf: ({ body }) => String(body),
}

export const GITLAB_REPORTS: Routes = {
  status: new RegExp(`^/statuses/${COMMIT}$`),
  change: /^\/merge_requests\/\d+\/notes\/(\d+)$/,
  reactions: /^\/merge_requests\/\d+\/notes\/(\d+)\/award_emoji$/,
  method: 'PUT',
  comments: /^\/merge_requests\/(\d+)\/notes$/,
  textOf: ({ body }) => String(body),
  listed: (comments, { query }) => pageOf(comments, query.get('page'), query.get('per_page')),
}

export const BITBUCKET_REPORTS: Routes = {
  status: new RegExp(`^/commit/${COMMIT}/statuses/build$`),
  change: /^\/pullrequests\/\d+\/comments\/(\d+)$/,
  method: 'PUT',
  comments: /^\/pullrequests\/(\d+)\/comments$/,
  textOf: ({ content }) => String((content as Json).raw),
  listed: (comments, { query }) => ({ values: pageOf(comments, query.get('page'), query.get('pagelen')) }),
}

function pageOf<T>(all: T[], page: string | null, size: string | null): T[] {
  const count = Number(size ?? 20)
  const start = (Number(page ?? 1) - 1) * count
  return all.slice(start, start + count)
}
