/** Bitbucket's pull request API, following its published description. Fields missing from an update are removed. */
import { readFileSync } from 'node:fs'
import { createForgeDescription } from './description.ts'
import type { ApiAnswer, ApiRequest, ApiSetup, ForgeApi, Refusal } from './forge-api.ts'
import type { KeptComment, KeptRequest } from './forge-state.ts'
import { answerAboutReports, BITBUCKET_REPORTS } from './report-answers.ts'

type Json = { [key: string]: unknown }

const STATES = { open: 'OPEN', merged: 'MERGED', closed: 'DECLINED' } as const
const QUERY =
  /^source\.branch\.name = "((?:[^"\\]|\\.)*)" AND destination\.branch\.name = "((?:[^"\\]|\\.)*)"$/

interface Reviewer {
  type: string
  uuid: string
  display_name?: string
}

export interface BitbucketApi extends ForgeApi {
  reviewersOf(number: number): { display_name: string }[]
}

/** Reviewer added by a person on the forge, which updates must preserve. */
const REVIEWER = { type: 'user', uuid: '{6a1f4d4e-0d5c-4f0e-8f0e-0a8f3a9d2b11}', display_name: 'Reviewer' }

export function createBitbucketApi({ state, origin }: ApiSetup): BitbucketApi {
  const file = new URL('../../fixtures/forges/bitbucket.json', import.meta.url)
  const document = JSON.parse(readFileSync(file, 'utf8')) as Json
  const description = createForgeDescription(document, { hasSilentNulls: true })
  const requests = `/repositories/${state.path}/pullrequests`
  const reviewed = new Map<number, Reviewer[]>()

  async function answer(request: ApiRequest): Promise<ApiAnswer> {
    const { method, path, query, body } = request
    if (path === requests) return method === 'GET' ? list(query) : await create(body)
    const reported = answerAboutReports(
      { state, base: `/repositories/${state.path}`, status: showStatus, comment: showComment },
      BITBUCKET_REPORTS,
      request,
    )
    if (reported !== null) return reported
    if (path === `/workspaces/${state.path.replace('/', '/permissions/repositories/')}`)
      return { status: 200, body: { values: permissions(), page: 1, pagelen: 100 } }
    const [, number] = /\/pullrequests\/(\d+)$/.exec(path) ?? []
    const kept = state.requests[Number(number) - 1]
    if (kept === undefined || !path.startsWith(`${requests}/`)) return REFUSALS.missing
    return method === 'GET' ? { status: 200, body: show(kept) } : change(kept, body)
  }

  /** Everyone has at least read access. */
  function permissions(): Json[] {
    const authors = new Set([...state.writers, ...state.comments.map(({ author }) => author)])
    return [...authors].map((author) => ({
      type: 'repository_permission',
      permission: state.writers.has(author) ? 'write' : 'read',
      user: accountOf(author),
    }))
  }

  function list(query: URLSearchParams): ApiAnswer {
    const [, branch, target] = QUERY.exec(query.get('q') ?? '') ?? []
    const unquoted = (text = '') => text.replace(/\\(.)/g, '$1')
    const wanted = query.getAll('state')
    const size = Number(query.get('pagelen') ?? 10)
    const page = Number(query.get('page') ?? 1)
    const values = state.requests
      .filter((one) => one.branch === unquoted(branch) && one.target === unquoted(target))
      .filter((one) => (wanted.length === 0 ? one.state === 'open' : wanted.includes(STATES[one.state])))
      .toSorted((a, b) => (query.get('sort') === '-created_on' ? b.number - a.number : a.number - b.number))
      .slice((page - 1) * size, page * size)
      .map(show)
    return { status: 200, body: { values, page, pagelen: size } }
  }

  async function create(body: Json): Promise<ApiAnswer> {
    const { title, source, destination } = body as {
      title: string
      source: { branch: { name: string } }
      destination: { branch: { name: string } }
    }
    const [branch, target] = [source.branch.name, destination.branch.name]
    for (const name of [branch, target])
      if (!(await state.hasBranch(name))) return badRequest(`branch not found: ${name}`)
    const existing = state.requests.find(
      (one) => one.state === 'open' && one.branch === branch && one.target === target && !one.isFromFork,
    )
    if (existing) return badRequest('There is already an open pull request for these branches.')
    const isDraft = body.draft === true
    const made = state.add({ title, body: String(body.description ?? ''), branch, target, isDraft })
    reviewed.set(made.number, [REVIEWER])
    return { status: 201, body: show(made) }
  }

  function change(kept: KeptRequest, body: Json): ApiAnswer {
    if (typeof body.title !== 'string') return badRequest('title: This field is required.')
    Object.assign(kept, {
      title: body.title,
      body: String(body.description ?? ''),
      isDraft: body.draft === true,
    })
    const wanted = (body.reviewers ?? []) as Pick<Reviewer, 'uuid'>[]
    reviewed.set(
      kept.number,
      wanted.map(({ uuid }) => (uuid === REVIEWER.uuid ? REVIEWER : { type: 'user', uuid })),
    )
    kept.reviewers = wanted.map(({ uuid }) => uuid).filter((uuid) => uuid !== REVIEWER.uuid)
    return { status: 200, body: show(kept) }
  }

  function show(kept: KeptRequest): Json {
    const repository = (name: string) => ({ type: 'repository', full_name: name })
    return {
      type: 'pullrequest',
      id: kept.number,
      title: kept.title,
      description: kept.body,
      state: STATES[kept.state],
      draft: kept.isDraft,
      close_source_branch: false,
      created_on: kept.createdAt,
      updated_on: kept.createdAt,
      comment_count: 0,
      task_count: 0,
      reviewers: reviewed.get(kept.number) ?? [],
      source: {
        branch: { name: kept.branch },
        repository: repository(kept.isFromFork ? 'somebody/docs' : state.path),
      },
      destination: { branch: { name: kept.target }, repository: repository(state.path) },
      links: { html: { href: `${origin()}/${state.path}/pull-requests/${kept.number}` } },
    }
  }

  return {
    basePath: '/2.0',
    description,
    answer,
    refuse: (reason) => REFUSALS[reason],
    moreTokens: () => [],
    isOtherwiseAllowed: () => false,
    reviewersOf: (number) =>
      (reviewed.get(number) ?? []).map(({ uuid, display_name = uuid }) => ({ display_name })),
  }
}

function showStatus(said: Json): Json {
  return { type: 'build', ...said, created_on: '2026-01-01T00:00:00Z', updated_on: '2026-01-01T00:00:00Z' }
}

function showComment({ id, author, text, path, line, createdAt }: KeptComment): Json {
  return {
    type: 'pullrequest_comment',
    id,
    user: accountOf(author),
    content: { raw: text },
    deleted: false,
    created_on: createdAt,
    ...(path !== null && { inline: { path, ...(line !== null && { to: line }) } }),
  }
}

/** Gives every author a distinct id, since several accounts can share a nickname. */
function accountOf(author: string): Json {
  const digits = Buffer.from(author).toString('hex').padEnd(32, '0').slice(0, 32)
  const uuid = `{${digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}}`
  return { type: 'user', uuid, nickname: author.split('#')[0], display_name: author }
}

function badRequest(message: string): ApiAnswer {
  return { status: 400, body: { type: 'error', error: { message } } }
}

function refusal(status: number, message: string, headers?: Record<string, string>): ApiAnswer {
  const body = { type: 'error', error: { message } }
  return headers === undefined ? { status, body } : { status, body, headers }
}

const REFUSALS: Record<Refusal, ApiAnswer> = {
  unauthorized: refusal(401, 'Token is invalid, expired, or not supported for this endpoint.'),
  forbidden: refusal(403, 'Your credentials lack one or more required privilege scopes.'),
  rate_limited: refusal(429, 'Rate limit for this resource has been exceeded', { 'retry-after': '7' }),
  missing: refusal(404, 'Repository acme/docs not found'),
  server_error: refusal(500, 'Something went wrong'),
}
