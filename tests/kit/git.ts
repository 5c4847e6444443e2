/** Real git for tests: temporary repositories and a server for git's smart HTTP protocol. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createAddressGuard } from '../../src/base/net/address-guard.ts'
import { atLaneEnd } from './lane-end.ts'

/** Private hosts allowed by the operator. The test servers all run on this machine. */
export const LISTED_HOSTS = ['127.0.0.1:*', 'localhost:*']
export const listedGuard = createAddressGuard({ privateHosts: LISTED_HOSTS }, [])

/** Columns of a source row besides the source itself. */
export const SOURCE_ROW = { id: 'prj_test', organization_id: 'org_test', folder_granted: true } as const

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  // Background maintenance would write to a folder that is being removed.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
}

export interface TestRepository {
  folder: string
  git(...args: string[]): Promise<string>
  /** Writes the files, commits all changes and returns the commit hash. */
  commit(files: Record<string, string | Uint8Array>): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** Repositories of this process by their files. Copying one is cheaper than running git to create it. */
const templates = new Map<string, Promise<TestRepository>>()

/** Creates the repository in a new folder inside `parent`. */
export async function createTestRepository(
  files: Record<string, string | Uint8Array> = {},
  parent = tmpdir(),
): Promise<TestRepository> {
  const name = JSON.stringify(files)
  const template = templates.get(name) ?? makeTemplate(files)
  templates.set(name, template)
  const folder = await mkdtemp(join(parent, 'octavo-git-'))
  await cp((await template).folder, folder, { recursive: true, preserveTimestamps: true })
  return repositoryIn(folder)
}

async function makeTemplate(files: Record<string, string | Uint8Array>): Promise<TestRepository> {
  const repository = repositoryIn(await mkdtemp(join(tmpdir(), 'octavo-git-')))
  atLaneEnd(() => repository[Symbol.asyncDispose]())
  await repository.git('init', '--quiet', '--initial-branch=main', '.')
  if (Object.keys(files).length > 0) await repository.commit(files)
  return repository
}

function repositoryIn(folder: string): TestRepository {
  const run = async (...args: string[]) => {
    const env = { ...process.env, ...IDENTITY }
    return (await promisify(execFile)('git', args, { cwd: folder, env })).stdout.trim()
  }
  return {
    folder,
    git: run,
    async commit(content) {
      for (const [path, text] of Object.entries(content)) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), text)
      }
      await run('add', '--all')
      await run('commit', '--quiet', '--allow-empty', '--message=change')
      return await run('rev-parse', 'HEAD')
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

export interface GitServer {
  /** `http://127.0.0.1:…/<name>`. */
  url: string
  requests: { method: string; path: string; authorization: string | null }[]
  [Symbol.asyncDispose](): Promise<void>
}

/** Serves a folder of repositories over HTTP. With `token`, clients have to send it as the password. */
export async function startGitServer(options: {
  folder: string
  token?: string
  /** Returns true if it has sent a response instead of git. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean
}): Promise<GitServer> {
  const requests: GitServer['requests'] = []
  const backend = join(execFileSync('git', ['--exec-path']).toString().trim(), 'git-http-backend')
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://server')
    const authorization = request.headers.authorization ?? null
    requests.push({ method: request.method ?? '', path: url.pathname + url.search, authorization })
    if (options.intercept?.(request, response)) return
    const password = Buffer.from(authorization?.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')[1]
    if (options.token && password !== options.token) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    const env = {
      PATH: process.env.PATH,
      ...IDENTITY,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      GIT_PROJECT_ROOT: options.folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      REMOTE_ADDR: '127.0.0.1',
    }
    const child = spawn(backend, [], { env, stdio: ['pipe', 'pipe', 'ignore'] })
    request.pipe(child.stdin)
    child.stdin.on('error', () => undefined)
    answer(child.stdout, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Sends a CGI response: header lines, an empty line, the body. */
function answer(output: NodeJS.ReadableStream, response: ServerResponse): void {
  let head = Buffer.alloc(0)
  let isHeadSent = false
  output.on('data', (chunk: Buffer) => {
    if (isHeadSent) return void response.write(chunk)
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    let status = 200
    for (const line of head.toString('latin1', 0, end).split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/)
      if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    }
    response.writeHead(status)
    response.write(head.subarray(end + 4))
    isHeadSent = true
  })
  output.on('end', () => response.end())
}
