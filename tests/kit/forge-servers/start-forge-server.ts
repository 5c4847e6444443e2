/**
 * A stand-in for a forge: its API over real HTTP, and the repository over git's smart HTTP at the same address. It keeps
 * what it is told. Each request and each answer is compared with the description that the forge publishes.
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

/** What goes wrong with calls of the API, until it is set back to null. */
export type ForgeFault =
  /** Connections are closed without an answer. */
  | 'down'
  /** Never answers. */
  | 'silent'
  | Refusal
  /** The token may not set statuses of commits. */
  | 'no_statuses'
  /** Creates the request, then closes the connection without an answer; once. */
  | 'cut_after_create'
  /** Somebody else creates the same request just before; once. */
  | 'created_meanwhile'
  /** Sends callers to another address. */
  | 'moved'
  /** A page for people instead of an answer. */
  | 'not_json'
  /** An answer without end. */
  | 'endless'
  /** Refuses, and quotes the token. */
  | 'quotes_token'

export interface ForgeServer {
  kind: ForgeKind
  /** Where git clones and pushes, and what `openForge` takes. */
  address: string
  /** As tokens and kinds are kept by. */
  host: string
  token: string
  /** The settings of a node that knows this forge and its token. */
  settings: ForgeSettings
  /** What stands at the forge, oldest first. */
  requests: readonly Readonly<KeptRequest>[]
  /** Each call of the API so far. */
  apiRequests: { method: string; path: string; status: number | null; authorization: string | null }[]
  /** Users that pushed or fetched over HTTP, by the name they gave. */
  gitUsers: string[]
  fault: ForgeFault | null
  /** Whether git's side is away too. */
  isGitDown: boolean
  /** What did not fit the published description; disposing throws when there is anything. */
  mismatches: string[]
  /** Of GitHub only. */
  app: (GithubApp & { isInstalled: boolean; mayWrite: boolean; mayReport: boolean }) | null
  /** Runs git in the forge's repository. */
  git(...args: string[]): Promise<string>
  merge(number: number): Promise<void>
  close(number: number): void
  /** As people do at the forge. */
  edit(number: number, text: { title: string; body: string }): void
  /** What people, programs and we said, oldest first. */
  comments: readonly Readonly<KeptComment>[]
  /** What was said of commits, oldest first, as the forge was sent it. */
  statuses: readonly { commit: string; said: { [key: string]: unknown } }[]
  /** As people do at the forge; only `maintainer` and `octavo`, whose token it is, may write to the repository. */
  say(comment: {
    request: number
    author: string
    text: string
    path?: string
    line?: number
  }): Readonly<KeptComment>
  /** Gives a comment a reaction, by the name that the forge has for it. */
  react(comment: number, author: string, name: string): void
  /** Of Bitbucket only: who stands at a request as its reviewer. */
  reviewersOf(number: number): { display_name: string }[]
  /** A request that somebody else has made, by default from a fork. */
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

  /** True when it has answered in the place of git. */
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

  /** Null when the fault has had its own way with the connection. */
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
