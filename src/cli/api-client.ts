/** API clients for commands: for any server with an admin key, or for the server on this machine as its operator. */
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { loadConfig, readClientSettings, readDataSettings } from '../app/config/config.ts'
import { findServer, findServerLocation, NoServerError } from '../app/operator/find-server.ts'
import { resolveProgramCommand } from '../app/operator/program-call.ts'
import { listRunningServers, type RunningServer } from '../app/operator/running-servers.ts'
import type { ErrorCode } from '../base/errors/errors.ts'
import { signRequest } from '../base/operator-proof.ts'
import { ApiError, createCaller } from '../client/call.ts'
import { createClient, type OctavoClient } from '../client/client.ts'
import { createOperationCalls } from '../client/operation-calls.ts'
import { ADDRESSES } from '../features/addresses.ts'
import { DASHBOARD_ADDRESSES } from '../features/dashboard-addresses.ts'
import type { DASHBOARD_OPERATIONS } from '../features/dashboard-operations.ts'
import type { OPERATIONS } from '../features/operations.ts'
import type { OperatorProject } from '../features/projects/operations/operator.ts'
import type { UpdateProjectBody } from '../features/projects/operations/projects.ts'
import { type CommandInput, type Flag, UsageError } from './command.ts'
import { RefusedError } from './operator-error.ts'

export const CLIENT_FLAGS = {
  url: {
    value: 'address',
    help: 'URL of the API. Default: OCTAVO_URL, or the server running on this machine.',
  },
  key: {
    value: 'key',
    help: "Admin API key. Prefer the environment variable OCTAVO_KEY, which is not visible in the process list. Not needed on the server's machine if you can read its data folder.",
  },
} as const satisfies Record<string, Flag>

export const PROJECT_FLAG = {
  value: 'id or domain',
  help: 'Project: its ID (prj_…) or one of its domains.',
  isRequired: true,
} as const satisfies Flag

export const PROJECT_API_FLAGS = { project: PROJECT_FLAG, ...CLIENT_FLAGS } as const

export const PAGE_FLAGS = {
  limit: { value: 'number', help: 'Number of entries, 1 to 100. Default: 50.' },
  cursor: { value: 'cursor', help: 'Cursor printed with the previous page.' },
} as const satisfies Record<string, Flag>

/** Does not validate the values, because the API does. */
export function pageQuery(flag: CommandInput['flag']): { limit?: number; cursor?: string } {
  const [limit, cursor] = [flag('limit'), flag('cursor')]
  return { ...(limit !== undefined && { limit: Number(limit) }), ...(cursor !== undefined && { cursor }) }
}

export const ORG_FLAG = {
  value: 'id',
  help: 'Organization. Can be omitted if there is only one.',
} as const satisfies Flag

export interface Api {
  client: OctavoClient
  /** If no lookup was necessary, both fields are the name given by the user. */
  project: { id: string; domain: string }
}

/**
 * Opens the API for a project named by id or domain. `needs` is the kind of name that the call requires. If the user
 * gave the other kind, or there is no key, the server must run on this machine. Throws UsageError.
 */
export async function openApi(
  flag: CommandInput['flag'],
  named: string,
  needs: 'id' | 'domain',
): Promise<Api> {
  const given = readClientSettings({ url: flag('url'), key: flag('key') })
  const server = await findLocalServer(given.url)
  const keyed =
    given.key === null
      ? null
      : createClient({ baseUrl: given.url ?? server?.url ?? given.defaultUrl, apiKey: given.key })
  if (keyed !== null && named.startsWith('prj_') === (needs === 'id'))
    return { client: keyed, project: { id: named, domain: named } }
  if (server === null)
    throw new UsageError(
      given.key === null
        ? 'An admin API key is required: set OCTAVO_KEY. It is only optional on the machine of a running server.'
        : `The ${needs} of ${named} can only be looked up on the server's machine. Use the project's ${needs} here.`,
    )
  const operator = await connectTo(server)
  const project = await operator.findProject(named)
  return { client: keyed ?? operator.client, project: { id: project.id, domain: mainDomain(project) } }
}

export function openProjectApi({ flag }: Pick<CommandInput, 'flag'>): Promise<Api> {
  return openApi(flag, flag('project') as string, 'id')
}

