/**
 * Server and database are killed with SIGKILL, again and again, while readers vote: every vote that was acknowledged is
 * there exactly once, and a vote that is repeated until it is acknowledged is there once too. OCTAVO_FAULT_ROUNDS sets
 * the number of kills.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { faultRounds } from '../kit/whole-run.ts'

const ROUNDS = faultRounds(1)
const LANES = 8

const dataFolder = await mkdtemp(join(tmpdir(), 'octavo-kill-'))
let server: { child: ChildProcess; ready: Ready } | null = null
interface Ready {
  url: string
  projectId: string
  domain: string
  adminKey: string | null
}

after(async () => {
  if (server !== null) {
    server.child.kill('SIGTERM')
    await once(server.child, 'exit')
  }
  await rm(dataFolder, { recursive: true, force: true })
})

async function startServer(): Promise<Ready> {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'start', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...PROGRAM_ENV,
      PORT: '0',
      OCTAVO_LOG: 'silent',
      OCTAVO_DATA: dataFolder,
      OCTAVO_RENDER_CHILDREN: '1',
      OCTAVO_TRUSTED_PROXIES: '1',
      OCTAVO_LIMIT_SITE_FEEDBACK: '9999999/60',
    },
  })
  const line = await createInterface({ input: child.stdout as NodeJS.ReadableStream })
    [Symbol.asyncIterator]()
    .next()
  assert.equal(line.done, false, 'the server did not start')
  const ready = JSON.parse(line.value) as Ready
  server = { child, ready }
  return ready
}

/** Both at once: nothing gets to finish what it is at. */
async function killAll(): Promise<void> {
  const pidFile = await readFile(join(dataFolder, 'postgres/data/postmaster.pid'), 'utf8')
  const child = server?.child
  assert.ok(child)
  server = null
  process.kill(Number(pidFile.split('\n', 1)[0]), 'SIGKILL')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** The status and the body; status 0 when there was no answer. */
function post(ready: Ready, agent: Agent, body: object): Promise<{ status: number; id: string | null }> {
  const { promise, resolve } = Promise.withResolvers<{ status: number; id: string | null }>()
  const octet = () => Math.floor(Math.random() * 256)
  const headers = {
    host: ready.domain,
    'content-type': 'application/json',
    'x-forwarded-for': `10.${octet()}.${octet()}.${octet()}`,
  }
  const lost = () => resolve({ status: 0, id: null })
  const sent = request(`${ready.url}/_octavo/feedback`, { method: 'POST', agent, headers }, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (piece: string) => {
      text += piece
    })
    response.once('error', lost)
    response.once('end', () => {
      const status = response.statusCode ?? 0
      resolve({ status, id: status === 201 ? (JSON.parse(text) as { id: string }).id : null })
    })
  })
  sent.setTimeout(10_000, () => sent.destroy())
  sent.once('error', lost)
  sent.end(JSON.stringify(body))
  return promise
}

test(`${ROUNDS} kills of server and database under load lose no acknowledged vote and double none`, async (t) => {
  const first = await startServer()
  const key = first.adminKey
  assert.ok(key !== null)
  const agent = new Agent({ keepAlive: true })
  const acknowledged: string[] = []
  let [stopped, repeated, afterLoss] = [false, 0, 0]

  const lanes = Array.from({ length: LANES }, async () => {
    while (!stopped) {
      const vote = { id: randomUUID(), path: '/', helpful: true, comment: 'said once' }
      for (let tries = 1; server !== null || !stopped; tries++) {
        const ready = server?.ready
        const answer = ready === undefined ? { status: 0, id: null } : await post(ready, agent, vote)
        if (answer.id !== null) {
          acknowledged.push(answer.id)
          if (tries > 1) afterLoss += 1
          break
        }
        assert.ok([0, 500, 503].includes(answer.status), `${answer.status}`)
        repeated += 1
        await sleep(50)
      }
    }
  })
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(500 + Math.random() * 2000)
      await killAll()
      await startServer()
    }
    await sleep(500)
  } finally {
    stopped = true
  }
  await Promise.all(lanes)
  agent.destroy()

  const ready = server?.ready
  assert.ok(ready)
  const response = await fetch(`${ready.url}/v1/analytics/${ready.projectId}/feedback/export`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  assert.equal(response.status, 200)
  const lines = (await response.text()).split('\n').filter(Boolean)
  const kept = lines.map((line) => JSON.parse(line) as { id: string; comment: string })
  assert.equal(new Set(acknowledged).size, acknowledged.length, 'two votes got one id')
  assert.deepEqual(kept.map(({ id }) => id).sort(), acknowledged.sort())
  t.diagnostic(
    `${acknowledged.length} votes, ${repeated} repetitions, ${afterLoss} acknowledged after a loss`,
  )
  assert.ok(afterLoss > 0, 'no kill met a vote')
})
