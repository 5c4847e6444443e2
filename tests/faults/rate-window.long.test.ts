/**
 * Shares one rate limit window between three server processes that are killed and restarted, with 64 concurrent
 * clients. No window may exceed the limit, and no request may be refused below it. A call counts at an unknown time
 * between request and response, so both checks allow for any time in between.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'

const LIMIT = 100
const WINDOW_SECONDS = 12
const CLIENTS = 64
const RUN_SECONDS = IS_WHOLE ? 40 : 28
const RESTART_EVERY_MS = 4000
const SECRET = 'one secret for the servers of this test'

interface Call {
  sent: number
  answered: number
  /** `lost`: there was no response, so the call may have been counted. */
  outcome: 'accepted' | 'refused' | 'lost'
}

interface Server {
  url: string
  child: ChildProcess
}

async function startServer(origin: TestNode): Promise<Server> {
  const child = spawn(
    process.execPath,
    ['src/cli/main.ts', 'start', '--no-sample', '--role', 'api', '--json'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...PROGRAM_ENV,
        PORT: '0',
        DATABASE_URL: origin.databaseUrl,
        OCTAVO_ALLOW_FSYNC_OFF: 'true',
        OCTAVO_DATA: origin.dataFolder,
        OCTAVO_SECRET: SECRET,
        OCTAVO_DATABASE_POOL: '8',
        OCTAVO_LOG: 'silent',
        OCTAVO_LIMIT_ANALYTICS: `${LIMIT}/${WINDOW_SECONDS}`,
      },
    },
  )
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return { url: JSON.parse(line.toString()).url, child }
}

async function kill({ child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Highest number of calls certainly accepted within one window, because they were sent and answered inside it. */
function mostInOneWindow(calls: readonly Call[]): number {
  const accepted = calls.filter((call) => call.outcome === 'accepted')
  return Math.max(
    0,
    ...accepted.map(
      (first) =>
        accepted.filter(
          (call) => call.sent >= first.sent && call.answered < first.sent + WINDOW_SECONDS * 1000,
        ).length,
    ),
  )
}

/** Refusals at a time when the window cannot have been full. */
function wrongRefusals(calls: readonly Call[]): Call[] {
  const counted = calls.filter((call) => call.outcome !== 'refused')
  return calls.filter((call) => {
    if (call.outcome !== 'refused') return false
    const since = call.sent - WINDOW_SECONDS * 1000
    return counted.filter((other) => other.answered >= since && other.sent <= call.answered).length < LIMIT
  })
}

test('64 clients on three servers under kills never exceed the rate limit and are never wrongly refused', async (t) => {
  await using origin = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET })
  const { projectId } = await origin.addSite('window.example.com', {})
  const servers = await Promise.all([startServer(origin), startServer(origin), startServer(origin)])
  const calls: Call[] = []
  const count = (outcome: Call['outcome']) => calls.filter((call) => call.outcome === outcome).length
  const isLimitMet = () => count('accepted') >= LIMIT * 2 && count('refused') > 0
  const end = Date.now() + RUN_SECONDS * 1000
  // On a busy machine the clients take longer to reach the limit.
  const isRunning = () => Date.now() < (isLimitMet() ? end : end + 10 * RUN_SECONDS * 1000)
  try {
    const ask = async (): Promise<void> => {
      const server = servers[Math.floor(Math.random() * servers.length)] as Server
      const sent = Date.now()
      const status = await fetch(`${server.url}/v1/analytics/${projectId}/feedback`, {
        headers: { authorization: `Bearer ${origin.key}` },
      })
        .then(async (response) => {
          await response.arrayBuffer()
          return response.status
        })
        .catch(() => null)
      const outcome = status === 200 ? 'accepted' : status === 429 ? 'refused' : 'lost'
      calls.push({ sent, answered: Date.now(), outcome })
    }
    const client = async () => {
      while (isRunning()) {
        await ask()
        await sleep(100 + Math.random() * 200)
      }
    }
    const restart = async () => {
      for (let index = 0; isRunning(); index = (index + 1) % servers.length) {
        await sleep(RESTART_EVERY_MS)
        await kill(servers[index] as Server)
        servers[index] = await startServer(origin)
      }
    }
    await Promise.all([restart(), ...Array.from({ length: CLIENTS }, client)])
  } finally {
    await Promise.all(servers.map(kill))
  }
  t.diagnostic(
    `${count('accepted')} accepted, ${count('refused')} refused, ${count('lost')} lost with a server`,
  )
  assert.ok(isLimitMet(), 'the clients never met the limit')
  assert.ok(mostInOneWindow(calls) <= LIMIT, `${mostInOneWindow(calls)} were accepted within one window`)
  assert.deepEqual(wrongRefusals(calls), [])
})