/** Accepts only a server on this machine, so that no request is signed for another server, whatever the URL. */
async function findLocalServer(url: string | null): Promise<RunningServer | null> {
  if (url === null) return await findServer(readDataSettings().given)
  const origin = URL.parse(url)?.origin
  const servers = await listRunningServers()
  return (
    servers.find((server) =>
      [server.url, server.publicUrl].some((known) => URL.parse(known)?.origin === origin),
    ) ?? null
  )
}

type Operations = typeof OPERATIONS & typeof DASHBOARD_OPERATIONS

/** A server whose data folder this user can read. Its calls have every permission. */
export interface OperatorApi {
  call: ReturnType<typeof createOperationCalls<Operations>>['call']
  client: OctavoClient
  /** Null if no server is running and no setting defines it. */
  publicUrl: string | null
  /** Whether the server has a URL for links. */
  hasAddress: boolean
  /** Makes later calls act for the named organization, or the only one. Throws RefusedError. */
  chooseOrganization(id: string | undefined): Promise<{ organizationId: string; name: string }>
  /** Finds a project by id or domain; later calls act for its organization. Throws RefusedError. */
  findProject(named: string): Promise<OperatorProject>
}

/**
 * Calls `work` with the server on this machine. If no server is running with the data folder, starts a node for the
 * duration of the command. The node also runs jobs if the command waits for them. Throws NoServerError.
 */
export async function withServer<Result>(
  work: (server: OperatorApi) => Promise<Result>,
  { runsJobs = false }: { runsJobs?: boolean } = {},
): Promise<Result> {
  const { dataFolder, server } = await findServerLocation(readDataSettings())
  if (server !== null) return await work(await connectTo(server))
  const { config, secrets } = loadConfig({ data: dataFolder })
  const { startNode } = await import('../app/node.ts')
  const address = config.publicUrl ?? (config.port === 0 ? null : `http://localhost:${config.port}`)
  const { context, stop } = await startNode(
    {
      ...config,
      ...{ publicUrl: address, host: '127.0.0.1', port: 0, role: runsJobs ? 'all' : 'api', drainSeconds: 0 },
      ...{ metrics: { ...config.metrics, port: null } },
      ...{ logLevel: 'error', logsAsText: process.stderr.isTTY },
    },
    secrets,
    { mayCreate: false },
  )
  try {
    const url = `http://127.0.0.1:${context.port()}`
    const server = { url, key: await readOperatorKey(dataFolder), publicUrl: config.publicUrl }
    return await work(connectOperator({ ...server, hasAddress: address !== null }))
  } finally {
    await stop()
  }
}

export function withOrganization<Result>(
  id: string | undefined,
  work: (server: OperatorApi) => Promise<Result>,
): Promise<Result> {
  return withServer(async (server) => {
    await server.chooseOrganization(id)
    return work(server)
  })
}

export async function connectTo({
  url,
  dataFolder,
  publicUrl,
}: Pick<RunningServer, 'url' | 'dataFolder' | 'publicUrl'>): Promise<OperatorApi> {
  const key = await readOperatorKey(dataFolder)
  // Not `localhost`, which also resolves to ::1, where another user could listen.
  return connectOperator({
    url: url.replace('//localhost:', '//127.0.0.1:'),
    key,
    publicUrl,
    hasAddress: true,
  })
}

async function readOperatorKey(dataFolder: string): Promise<string> {
  const file = join(dataFolder, 'operator-key')
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new NoServerError(
      code === 'ENOENT'
        ? `The server on ${dataFolder} is an earlier version. Restart it.`
        : `${file} cannot be read (${code}): run the command as the user of the server.`,
    )
  })
  return text.trim()
}

