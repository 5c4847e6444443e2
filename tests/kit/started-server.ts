/**
 * `octavo start` with all of its processes, as an operator runs it, on its own database. An idle server runs next to it
 * to measure delays caused by the machine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { loadConfig } from '../../src/app/config/config.ts'
import { addKey, addOrganization, addProject } from '../../src/app/operator/administration.ts'
import { silentLog } from '../../src/base/log.ts'
import { createClient, type OctavoClient } from '../../src/client/client.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { openTestDatabase } from './database.ts'
import type { Stall } from './loop-monitor.ts'
import { PROGRAM_ENV } from './program-env.ts'

export interface StartedServer {
  url: string
  pid: number
  client: OctavoClient
  key: string
  /** Uses its own connection rather than one of the server's. */
  onDatabase<Out>(work: (database: Database) => Promise<Out>): Promise<Out>
  /** Adds a project with this source and returns its id. */
  addProject(domain: string, source: SourceOf): Promise<string>
  /** Polls the health endpoint, many times a second, until the work has ended. */
  watch<Out>(work: Promise<Out>): Promise<{ out: Out; watched: Watched }>
  [Symbol.asyncDispose](): Promise<void>
}

interface SourceOf {
  kind: 'folder' | 'git'
  repository: string
  ref?: string
}

/** Durations in milliseconds. `bare` is the idle server over the same period. */
export interface Watched {
  answers: number
  answer: { longest: number; bare: number }
  /** Time the event loop was blocked; `own` excludes delays caused by the machine. */
  stall: { longest: number; own: number; bare: number }
}

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
/** Entry point of the built package, used instead of the sources. */
export const BUILT_PROGRAM = fileURLToPath(new URL('../../dist/octavo.js', import.meta.url))
const BARE = fileURLToPath(new URL('./bare-server.ts', import.meta.url))
const MONITOR = new URL('./loop-monitor.ts', import.meta.url).href
const WATCH_MS = 50

/** Replaces the default: a temporary folder and a database on the PostgreSQL server of the tests. */
export interface OwnPlace {
  /** Deleted by the caller. Holds the embedded PostgreSQL of `octavo start`. */
  dataFolder: string
  /** Receives stderr of the server. */
  logFile: string
  logLevel?: 'info' | 'error'
  program?: string
}

