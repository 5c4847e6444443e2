/**
 * A fake forge: its API over real HTTP, and its repository over git's smart HTTP at the same address. State persists
 * between requests. Every request and response is validated against the forge's published description.
 *
 *   await using forge = await startForgeServer('gitlab', { files: { 'docs/docs.json': '{}' } })
 *   openForge(forge.address, forge.settings)
 *   …
 *   await forge.merge(1)
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import type { ForgeKind } from '../../../src/git/forges/forge-location.ts'
import type { GithubApp } from '../../../src/git/forges/github-app.ts'
import type { ForgeSettings } from '../../../src/git/forges/open-forge.ts'
import { listedGuard, startGitServer } from '../git.ts'
import { type BitbucketApi, createBitbucketApi } from './bitbucket-api.ts'
import type { ApiAnswer, ApiRequest, ForgeApi, Refusal } from './forge-api.ts'
import { type KeptComment, type KeptRequest, openForgeState } from './forge-state.ts'
import { createGiteaApi } from './gitea-api.ts'
import { createGithubApi, type GithubApi } from './github-api.ts'
import { createGitlabApi } from './gitlab-api.ts'

/** Simulated API failure, active until reset to null. */
export type ForgeFault =
  /** Closes connections without a response. */
  | 'down'
  /** Accepts connections but never responds. */
  | 'silent'
  | Refusal
  /** The token is not allowed to set commit statuses. */
  | 'no_statuses'
  /** Creates the pull request, then closes the connection without a response; once. */
  | 'cut_after_create'
  /** Another user creates the same pull request just before; once. */
  | 'created_meanwhile'
  /** Redirects to another address. */
  | 'moved'
  /** Responds with an HTML page. */
  | 'not_json'
  /** Sends a response that never ends. */
  | 'endless'
  /** Responds with an error that contains the token. */
  | 'quotes_token'

export interface ForgeServer {
  kind: ForgeKind
  /** Clone URL, also passed to `openForge`. */
  address: string
  /** Host under which tokens and forge kinds are configured. */
  host: string
  token: string
  /** Settings with this forge and its token configured. */
  settings: ForgeSettings
  /** Pull requests, oldest first. */
  requests: readonly Readonly<KeptRequest>[]
  apiRequests: { method: string; path: string; status: number | null; authorization: string | null }[]
  /** User names sent with pushes and fetches over HTTP. */
  gitUsers: string[]
  fault: ForgeFault | null
  /** Whether git requests fail too. */
  isGitDown: boolean
  /** Mismatches with the published description; dispose throws if there are any. */
  mismatches: string[]
  /** The GitHub app; null for other forges. */
  app: (GithubApp & { isInstalled: boolean; mayWrite: boolean; mayReport: boolean }) | null
  git(...args: string[]): Promise<string>
  merge(number: number): Promise<void>
  close(number: number): void
  /** Edits a pull request like a user of the forge. */
  edit(number: number, text: { title: string; body: string }): void
  /** Comments of all authors, including our own, oldest first. */
  comments: readonly Readonly<KeptComment>[]
  /** Commit statuses as sent to the forge, oldest first. */
  statuses: readonly { commit: string; said: { [key: string]: unknown } }[]
  /** Comments as the author. Only `maintainer` and `octavo`, the owner of the token, have write access. */
  say(comment: {
    request: number
    author: string
    text: string
    path?: string
    line?: number
  }): Readonly<KeptComment>
  /** Adds a reaction to a comment, by the forge's name for it. */
  react(comment: number, author: string, name: string): void
  /** Returns the reviewers of a pull request; Bitbucket only. */
  reviewersOf(number: number): { display_name: string }[]
  /** Adds a pull request by another user, by default from a fork. */
  addRequest(request: { branch: string; target: string; title?: string; isFromFork?: boolean }): number
  [Symbol.asyncDispose](): Promise<void>
}

const APIS = {
  github: createGithubApi,
  gitlab: createGitlabApi,
  gitea: createGiteaApi,
  bitbucket: createBitbucketApi,
} as const satisfies Record<ForgeKind, unknown>

const DEFAULT_PATHS: Record<ForgeKind, string> = {
  github: 'acme/docs',
  gitlab: 'acme/handbook/docs',
  gitea: 'acme/docs',
  bitbucket: 'acme/docs',
}

