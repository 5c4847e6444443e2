/**
 * Restarts nodes and workers in turn behind a load balancer, with more concurrent callers than they can handle. No call
 * is refused, cut off or lost, and every export ends. The balancer polls /readyz, keeps connections open and never
 * retries.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { smallSite } from '../kit/site.ts'
import { ended, loadFactor, publish, until } from '../kit/until.ts'
import { faultRounds } from '../kit/whole-run.ts'

const ROUNDS = faultRounds(2)
const CALLERS = 48
const DOMAIN = 'rolling.localhost'
const SECRET = 'one secret for the nodes of this test'
const LOOK_MS = 100
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Long enough for many polls of the balancer, which are less frequent on a busy machine. */
const drainSeconds = () => Math.ceil(3 * loadFactor())

interface Member {
  role: 'api' | 'worker'
  port: number
  child: ChildProcess
}

test(`${ROUNDS} rolling restarts of five processes under load fail no request`, async (t) => {
  await using origin = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET })
  const { projectId } = await origin.addSite(DOMAIN, smallSite(8))
  const members = await Promise.all(
    (['api', 'api', 'api', 'worker', 'worker'] as const).map(async (role) =>
      start(origin, role, await freePort()),
    ),
  )
  await using balancer = await startBalancer(() => members.filter(({ role }) => role === 'api'))
  await publish(origin.client, projectId)
  const load = callConstantly(balancer.port, origin.key, projectId)
  const exports: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    exports.push((await origin.client.startExport({ domain: DOMAIN })).jobId)
    for (const [index, member] of members.entries()) {
      member.child.kill('SIGTERM')
      if (member.child.exitCode === null) await once(member.child, 'exit')
      assert.equal(member.child.exitCode, 0, `${member.role} ${index} in round ${round}`)
      members[index] = await start(origin, member.role, member.port)
      if (member.role === 'api')
        await until(() => balancer.isReady(member.port), 'the node to be ready again')
    }
  }
  const { calls, failed, votes } = await load.stop()
  assert.deepEqual(failed.slice(0, 5), [], `${failed.length} of ${calls} calls failed`)
  assert.ok(votes.size > 0)
  const list = await fetch(`${origin.url}/v1/analytics/${projectId}/feedback/export`, {
    headers: { Authorization: `Bearer ${origin.key}` },
  })
  const saved = (await list.text())
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id as string)
  assert.deepEqual(saved.sort(), [...votes].sort())
  for (const jobId of exports)
    assert.equal((await ended(() => origin.client.getExport(jobId))).status, 'completed')
  t.diagnostic(`${calls} calls, ${votes.size} votes`)
  for (const { child } of members) child.kill('SIGKILL')
})

async function start(origin: TestNode, role: Member['role'], port: number): Promise<Member> {
  const args = ['src/cli/main.ts', 'start', '--no-sample', '--join', '--role', role, '--json']
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...PROGRAM_ENV,
      PORT: String(port),
      DATABASE_URL: origin.databaseUrl,
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_DATA: origin.dataFolder,
      OCTAVO_SECRET: SECRET,
      OCTAVO_PUBLIC_URL: origin.url,
      OCTAVO_RENDER_CHILDREN: '1',
      OCTAVO_DATABASE_POOL: '8',
      OCTAVO_DRAIN_SECONDS: String(drainSeconds()),
      OCTAVO_TRUSTED_PROXIES: '1',
      OCTAVO_OPEN_BY_ADDRESS: '10000',
      OCTAVO_LIMIT_READS: '1000000/60',
      OCTAVO_LIMIT_FEEDBACK: '1000000/60',
      OCTAVO_LIMIT_SITE_FEEDBACK: '1000000/60',
      OCTAVO_LOG: 'silent',
    },
  })
  children.add(child)
  const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  assert.ok(value, `a node of the role ${role} did not start`)
  return { role, port, child }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

interface Balancer extends AsyncDisposable {
  port: number
  isReady(port: number): boolean
}

/** Starts a round-robin balancer over the nodes whose last /readyz response was 200. */
async function startBalancer(nodes: () => Member[]): Promise<Balancer> {
  const ready = new Set<number>()
  const agent = new Agent({ keepAlive: true })
  let isOpen = true
  let turn = 0
  const looks = nodes().map(async (_, index) => {
    while (isOpen) {
      const port = nodes()[index]?.port ?? 0
      const { status } = await send({ port, path: '/readyz' }).catch(() => ({ status: 0 }))
      if (status === 200) ready.add(port)
      else ready.delete(port)
      await sleep(LOOK_MS)
    }
  })
  const server: Server = createServer((incoming, outgoing) => {
    const ports = [...ready]
    const port = ports[turn++ % ports.length]
    const fail = (error: Error) =>
      outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(String(error))
    if (port === undefined) return fail(new Error('no node is ready'))
    const { method, url: path, headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      const { connection: _, 'keep-alive': __, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, rest)
      answer.on('error', fail).pipe(outgoing)
    })
    incoming.pipe(forwarded.on('error', fail))
  })
  // Callers never pause, so a connection is only idle when the machine is busy.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    isReady: (port) => ready.has(port),
    async [Symbol.asyncDispose]() {
      isOpen = false
      await Promise.all(looks)
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}

interface Call {
  port: number
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
  agent?: Agent
}

async function send({ body, ...call }: Call): Promise<{ status: number; text: string }> {
  const sent = request({ host: '127.0.0.1', ...call })
  sent.end(body)
  const [answer] = await once(sent, 'response')
  return { status: answer.statusCode, text: Buffer.concat(await Array.fromAsync(answer)).toString() }
}

/** Half of the callers read pages and jobs, the others vote. Each sends its next call after a response. */
function callConstantly(port: number, key: string, projectId: string) {
  const agent = new Agent({ keepAlive: true })
  const votes = new Set<string>()
  const failed: string[] = []
  let calls = 0
  let isOver = false
  const api = { Authorization: `Bearer ${key}`, Host: 'localhost' }
  const kinds: (() => Promise<Omit<Call, 'port'>>)[] = [
    async () => ({ path: '/page-1', headers: { Host: DOMAIN } }),
    async () => ({
      path: '/_octavo/feedback',
      method: 'POST',
      headers: { Host: DOMAIN, 'Content-Type': 'application/json', 'X-Forwarded-For': randomAddress() },
      body: JSON.stringify({ id: randomUUID(), path: '/', helpful: true, comment: 'said once' }),
    }),
    async () => ({ path: '/v1/static-export/jobs', headers: api }),
    async () => ({ path: `/v1/deployments/${projectId}`, headers: api }),
  ]
  const callers = Array.from({ length: CALLERS }, async (_, n) => {
    const kind = kinds[n % kinds.length] as (typeof kinds)[0]
    while (!isOver) {
      const call = await kind()
      const { status, text } = await send({ port, agent, ...call }).catch((error) => ({
        status: 0,
        text: String(error),
      }))
      calls++
      if (status < 200 || status > 299) failed.push(`${call.path} ${status} ${text.slice(0, 100)}`)
      else if (call.method === 'POST') votes.add(JSON.parse(text).id)
    }
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(callers)
      agent.destroy()
      return { calls, failed, votes }
    },
  }
}

const randomAddress = () => Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 200)).join('.')