export function connectOperator({
  url: baseUrl,
  key,
  publicUrl,
  hasAddress,
}: { url: string; key: string } & Pick<OperatorApi, 'publicUrl' | 'hasAddress'>): OperatorApi {
  let organizationId: string | null = null
  const options = { baseUrl, fetch: createSignedFetch(key), organizationId: () => organizationId }
  const addresses = { ...ADDRESSES, ...DASHBOARD_ADDRESSES }
  const { call } = createOperationCalls<Operations>(createCaller(options), addresses)
  return {
    call,
    client: createClient(options),
    publicUrl,
    hasAddress,
    async chooseOrganization(id) {
      const { organizations } = await call('listOrganizations')
      const chosen = pickOrganization(organizations, id)
      organizationId = chosen.organizationId
      return chosen
    },
    async findProject(named) {
      const { projects } = await call('findProjects', { query: { named } })
      const [found, ...others] = projects
      if (found === undefined)
        throw new RefusedError(
          `There is no project ${named}. To list all projects: ${resolveProgramCommand()} projects list`,
        )
      if (others.length > 0)
        throw new RefusedError(
          `Several projects have the unverified domain ${named}. Use one of their IDs: ${projects.map(({ id, name }) => `${id} (${name})`).join(', ')}.`,
        )
      organizationId = found.organizationId
      return found
    },
  }
}

function pickOrganization<One extends { organizationId: string; name: string }>(
  organizations: readonly One[],
  id: string | undefined,
): One {
  const [first, ...others] = organizations
  const chosen = id === undefined ? first : organizations.find((one) => one.organizationId === id)
  if (id === undefined && others.length > 0)
    throw new RefusedError(
      `Choose an organization with --org: ${organizations.map((one) => `${one.organizationId} (${one.name})`).join(', ')}.`,
    )
  if (chosen === undefined)
    throw new RefusedError(
      id === undefined
        ? `There is no organization yet. Create one: ${resolveProgramCommand()} orgs create --name 'My organization'`
        : `There is no organization ${id}.`,
    )
  return chosen
}

/** Signs each request. Does not use the built-in fetch, which times out if a response takes minutes. */
function createSignedFetch(key: string): typeof fetch {
  return async (input, { method = 'GET', headers = {}, body, signal } = {}) => {
    const { hostname, port, pathname, search } = new URL(String(input))
    const target = pathname + search
    const authorization = signRequest(key, { method, target, port: Number(port) })
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const sent = request({
      ...{ hostname: hostname.replace(/^\[|\]$/g, ''), port, method, path: target },
      headers: { ...(headers as Record<string, string>), authorization },
      ...(signal ? { signal } : {}),
    })
    sent.on('error', (cause) => reject(new TypeError('fetch failed', { cause })))
    sent.on('response', (response) => {
      const { statusCode = 0, headersDistinct } = response
      const pairs = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => [
        name,
        values.join(', '),
      ])
      resolve(new Response(Readable.toWeb(response) as BodyInit, { status: statusCode, headers: pairs }))
    })
    sent.end(body)
    return await promise
  }
}

/** Host name at which readers find the site, or will once it is verified. */
export function mainDomain({
  servedDomains,
  domains,
}: Pick<OperatorProject, 'servedDomains' | 'domains'>): string {
  return servedDomains[0] ?? (domains[0] as string)
}

export function requireServerUrl({ hasAddress }: OperatorApi): void {
  if (!hasAddress)
    throw new RefusedError('Links contain the URL of the server. Start it first, or set OCTAVO_PUBLIC_URL.')
}

export async function withErrorMessages<Answer>(
  call: Promise<Answer>,
  sentences: { readonly [Code in ErrorCode]?: string | ((said: string) => string) },
): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === null) throw error
    const sentence = sentences[error.code]
    if (sentence === undefined) throw error
    const said = error.details[0]?.message ?? error.message.replace(/\.$/, '')
    throw new RefusedError(typeof sentence === 'string' ? sentence : sentence(said))
  }
}

/** Changes the given settings of a project; null reverts a setting to its default. Returns the project. */
export function changeProject<Name extends 'agent' | 'widgets'>(
  named: string,
  name: Name,
  change: NonNullable<UpdateProjectBody[Name]>,
): Promise<OperatorProject> {
  return withServer(async ({ call, findProject }) => {
    const project = await findProject(named)
    if (Object.keys(change).length === 0) return project
    const { projectId, updatedAt } = project
    const body: UpdateProjectBody = { updatedAt, [name]: change }
    return { ...project, ...(await call('updateProject', { params: { projectId }, body })) }
  })
}