export async function startForgeServer(
  kind: ForgeKind,
  options: { files: Record<string, string>; path?: string },
): Promise<ForgeServer> {
  const state = await openForgeState(options.path ?? DEFAULT_PATHS[kind], options.files)
  const token = `token-${randomBytes(12).toString('hex')}`
  const api: ForgeApi = APIS[kind]({ state, origin: () => git.url })
  const tokens = () => [token, ...api.moreTokens()]

  const git = await startGitServer({
    folder: state.folder,
    intercept(request, response) {
      const url = new URL(request.url ?? '/', 'http://forge')
      if (/^\/(?:api|2\.0)\//.test(url.pathname)) {
        serveApi(request, response, url).catch((error) => {
          server.mismatches.push(String(error))
          response.destroy()
        })
        return true
      }
      return refuseGit(request, response)
    },
  })
  const { host } = new URL(git.url)

  const server: ForgeServer = {
    kind,
    address: `${git.url}/${state.path}.git`,
    host,
    token,
    settings: {
      kinds: { [host]: kind },
      tokens: { [host]: token },
      githubApp: null,
      network: { guard: listedGuard },
      allowHttp: true,
    },
    requests: state.requests,
    comments: state.comments,
    statuses: state.statuses,
    react: state.react,
    say: state.say,
    apiRequests: [],
    gitUsers: [],
    fault: null,
    isGitDown: false,
    mismatches: [],
    app: kind === 'github' ? (api as GithubApi).app : null,
    git: state.git,
    merge: state.merge,
    close(number) {
      state.get(number).state = 'closed'
    },
    edit(number, text) {
      Object.assign(state.get(number), text)
    },
    reviewersOf: (number) => (kind === 'bitbucket' ? (api as BitbucketApi).reviewersOf(number) : []),
    addRequest: ({ title = 'Another', isFromFork = true, ...branches }) =>
      state.add({ title, body: '', isFromFork, ...branches }).number,
    async [Symbol.asyncDispose]() {
      await git[Symbol.asyncDispose]()
      await state[Symbol.asyncDispose]()
      if (server.mismatches.length > 0)
        throw new Error(`not as ${kind} describes it:\n  ${server.mismatches.join('\n  ')}`)
    },
  }

  /** Returns true if it has sent a response instead of git. */
  function refuseGit(request: IncomingMessage, response: ServerResponse): boolean {
    if (server.isGitDown) {
      response.destroy()
      return true
    }
    const basic = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString()
    const [user = '', password = ''] = basic.split(':')
    if (tokens().includes(password)) {
      server.gitUsers.push(user)
      return false
    }
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    return true
  }

  async function serveApi(incoming: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (url.pathname === '/api/graphql' && api.answerGraphql !== undefined) {
      const isKnown = tokens().includes(incoming.headers.authorization?.split(' ')[1] ?? '')
      const body = (await json(incoming)) as object
      const { status, body: said } = isKnown ? api.answerGraphql(body) : api.refuse('unauthorized')
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
      return
    }
    const hasBody = Number(incoming.headers['content-length'] ?? 0) > 0
    const authorization = incoming.headers.authorization ?? null
    const request: ApiRequest = {
      method: incoming.method ?? '',
      path: url.pathname.slice(api.basePath.length),
      query: url.searchParams,
      body: hasBody ? ((await json(incoming)) as ApiRequest['body']) : {},
      token: authorization?.split(' ')[1] ?? null,
    }
    const described = { ...request, body: hasBody ? request.body : undefined }
    const called = { method: request.method, path: url.pathname + url.search, authorization }
    const log = (status: number | null) => server.apiRequests.push({ ...called, status })
    server.mismatches.push(...api.description.requestFaults(described))

    const answer = await answerWithFault(request, response)
    log(answer?.status ?? null)
    if (answer === null) return
    server.mismatches.push(...api.description.answerFaults(described, answer.status, answer.body))
    const headers = { 'content-type': 'application/json; charset=utf-8', ...answer.headers }
    response.writeHead(answer.status, headers).end(JSON.stringify(answer.body))
  }

  /** Returns null if the fault has already handled the connection. */
  async function answerWithFault(request: ApiRequest, response: ServerResponse): Promise<ApiAnswer | null> {
    const { fault } = server
    const isCreate = request.method === 'POST' && /\/(pulls|merge_requests|pullrequests)$/.test(request.path)
    const isAllowed = api.isOtherwiseAllowed(request) || tokens().includes(request.token ?? '')
    switch (fault) {
      case 'silent':
        return null
      case 'down':
        response.destroy()
        return null
      case 'moved':
        response.writeHead(301, { location: `http://localhost:1${request.path}` }).end('{}')
        return null
      case 'not_json':
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>We will be back soon.</p>')
        return null
      case 'endless':
        response.writeHead(200, { 'content-type': 'application/json' })
        sendEndlessly(response)
        return null
      case 'quotes_token': {
        const { status, body } = api.refuse('forbidden')
        return { status, body: { ...(body as object), message: `no: ${request.token}` } }
      }
      case 'no_statuses':
        if (/\/statuses\//.test(request.path)) return api.refuse('forbidden')
        break
      case 'cut_after_create':
        if (!isCreate) break
        server.fault = null
        await api.answer(request)
        response.destroy()
        return null
      case 'created_meanwhile':
        if (!isCreate) break
        server.fault = null
        await api.answer(request)
        break
      case null:
        break
      default:
        return api.refuse(fault)
    }
    return isAllowed ? await api.answer(request) : api.refuse('unauthorized')
  }

  return server
}

function sendEndlessly(response: ServerResponse): void {
  const chunk = Buffer.alloc(1 << 20, ' ')
  const send = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', send)
  send()
}
