/** Ending a test run with any signal to any of its processes leaves no process and no folder behind. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBrowser } from '../kit/browser.ts'

const FIXTURE = 'tests/fixtures/ended-run/never-ends.ts'
const START_MS = 120_000
/** Includes the five seconds that the process which ignores SIGTERM gets to exit. */
const END_MS = 90_000

interface Run {
  /** `scripts/test.mjs`, or the process that started it. */
  child: ChildProcess
  /** Processes of the test file, the runner, and three that the test started. */
  pids: number[]
  /** Temporary files of the run. */
  folder: string
}

async function startRun(t: TestContext, command: readonly [string, ...string[]]): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-ended-'))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  const pidsFile = join(folder, 'pids')
  const temporary = join(folder, 'temporary')
  await mkdir(temporary)
  const { NODE_TEST_CONTEXT: _, OCTAVO_TEST_FOLDER: __, ...env } = process.env
  const [program, ...args] = command
  const child = spawn(program, [...args, FIXTURE], {
    stdio: 'ignore',
    detached: true,
    env: {
      ...env,
      TMPDIR: temporary,
      PIDS_FILE: pidsFile,
      OCTAVO_TEST_BROWSER: JSON.stringify(await findBrowser()),
    },
  })
  const pids = await until(START_MS, async () => {
    const text = await readFile(pidsFile, 'utf8').catch(() => '')
    return text.endsWith('\n') ? (JSON.parse(text) as number[]) : null
  })
  t.after(() => pids.filter(isAlive).forEach(kill))
  return { child, pids, folder: temporary }
}

async function assertNothingLeft({ child, pids, folder }: Run): Promise<void> {
  await until(END_MS, async () => (pids.some(isAlive) ? null : true))
  await until(END_MS, async () => ((await readdir(folder)).length === 0 ? true : null))
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function until<Value>(withinMs: number, look: () => Promise<Value | null>): Promise<Value> {
  for (const start = Date.now(); Date.now() - start < withinMs; await sleep(50)) {
    const value = await look()
    if (value !== null) return value
  }
  throw new Error(`not within ${withinMs} ms`)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function kill(pid: number): void {
  process.kill(pid, 'SIGKILL')
}

const SCRIPT = [process.execPath, 'scripts/test.mjs'] as const

describe('an ended test run leaves no processes or temporary files', () => {
  test('after SIGTERM to the test script', async (t) => {
    const run = await startRun(t, SCRIPT)
    run.child.kill('SIGTERM')
    await assertNothingLeft(run)
  })

  test('after SIGKILL of the test script', async (t) => {
    const run = await startRun(t, SCRIPT)
    run.child.kill('SIGKILL')
    await assertNothingLeft(run)
  })

  test('after SIGKILL of the test runner', async (t) => {
    const run = await startRun(t, SCRIPT)
    kill(run.pids[1] as number)
    await assertNothingLeft(run)
    assert.equal(run.child.exitCode, 1)
  })

  test('after SIGKILL of npm', async (t) => {
    const run = await startRun(t, ['npm', 'test', '--silent', '--'])
    run.child.kill('SIGKILL')
    await assertNothingLeft(run)
  })
})
