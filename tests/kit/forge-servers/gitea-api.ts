/** The pull request API of Gitea and Forgejo, following its published description. */
import { readFileSync } from 'node:fs'
import { createForgeDescription } from './description.ts'
import type { ApiAnswer, ApiRequest, ApiSetup, ForgeApi, Refusal } from './forge-api.ts'
import type { KeptRequest } from './forge-state.ts'
import { answerAboutComments } from './gitea-comments.ts'

type Json = { [key: string]: unknown }

const REPOSITORY_ID = 1
const FORK_ID = 2

export function createGiteaApi({ state, origin }: ApiSetup): ForgeApi {
  const file = new URL('../../fixtures/forges/gitea.json', import.meta.url)
  const document = JSON.parse(readFileSync(file, 'utf8')) as Json
  const description = createForgeDescription(document, {
    hasSilentNulls: true,
    errorSchema: { $ref: '#/definitions/APIError' },
  })
  const repository = `/repos/${state.path}`

  async function answer(request: ApiRequest): Promise<ApiAnswer> {
    const route = `${request.method} ${request.path}`
    const pulls = `${repository}/pulls`
    if (route === `GET ${repository}`) return { status: 200, body: showRepository(REPOSITORY_ID) }
    if (route === `GET ${pulls}`) return { status: 200, body: await list(request.query) }
    if (route === `POST ${pulls}`) return await create(request.body)
    const added = add(request)
    if (added !== null) return added
    const said = answerAboutComments(state, repository, request)
    if (said !== null) return said
    if (!request.path.startsWith(`${pulls}/`)) return REFUSALS.missing
    const rest = request.path.slice(pulls.length + 1)
    if (request.method === 'PATCH') return await update(Number(rest), request.body)
    const [base = '', ...head] = rest.split('/')
    return await getByBranches(decodeURIComponent(base), decodeURIComponent(head.join('/')))
  }

  function add({ method, path, body }: ApiRequest): ApiAnswer | null {
    const route = `${method} ${path.slice(repository.length)}`
    const [, asked] = /^POST \/pulls\/(\d+)\/requested_reviewers$/.exec(route) ?? []
    const [, labelled] = /^POST \/issues\/(\d+)\/labels$/.exec(route) ?? []
    const kept = state.requests[Number(asked ?? labelled) - 1]
    if (kept === undefined) return null
    if (labelled !== undefined) {
      kept.labels.push(...(body.labels as string[]))
      return { status: 200, body: kept.labels.map((name, index) => ({ id: index + 1, name })) }
    }
    const { reviewers = [], team_reviewers: teams = [] } = body as Record<string, string[]>
    const unknown = reviewers.find((name) => !state.writers.has(name))
    if (unknown !== undefined) return refusal(404, `user '${unknown}' not exist`)
    kept.reviewers.push(...reviewers, ...teams.map((team) => `${state.path.split('/')[0]}/${team}`))
    return {
      status: 201,
      body: kept.reviewers.map((_, index) => ({ id: index + 1, state: 'REQUEST_REVIEW' })),
    }
  }

  /** Lists newest first, regardless of the requested order. */
  async function list(query: URLSearchParams): Promise<Json[]> {
    const wanted = query.get('state') ?? 'open'
    const found = state.requests.filter(
      (one) => wanted === 'all' || (one.state === 'open') === (wanted === 'open'),
    )
    const size = Math.min(Number(query.get('limit') ?? 30), 50)
    const start = (Number(query.get('page') ?? 1) - 1) * size
    return await Promise.all(
      found
        .toReversed()
        .slice(start, start + size)
        .map(show),
    )
  }

  /** With several matches, the database returns the first one it finds. */
  async function getByBranches(target: string, branch: string): Promise<ApiAnswer> {
    const found = state.requests.find(
      (one) => one.branch === branch && one.target === target && !one.isFromFork,
    )
    return found ? { status: 200, body: await show(found) } : REFUSALS.missing
  }

  async function create(body: Json): Promise<ApiAnswer> {
    const { head, base, title } = body as { head: string; base: string; title: string }
    for (const name of [head, base]) if (!(await state.hasBranch(name))) return REFUSALS.missing
    const existing = state.requests.find(
      (one) => one.state === 'open' && one.branch === head && one.target === base && !one.isFromFork,
    )
    if (existing) {
      const ids = `id: ${existing.number}, issue_id: ${existing.number}, head_repo_id: 1, base_repo_id: 1`
      const names = `head_branch: ${head}, base_branch: ${base}`
      return refusal(409, `pull request already exists for these targets [${ids}, ${names}]`)
    }
    const made = state.add({ title, body: String(body.body ?? ''), branch: head, target: base })
    return { status: 201, body: await show(made) }
  }

  async function update(number: number, body: Json): Promise<ApiAnswer> {
    const kept = state.requests[number - 1]
    if (kept === undefined) return REFUSALS.missing
    Object.assign(kept, { title: body.title ?? kept.title, body: body.body ?? kept.body })
    return { status: 201, body: await show(kept) }
  }

  async function show(kept: KeptRequest): Promise<Json> {
    const isThere = kept.isFromFork || (await state.hasBranch(kept.branch))
    const headId = kept.isFromFork ? FORK_ID : REPOSITORY_ID
    return {
      id: 500 + kept.number,
      number: kept.number,
      title: kept.title,
      body: kept.body,
      state: kept.state === 'open' ? 'open' : 'closed',
      merged: kept.state === 'merged',
      merged_at: kept.state === 'merged' ? kept.createdAt : null,
      closed_at: kept.state === 'open' ? null : kept.createdAt,
      created_at: kept.createdAt,
      labels: [],
      milestone: null,
      html_url: `${origin()}/${state.path}/pulls/${kept.number}`,
      base: {
        label: kept.target,
        ref: kept.target,
        repo_id: REPOSITORY_ID,
        repo: showRepository(REPOSITORY_ID),
      },
      head: {
        label: kept.branch,
        ref: isThere ? kept.branch : `refs/pull/${kept.number}/head`,
        repo_id: headId,
        repo: showRepository(headId),
      },
    }
  }

  function showRepository(id: number): Json {
    const [owner, name] = state.path.split('/')
    return {
      id,
      name,
      full_name: id === FORK_ID ? `fork/${name}` : state.path,
      owner: { id: 7, login: owner },
    }
  }

  return {
    basePath: '/api/v1',
    description,
    answer,
    refuse: (reason) => REFUSALS[reason],
    moreTokens: () => [],
    isOtherwiseAllowed: () => false,
  }
}

function refusal(status: number, message: string, headers?: Record<string, string>): ApiAnswer {
  const body = { message, url: 'https://gitea.example.com/api/swagger' }
  return headers === undefined ? { status, body } : { status, body, headers }
}

const REFUSALS: Record<Refusal, ApiAnswer> = {
  unauthorized: refusal(401, 'user does not exist [uid: 0, name: ]'),
  forbidden: refusal(
    403,
    'token does not have at least one of required scope(s), required=[write:repository], token scope=read:repository',
  ),
  // Gitea has no rate limit, but proxies in front of it do.
  rate_limited: refusal(429, 'Too Many Requests', { 'retry-after': '7' }),
  missing: refusal(404, "The target couldn't be found."),
  server_error: refusal(500, 'Internal Server Error'),
}