export async function startServer(
  env: Record<string, string> = {},
  place: OwnPlace | null = null,
): Promise<StartedServer> {
  await using starting = new AsyncDisposableStack()
  const folder = place?.dataFolder ?? (await openTemporaryFolder(starting))
  const database = place === null ? starting.use(await openTestDatabase()) : null
  const own = {
    PORT: '0',
    OCTAVO_DATA: folder,
    OCTAVO_ALLOW_FSYNC_OFF: 'true',
    OCTAVO_RENDER_CHILDREN: '1',
    OCTAVO_SITE_RETRY_SECONDS: '2',
    OCTAVO_LIMIT_READS: '1000000/60',
    OCTAVO_LIMIT_EXPORTS: '1000/60',
    ...(database === null ? {} : { DATABASE_URL: database.url }),
    ...env,
  }
  const args = [place?.program ?? MAIN, 'start', '--no-sample', '--json', '--log', place?.logLevel ?? 'error']
  const server = await startMonitored(args, own, place?.logFile)
  starting.defer(() => endOf(server.child))
  const bare = await startMonitored([BARE], {})
  starting.defer(() => endOf(bare.child))
  const onDatabase: StartedServer['onDatabase'] = async (work) => {
    if (database !== null) return work(database)
    await using joined = await startEmbeddedPostgres({ dataDir: folder, log: silentLog })
    await using opened = await openDatabase({ connection: joined.connection, poolSize: 2, log: silentLog })
    return await work(opened)
  }
  const { config } = loadConfig({}, own)
  const { organization, apiKey } = await onDatabase(async (opened) => {
    const made = await addOrganization({ database: opened, config }, { name: 'Hostile', plan: 'enterprise' })
    const { text } = await addKey({ database: opened, config }, { organizationId: made.id, name: 'test' })
    return { organization: made, apiKey: text }
  })
  const started = starting.move()
  return {
    url: server.url,
    pid: server.child.pid as number,
    client: createClient({ baseUrl: server.url, apiKey }),
    key: apiKey,
    onDatabase,
    addProject(domain, source) {
      const wanted = { organizationId: organization.id, name: domain, domains: [domain], source }
      return onDatabase(async (opened) => (await addProject({ database: opened, config }, wanted)).id)
    },
    async watch(work) {
      const over = new AbortController()
      await Promise.all([stallsOf(server.child), stallsOf(bare.child)]) // from now on
      const [longest, bareLongest] = [
        askAgain(`${server.url}/healthz`, over.signal),
        askAgain(bare.url, over.signal),
      ]
      try {
        const out = await work
        over.abort()
        const [answer, bareAnswer] = await Promise.all([longest, bareLongest])
        const [stalls, bareStalls] = await Promise.all([stallsOf(server.child), stallsOf(bare.child)])
        return {
          out,
          watched: {
            answers: answer.count,
            answer: { longest: answer.longest, bare: bareAnswer.longest },
            stall: {
              longest: longestOf(stalls, lengthOf),
              own: longestOf(stalls, (stall) => lengthOf(stall) - machineShare(stall, bareStalls)),
              bare: longestOf(bareStalls, lengthOf),
            },
          },
        }
      } finally {
        over.abort()
      }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

/** Requests a page of a hosted site. Does not use fetch, which cannot set the Host header. */
export function siteRequest(
  { url }: { url: string },
  host: string,
  path: string,
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const { hostname, port } = new URL(url)
  request({ host: hostname, port, path, headers: { host } }, async (response) => {
    resolve({ status: response.statusCode ?? 0, text: (await response.toArray()).join('') })
  })
    .on('error', reject)
    .end()
  return promise
}

async function openTemporaryFolder(starting: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-started-'))
  starting.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  return folder
}

/** Resolves with the URL from the first JSON line of the output. */
async function startMonitored(
  args: string[],
  env: Record<string, string>,
  logFile?: string,
): Promise<{ child: ChildProcess; url: string }> {
  await using log = logFile === undefined ? null : await open(logFile, 'a')
  const child = spawn(process.execPath, ['--import', MONITOR, ...args], {
    stdio: ['ignore', 'pipe', log?.fd ?? 'inherit', 'ipc'],
    env: { ...PROGRAM_ENV, ...env },
  })
  process.once('exit', () => child.kill('SIGKILL'))
  for await (const line of createInterface({ input: child.stdout as NonNullable<typeof child.stdout> })) {
    if (!line.startsWith('{')) continue
    return { child, url: (JSON.parse(line) as { url: string }).url }
  }
  throw new Error(`${args.join(' ')} ended before it listened`)
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

async function stallsOf(child: ChildProcess): Promise<Stall[]> {
  const answer = once(child, 'message')
  child.send('since when?')
  const [{ stalls }] = (await answer) as [{ stalls: Stall[] }]
  return stalls
}

const lengthOf = ({ began, ended }: Stall) => ended - began

function longestOf(stalls: readonly Stall[], measure: (stall: Stall) => number): number {
  return Math.max(0, ...stalls.map(measure))
}

/**
 * Returns the part of a stall caused by the machine: the time the thread was ready while others ran or, if longer, the
 * time the idle server was stalled as well.
 */
function machineShare(stall: Stall, bareStalls: readonly Stall[]): number {
  let together = 0
  for (const { began, ended } of bareStalls)
    together += Math.max(0, Math.min(ended, stall.ended) - Math.max(began, stall.began))
  return Math.max(together, stall.waited)
}

/** Sends requests at a fixed interval without waiting for responses: a slow one would hide the next. */
async function askAgain(url: string, over: AbortSignal): Promise<{ count: number; longest: number }> {
  const asked: Promise<number>[] = []
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      if (over.aborted) {
        clearInterval(timer)
        return resolve()
      }
      asked.push(ask(url))
    }, WATCH_MS)
  })
  const times = await Promise.all(asked)
  return { count: times.length, longest: Math.max(0, ...times) }
}

async function ask(url: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - began
}
