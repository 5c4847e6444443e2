/** GitLab's merge request API, following its published description. */
import { readFileSync } from 'node:fs'
import { createForgeDescription } from './description.ts'
import type { ApiAnswer, ApiRequest, ApiSetup, ForgeApi, Refusal } from './forge-api.ts'
import type { KeptRequest } from './forge-state.ts'
import { answerAboutComments, showUser, userId } from './gitlab-comments.ts'

type Json = { [key: string]: unknown }

const PROJECT_ID = 42
const FORK_ID = 43
const STATES = { open: 'opened', merged: 'merged', closed: 'closed' } as const

export function createGitlabApi({ state, origin }: ApiSetup): ForgeApi {
  const file = new URL('../../fixtures/forges/gitlab.json', import.meta.url)
  const document = JSON.parse(readFileSync(file, 'utf8')) as Json
  const description = createForgeDescription(document, { hasSilentNulls: true })
  const project = `/api/v4/projects/${encodeURIComponent(state.path)}`

  async function answer(request: ApiRequest): Promise<ApiAnswer> {
    const route = `${request.method} ${request.path}`
    if (route === `GET ${project}/merge_requests`) return { status: 200, body: list(request.query) }
    if (route === `POST ${project}/merge_requests`) return await create(request.body)
    const [, shown] = /^GET (?:.*)\/merge_requests\/(\d+)$/.exec(route) ?? []
    const kept = state.requests[Number(shown) - 1]
    if (kept !== undefined) return { status: 200, body: show(kept) }
    if (route === 'GET /api/v4/users') {
      const name = request.query.get('username') ?? ''
      const known = state.writers.has(name) ? [showUser(name)] : []
      return { status: 200, body: known }
    }
    const said = answerAboutComments(state, project, request)
    if (said !== null) return said
    const [, number] = /^PUT (?:.*)\/merge_requests\/(\d+)$/.exec(route) ?? []
    if (number !== undefined && request.path.startsWith(project)) return update(Number(number), request.body)
    return { status: 404, body: { message: '404 Project Not Found' } }
  }

  function list(query: URLSearchParams): Json[] {
    const wanted = (name: string, value: string) => query.get(name) === null || query.get(name) === value
    const found = state.requests.filter(
      (one) =>
        wanted('source_branch', one.branch) &&
        wanted('target_branch', one.target) &&
        ((query.get('state') ?? 'all') === 'all' || wanted('state', STATES[one.state])),
    )
    const sorted = query.get('sort') === 'asc' ? found : found.toReversed()
    const size = Number(query.get('per_page') ?? 20)
    const start = (Number(query.get('page') ?? 1) - 1) * size
    return sorted.slice(start, start + size).map(show)
  }

  async function create(body: Json): Promise<ApiAnswer> {
    const {
      source_branch: branch,
      target_branch: target,
      title,
    } = body as Record<'source_branch' | 'target_branch' | 'title', string>
    for (const name of [branch, target])
      if (!(await state.hasBranch(name)))
        return { status: 422, body: { message: [`Branch "${name}" does not exist`] } }
    const existing = state.requests.find(
      (one) => one.state === 'open' && one.branch === branch && one.target === target && !one.isFromFork,
    )
    if (existing) {
      const message = `Another open merge request already exists for this source branch: !${existing.number}`
      return { status: 409, body: { message: [message] } }
    }
    const made = state.add({ title, body: String(body.description ?? ''), branch, target })
    return { status: 201, body: show(made) }
  }

  function update(number: number, body: Json): ApiAnswer {
    const kept = state.requests[number - 1]
    if (kept === undefined) return { status: 404, body: { message: '404 Not found' } }
    const names = [...state.writers]
    const ids = body.reviewer_ids as number[] | undefined
    Object.assign(kept, {
      title: body.title ?? kept.title,
      body: body.description ?? kept.body,
      labels: body.labels ?? kept.labels,
      reviewers: ids?.map((id) => names.find((name) => userId(name) === id)) ?? kept.reviewers,
    })
    return { status: 200, body: show(kept) }
  }

  function show(kept: KeptRequest): Json {
    return {
      id: 1000 + kept.number,
      iid: kept.number,
      project_id: PROJECT_ID,
      title: kept.title,
      description: kept.body,
      state: STATES[kept.state],
      created_at: kept.createdAt,
      updated_at: kept.createdAt,
      merged_at: kept.state === 'merged' ? kept.createdAt : null,
      closed_at: kept.state === 'closed' ? kept.createdAt : null,
      merged_by: null,
      target_branch: kept.target,
      source_branch: kept.branch,
      source_project_id: kept.isFromFork ? FORK_ID : PROJECT_ID,
      target_project_id: PROJECT_ID,
      labels: kept.labels,
      draft: false,
      merge_status: 'can_be_merged',
      web_url: `${origin()}/${state.path}/-/merge_requests/${kept.number}`,
      has_conflicts: false,
    }
  }

  return {
    basePath: '',
    description,
    answer,
    refuse: (reason) => REFUSALS[reason],
    moreTokens: () => [],
    isOtherwiseAllowed: () => false,
  }
}

const REFUSALS: Record<Refusal, ApiAnswer> = {
  unauthorized: { status: 401, body: { message: '401 Unauthorized' } },
  forbidden: {
    status: 403,
    body: {
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: 'api',
    },
  },
  rate_limited: {
    status: 429,
    body: { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
    headers: { 'retry-after': '7' },
  },
  missing: { status: 404, body: { message: '404 Project Not Found' } },
  server_error: { status: 500, body: { message: '500 Internal Server Error' } },
}
