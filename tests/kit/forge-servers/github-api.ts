/** The API of GitHub Enterprise, following its published description: pull requests, apps and their tokens. */
import { generateKeyPairSync, randomBytes, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createForgeDescription } from './description.ts'
import type { ApiAnswer, ApiRequest, ApiSetup, ForgeApi, Refusal } from './forge-api.ts'
import type { KeptRequest } from './forge-state.ts'
import { createGithubComments } from './github-comments.ts'

type Json = { [key: string]: unknown }

const APP_ID = '4711'
const INSTALLATION_ID = 815

export interface GithubApi extends ForgeApi {
  /** The app is installed for the repository unless `isInstalled` is false. */
  app: { appId: string; privateKey: string; isInstalled: boolean; mayWrite: boolean; mayReport: boolean }
}

function readDescription(): Json {
  const file = new URL('../../fixtures/forges/github.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as Json
}

export function createGithubApi({ state, origin }: ApiSetup): GithubApi {
  const description = createForgeDescription(readDescription(), {
    hasSilentNulls: false,
    errorSchema: { $ref: '#/components/schemas/basic-error' },
  })
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const app = {
    appId: APP_ID,
    privateKey: String(keys.privateKey.export({ type: 'pkcs1', format: 'pem' })),
    isInstalled: true,
    mayWrite: true,
    mayReport: true,
  }
  const tokens: string[] = []
  /** App tokens that may set commit statuses. */
  const reporting = new Set<string | null>()
  const repository = `/repos/${state.path}`
  const comments = createGithubComments({ state, repository, description, refuse })

  async function answer(request: ApiRequest): Promise<ApiAnswer> {
    const route = `${request.method} ${request.path}`
    if (route === `GET ${repository}/pulls`) return { status: 200, body: list(request.query) }
    if (route === `POST ${repository}/pulls`) return await create(request.body)
    if (route === `GET ${repository}/installation`) return installation()
    if (route === `POST /app/installations/${INSTALLATION_ID}/access_tokens`) return createToken(request.body)
    if (request.path.startsWith(`${repository}/statuses/`) && isLimited(request.token))
      return refuse('forbidden')
    const added = add(request)
    if (added !== null) return added
    const said = comments.answer(request)
    if (said !== null) return said
    const [, shown] = /^GET (?:.*)\/pulls\/(\d+)$/.exec(route) ?? []
    const kept = state.requests[Number(shown) - 1]
    if (kept !== undefined) return { status: 200, body: show('pull-request', kept) }
    const [, number] = /^PATCH (?:.*)\/pulls\/(\d+)$/.exec(route) ?? []
    if (number !== undefined && request.path.startsWith(repository))
      return update(Number(number), request.body)
    return refuse('missing')
  }

  function isLimited(token: string | null): boolean {
    return tokens.includes(token ?? '') && !reporting.has(token)
  }

  /** Adds reviewers or labels. Only users with write access can be requested as reviewers. */
  function add({ method, path, body }: ApiRequest): ApiAnswer | null {
    const route = `${method} ${path.slice(repository.length)}`
    const [, asked] = /^POST \/pulls\/(\d+)\/requested_reviewers$/.exec(route) ?? []
    const [, labelled] = /^POST \/issues\/(\d+)\/labels$/.exec(route) ?? []
    const kept = state.requests[Number(asked ?? labelled) - 1]
    if (kept === undefined) return null
    if (labelled !== undefined) {
      kept.labels.push(...(body.labels as string[]))
      const label = (description.example('label-items') as unknown as Json[])[0] ?? {}
      return { status: 200, body: kept.labels.map((name) => ({ ...label, name })) }
    }
    const { reviewers = [], team_reviewers: teams = [] } = body as Record<string, string[]>
    if (reviewers.some((name) => !state.writers.has(name))) {
      const message = 'Reviews may only be requested from collaborators.'
      return { status: 422, body: { message, documentation_url: 'https://docs.github.com/rest' } }
    }
    kept.reviewers.push(...reviewers, ...teams.map((team) => `${state.path.split('/')[0]}/${team}`))
    return { status: 201, body: show('pull-request-simple-items', kept) }
  }

  function list(query: URLSearchParams): Json[] {
    const [owner = '', branch = ''] = (query.get('head') ?? '').split(':')
    const found = state.requests.filter(
      (one) =>
        (query.get('head') === null || (owner === state.path.split('/')[0] && one.branch === branch)) &&
        (query.get('base') === null || one.target === query.get('base')) &&
        (query.get('state') === 'all' ||
          (one.state === 'open') === ((query.get('state') ?? 'open') === 'open')),
    )
    const isNewestFirst = query.get('direction') === 'desc'
    const sorted = isNewestFirst ? found.toReversed() : found
    const size = Number(query.get('per_page') ?? 30)
    const start = (Number(query.get('page') ?? 1) - 1) * size
    return sorted.slice(start, start + size).map((one) => show('pull-request-simple-items', one))
  }

  async function create(body: Json): Promise<ApiAnswer> {
    const { head, base, title } = body as { head: string; base: string; title: string }
    if (!(await state.hasBranch(head))) return invalid({ field: 'head', code: 'invalid' })
    if (!(await state.hasBranch(base))) return invalid({ field: 'base', code: 'invalid' })
    const isThere = state.requests.some(
      (one) => one.state === 'open' && one.branch === head && one.target === base && !one.isFromFork,
    )
    if (isThere) {
      const message = `A pull request already exists for ${state.path.split('/')[0]}:${head}.`
      return invalid({ code: 'custom', message })
    }
    if ((await state.countCommits(base, head)) === 0)
      return invalid({ code: 'custom', message: `No commits between ${base} and ${head}` })
    const made = state.add({
      title,
      body: String(body.body ?? ''),
      branch: head,
      target: base,
      isDraft: body.draft === true,
    })
    return { status: 201, body: show('pull-request', made) }
  }

  function update(number: number, body: Json): ApiAnswer {
    const kept = state.requests[number - 1]
    if (kept === undefined) return refuse('missing')
    Object.assign(kept, { title: body.title ?? kept.title, body: body.body ?? kept.body })
    return { status: 200, body: show('pull-request', kept) }
  }

  /** Fills the description's example with the stored pull request. */
  function show(example: string, kept: KeptRequest): Json {
    const given = description.example(example)
    const shown = (Array.isArray(given) ? given[0] : given) as Json & { head: Json; base: Json }
    const merged = kept.state === 'merged' ? { merged_at: kept.createdAt } : { merged_at: null }
    const closed = kept.state === 'open' ? { closed_at: null } : { closed_at: kept.createdAt }
    return {
      ...shown,
      ...merged,
      ...closed,
      // The team in the example does not match its own schema.
      requested_teams: [],
      number: kept.number,
      node_id: nodeId(kept),
      draft: kept.isDraft,
      title: kept.title,
      body: kept.body,
      state: kept.state === 'open' ? 'open' : 'closed',
      created_at: kept.createdAt,
      html_url: `${origin()}/${state.path}/pull/${kept.number}`,
      head: {
        ...shown.head,
        ref: kept.branch,
        repo: { ...(shown.base.repo as Json), id: kept.isFromFork ? 2 : 1 },
      },
      base: { ...shown.base, ref: kept.target, repo: { ...(shown.base.repo as Json), id: 1 } },
    }
  }

  function installation(): ApiAnswer {
    if (!app.isInstalled) return refuse('missing')
    return { status: 200, body: { ...description.example('installation'), id: INSTALLATION_ID } }
  }

  function createToken(body: Json): ApiAnswer {
    const { statuses } = (body.permissions ?? {}) as { statuses?: string }
    if (!app.mayWrite || (statuses === 'write' && !app.mayReport)) {
      const message = 'The permissions requested are not granted to this installation.'
      const documentation_url = 'https://docs.github.com/rest'
      return { status: 422, body: { message, documentation_url } }
    }
    const token = `ghs_${randomBytes(18).toString('hex')}`
    tokens.push(token)
    if (statuses === 'write') reporting.add(token)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    return { status: 201, body: { token, expires_at, permissions: body.permissions } }
  }

  return {
    basePath: '/api/v3',
    description,
    app,
    answer,
    answerGraphql({ query, variables }) {
      const { id } = (variables ?? {}) as { id?: unknown }
      const kept = state.requests.find((one) => nodeId(one) === id)
      if (!String(query).includes('markPullRequestReadyForReview') || kept === undefined)
        return { status: 200, body: { data: null, errors: [{ message: 'Could not resolve to a node.' }] } }
      kept.isDraft = false
      return { status: 200, body: { data: { markPullRequestReadyForReview: { clientMutationId: null } } } }
    },
    refuse,
    moreTokens: () => tokens,
    isOtherwiseAllowed: ({ path, token }) =>
      (path.endsWith('/installation') || path.startsWith('/app/')) && isSigned(token, keys.publicKey),
  }
}

const nodeId = ({ number }: KeptRequest) => `PR_${number}`

function invalid(error: Json): ApiAnswer {
  const errors = [{ resource: 'PullRequest', ...error }]
  const documentation_url = 'https://docs.github.com/rest/pulls/pulls#create-a-pull-request'
  return { status: 422, body: { message: 'Validation Failed', errors, documentation_url } }
}

/** Checks an app's JWT: signed with its key, issued by the app and valid for at most ten minutes. */
function isSigned(token: string | null, publicKey: Parameters<typeof verify>[2]): boolean {
  const [header = '', payload = '', signature = ''] = (token ?? '').split('.')
  const isGenuine = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  )
  if (!isGenuine) return false
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { [key: string]: unknown }
  const seconds = Date.now() / 1000
  const isFresh = Number(claims.iat) <= seconds && Number(claims.exp) > seconds
  return String(claims.iss) === APP_ID && isFresh && Number(claims.exp) - Number(claims.iat) <= 660
}

const REFUSALS: Record<Refusal, ApiAnswer> = {
  unauthorized: { status: 401, body: { message: 'Bad credentials' } },
  forbidden: { status: 403, body: { message: 'Resource not accessible by personal access token' } },
  rate_limited: {
    status: 403,
    body: { message: 'API rate limit exceeded for user ID 1.' },
    headers: { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0' },
  },
  missing: { status: 404, body: { message: 'Not Found' } },
  server_error: { status: 502, body: { message: 'Server Error' } },
}

function refuse(reason: Refusal): ApiAnswer {
  const { status, body, headers } = REFUSALS[reason]
  const reset = Math.ceil(Date.now() / 1000) + 7
  const more: Record<string, string> = reason === 'rate_limited' ? { 'x-ratelimit-reset': String(reset) } : {}
  const documentation_url = 'https://docs.github.com/rest'
  return { status, body: { ...(body as Json), documentation_url }, headers: { ...headers, ...more } }
}
