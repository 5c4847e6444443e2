/** A server with its own database; both can be killed with SIGKILL and restarted on the same data repeatedly. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PROGRAM_ENV } from './program-env.ts'

export interface Ready {
  url: string
  projectId: string
  domain: string
  /** Null except on the first start. */
  adminKey: string | null
}

export interface KilledServer extends AsyncDisposable {
  dataFolder: string
  start(): Promise<Ready>
  /** Kills server and database at once, so that neither can finish its work. */
  killAll(): Promise<void>
  /** Null between a kill and the next start. */
  ready(): Ready | null
}

export async function openKilledServer(env: Record<string, string>): Promise<KilledServer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'octavo-kill-'))
  let server: { child: ChildProcess; ready: Ready } | null = null
  return {
    dataFolder,
    async start() {
      const child = spawn(process.execPath, ['src/cli/main.ts', 'start', '--json'], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          ...PROGRAM_ENV,
          PORT: '0',
          OCTAVO_LOG: 'silent',
          OCTAVO_DATA: dataFolder,
          OCTAVO_RENDER_CHILDREN: '1',
          OCTAVO_TRUSTED_PROXIES: '1',
          ...env,
        },
      })
      const line = await createInterface({ input: child.stdout as NodeJS.ReadableStream })
        [Symbol.asyncIterator]()
        .next()
      assert.equal(line.done, false, 'the server did not start')
      const ready = JSON.parse(line.value) as Ready
      server = { child, ready }
      return ready
    },
    async killAll() {
      const pidFile = await readFile(join(dataFolder, 'postgres/data/postmaster.pid'), 'utf8')
      const child = server?.child
      assert.ok(child)
      server = null
      process.kill(Number(pidFile.split('\n', 1)[0]), 'SIGKILL')
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    ready: () => server?.ready ?? null,
    async [Symbol.asyncDispose]() {
      if (server !== null) {
        server.child.kill('SIGTERM')
        await once(server.child, 'exit')
      }
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Posts to the site as a reader; the status is 0 if there was no answer. */
export function postAsReader(
  { url, domain }: Ready,
  path: string,
  {
    agent,
    address,
    body,
    headers,
  }: {
    agent: Agent
    address: string
    body: object
    headers?: Record<string, string>
  },
): Promise<{ status: number; text: string }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; text: string }>()
  const lost = () => resolve({ status: 0, text: '' })
  const all = { host: domain, 'content-type': 'application/json', 'x-forwarded-for': address, ...headers }
  const sent = request(`${url}${path}`, { method: 'POST', agent, headers: all }, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (piece: string) => {
      text += piece
    })
    response.once('error', lost)
    response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
  })
  sent.setTimeout(10_000, () => sent.destroy())
  sent.once('error', lost)
  sent.end(JSON.stringify(body))
  return promise
}
