/** With a frozen PostgreSQL that keeps its connections open, waiting requests get an error and no restart is needed. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { postgresProcesses, processTree, signalAll, stillThere } from '../kit/processes.ts'
import { smallSite, writeSite } from '../kit/site.ts'
import { type StartedServer, siteRequest, startServer } from '../kit/started-server.ts'
import { loadFactor, patience, until } from '../kit/until.ts'

const DOMAIN = 'frozen.example.com'
const BOUND_MS = 10_000
/** More than the size of the connection pool, so most requests wait for a connection. */
const AT_ONCE = 30

test('with a frozen database requests return 503 within ten seconds, site pages are served, and all recovers', async (t) => {
  await using cleaning = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'octavo-frozen-'))
  cleaning.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
  const server = cleaning.use(
    await startServer(
      {},
      { dataFolder: join(folder, 'data'), logFile: join(folder, 'octavo.log'), logLevel: 'info' },
    ),
  )
  await writeSite(join(folder, 'site'), smallSite())
  const projectId = await server.addProject(DOMAIN, {
    kind: 'folder',
    repository: join(folder, 'site'),
  })
  const { jobId } = await server.client.startExport({ domain: DOMAIN })
  const requests = requestsTo(server, { projectId, jobId })
  await requests.publish()
  await until(() => isSo(async () => (await requests.site()) === 200))
  const { publish: _once, ...asking } = requests
  for (const [name, ask] of Object.entries(asking)) assert.ok((await ask()) < 500, name)

  const frozen = await postgresProcesses(server.pid)
  assert.ok(frozen.length > 3, 'PostgreSQL is several processes')
  signalAll(frozen, 'SIGSTOP')
  cleaning.defer(() => signalAll(frozen, 'SIGCONT'))
  for (const round of ['first', 'second']) {
    const asked = Object.entries(asking).flatMap(([name, ask]) =>
      Array.from({ length: AT_ONCE / 5 }, () => timed(name, ask)),
    )
    const answers = await Promise.all(asked)
    t.diagnostic(`${round}: ${(Math.max(...answers.map(({ ms }) => ms)) / 1000).toFixed(1)} s at most`)
    for (const { name, status, ms } of answers) {
      // Site pages that were served before come from memory.
      assert.equal(status, name === 'site' ? 200 : 503, `${round}: ${name}`)
      assert.ok(ms < BOUND_MS * loadFactor(), `${round}: ${name} took ${ms} ms`)
    }
  }
  const ready = await fetch(`${server.url}/readyz`)
  assert.equal(ready.status, 503)
  assert.notEqual(((await ready.json()) as { parts: Record<string, string> }).parts.database, 'ok')

  signalAll(frozen, 'SIGCONT')
  await until(() => isSo(async () => (await fetch(`${server.url}/readyz`)).status === 200))
  for (const [name, ask] of Object.entries(asking)) assert.ok((await ask()) < 500, name)
  const again = await server.client.startExport({ domain: DOMAIN })
  for (const id of [jobId, again.jobId])
    await until(() => isSo(async () => (await server.client.getExport(id)).status === 'completed'))
  signalAll(frozen, 'SIGSTOP')
  const began = performance.now()
  const processes = await processTree(server.pid)
  process.kill(server.pid, 'SIGTERM')
  const own = processes.filter(({ pid }) => !frozen.some((one) => one.pid === pid))
  const node = own.filter(({ command }) => /^\S*\/node /.test(command))
  assert.ok(node.length >= 2, 'the server and its worker')
  assert.deepEqual(await stillThere(node, BOUND_MS / 1000), [])
  t.diagnostic(`told to end, it was gone after ${((performance.now() - began) / 1000).toFixed(1)} s`)
  signalAll(frozen, 'SIGCONT')
  assert.deepEqual(await stillThere(processes, 30), [], 'PostgreSQL goes when it can')
  await checkLog(join(folder, 'octavo.log'))
})

/** Checks that all processes log only lines of JSON without duplicate fields. */
async function checkLog(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n')
  assert.ok(lines.some((line) => line.includes('"event":"database.frozen"')))
  assert.ok(
    lines.some((line) => line.includes('"event":"http.request"') && line.includes('"address":"127.0.0.1"')),
  )
  for (const line of lines) {
    assert.ok(line.startsWith('{'), line)
    const names = [...line.matchAll(/(?<=[{,])"(level|time|event|job|jobId|attempt|requestId)":/g)].map(
      ([, name]) => name,
    )
    assert.equal(new Set(names).size, names.length, line)
    JSON.parse(line)
  }
}

/** Requests to API, dashboard, hosted site and reader API; each resolves to its status. */
function requestsTo(server: StartedServer, { projectId, jobId }: { projectId: string; jobId: string }) {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(server.url + path, {
      headers,
      signal: patience(),
      ...init,
    })
    await response.arrayBuffer()
    return response.status
  }
  return {
    read: () => ask(`/v1/static-export/jobs/${jobId}`),
    feedback: () => ask(`/v1/analytics/${projectId}/feedback`),
    write: () =>
      ask(`/v1/analytics/${projectId}/feedback`, { method: 'PATCH', body: '{"status":"resolved"}' }),
    dashboard: () =>
      ask('/internal/session', { headers: { cookie: 'octavo.session_token=nobodys.session' } }),
    publish: () => ask(`/v1/deployments/${projectId}`, { method: 'POST', body: '{}' }),
    site: async () => (await siteRequest(server, DOMAIN, '/page-1')).status,
  }
}

async function timed(name: string, ask: () => Promise<number>) {
  const began = performance.now()
  const status = await ask()
  return { name, status, ms: performance.now() - began }
}

/** Counts a refused connection as false, because the server may not be up yet. */
const isSo = (ask: () => Promise<boolean>) => ask().catch(() => false)
