/**
 * Kills a worker with SIGKILL at a random moment of an export. Another worker completes it, progress never decreases,
 * and the archive is byte-identical to that of an undisturbed export. OCTAVO_FAULT_ROUNDS sets the number of rounds;
 * each takes about 20 seconds, mostly waiting for the lease to expire.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { MAX_ATTEMPTS } from '../../src/queue/job-settings.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { smallSite } from '../kit/site.ts'
import { until } from '../kit/until.ts'
import { faultRounds, IS_WHOLE } from '../kit/whole-run.ts'

const ROUNDS = faultRounds(1)
/** Exports processed by a series of killed workers. */
const EXPORTS = IS_WHOLE ? 31 : 1
/** Seed for the times at which workers are killed. */
const SEED = 20_260
const PAGES = IS_WHOLE ? 300 : 150
const SECRET = 'one secret for the nodes of this test'

let disturbed: TestNode
let undisturbed: TestNode
const workers = new Set<ChildProcess>()

before(async () => {
  disturbed = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET })
  undisturbed = await startTestNode()
})
after(async () => {
  await Promise.all([...workers].map(kill))
  await disturbed[Symbol.asyncDispose]()
  await undisturbed[Symbol.asyncDispose]()
})

function startWorker(): ChildProcess {
  const worker = spawn(process.execPath, ['src/cli/main.ts', 'start', '--role', 'worker'], {
    stdio: 'ignore',
    env: {
      ...PROGRAM_ENV,
      DATABASE_URL: disturbed.databaseUrl,
      OCTAVO_ALLOW_FSYNC_OFF: 'true',
      OCTAVO_DATA: disturbed.dataFolder,
      OCTAVO_SECRET: SECRET,
      OCTAVO_PUBLIC_URL: disturbed.url,
      OCTAVO_RENDER_CHILDREN: '1',
    },
  })
  workers.add(worker)
  return worker
}

async function kill(worker: ChildProcess): Promise<void> {
  workers.delete(worker)
  if (worker.exitCode !== null || worker.signalCode !== null) return
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}

/** Waits until the job reaches a random progress, plus up to 400 ms: anywhere from its claim to its archive. */
async function randomMoment(jobId: string): Promise<void> {
  const target = Math.random() * 95
  for (;;) {
    const job = await disturbed.client.getExport(jobId)
    if (job.status !== 'queued' && (job.progress >= target || job.status !== 'running')) break
    await sleep(20)
  }
  await sleep(Math.random() * 400)
}

for (let round = 1; round <= ROUNDS; round++) {
  test(`round ${round}: an export completes byte-identical after its worker is killed`, async (t) => {
    const domain = `round-${round}.example.com`
    const files = smallSite(PAGES)
    files['index.mdx'] += `\nRound ${round}.\n`
    for (const [path, text] of Object.entries(files))
      if (path.endsWith('.mdx')) files[path] = `${text}\nRound ${round}.\n`
    await Promise.all([disturbed.addSite(domain, files), undisturbed.addSite(domain, files)])

    let worker = startWorker()
    const { jobId } = await disturbed.client.startExport({ domain })
    await randomMoment(jobId)
    const before = await disturbed.client.getExport(jobId)
    await kill(worker)
    const killedAt = performance.now()
    worker = startWorker()

    let last = before
    let resumedAfter: number | null = null
    while (last.status === 'queued' || last.status === 'running') {
      const job = await disturbed.client.getExport(jobId)
      assert.ok(job.progress >= last.progress, `progress fell from ${last.progress} to ${job.progress}`)
      assert.notEqual(job.status, 'queued')
      if (resumedAfter === null && job.updatedAt > before.updatedAt && performance.now() - killedAt > 2000)
        resumedAfter = performance.now() - killedAt
      last = job
      await sleep(100)
    }
    assert.equal(last.status, 'completed', last.error ?? '')
    await kill(worker)
    t.diagnostic(
      `killed at ${before.progress.toFixed(1)} % (${before.status}), went on after ${resumedAfter === null ? '–' : Math.round(resumedAfter)} ms`,
    )

    const reference = await undisturbed.client.startExport({ domain })
    assert.equal((await undisturbed.finished(reference.jobId)).status, 'completed')
    const [one, other] = await Promise.all([
      disturbed.client.generateBundle(jobId),
      undisturbed.client.generateBundle(reference.jobId),
    ])
    assert.equal(one.sha256, other.sha256)
  })
}

interface Work {
  work: Promise<unknown>
  /** Total attempts of all jobs so far. */
  attempts(): Promise<number>
  mayDie(): Promise<boolean>
}

/**
 * Repeatedly starts a worker, waits until it claims a job and kills it `lives()` milliseconds later, until the work is
 * done. On a slow machine a job may make no progress in that time and would rightly fail, so the kill waits until
 * `mayDie` returns true.
 */
async function killAgainAndAgain(lives: () => number, { work, attempts, mayDie }: Work): Promise<number> {
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  let kills = 0
  while (!isOver) {
    const before = await attempts()
    const worker = startWorker()
    while (!isOver && (await attempts()) === before) await sleep(50)
    await Promise.race([sleep(lives()), over])
    while (!isOver && !(await mayDie())) await sleep(50)
    if (!isOver) kills += 1
    await kill(worker)
  }
  return kills
}

/** Park–Miller generator, for reproducible runs. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

test(`${EXPORTS} exports complete while every worker dies after 1 to 8 seconds of work`, async (t) => {
  const domains = Array.from({ length: EXPORTS }, (_, index) => `life-${index}.example.com`)
  for (const domain of domains) {
    const files = Object.entries(smallSite(PAGES))
    const own = files.map(([path, text]) => [path, path.endsWith('.mdx') ? `${text}\n${domain}\n` : text])
    await disturbed.addSite(domain, Object.fromEntries(own))
  }
  const jobs = await Promise.all(domains.map((domain) => disturbed.client.startExport({ domain })))
  const random = seeded(SEED)
  const ends = Promise.all(jobs.map(({ jobId }) => disturbed.finished(jobId)))
  const { queries } = disturbed.node.context.database
  const ids = jobs.map(({ jobId }) => jobId)
  const jobRows = () =>
    queries
      .selectFrom('static_exports')
      .select(['attempt', 'status', 'place', 'furthest', 'stalled'])
      .where('id', 'in', ids)
      .execute()
  let lives = 0
  // The first worker dies early: on a fast machine an export is shorter than most of these intervals.
  const life = () => (lives++ === 0 ? 1000 : 1000 + random() * 7000)
  const kills = await killAgainAndAgain(life, {
    work: ends,
    attempts: async () => (await jobRows()).reduce((sum, { attempt }) => sum + attempt, 0),
    mayDie: async () =>
      (await jobRows()).every(
        ({ status, place, furthest, stalled }) =>
          !['queued', 'running'].includes(status) || stalled < MAX_ATTEMPTS - 1 || place > furthest,
      ),
  })
  const rows = await jobRows()
  t.diagnostic(`${kills} kills; attempts: ${rows.map(({ attempt }) => attempt).join(', ')}`)
  assert.deepEqual(
    (await ends).filter(({ status }) => status !== 'completed').map(({ error }) => error),
    [],
  )
  assert.ok(kills > 0, 'nothing was disturbed')
})

test('an export fails after three attempts whose worker was killed at the same point', async () => {
  const domain = 'poison.example.com'
  await disturbed.addSite(domain, smallSite(PAGES))
  const { jobId } = await disturbed.client.startExport({ domain })
  const { queries } = disturbed.node.context.database
  const placeOf = async () =>
    (
      await sql<{ attempt: number; place: number }>`
        SELECT attempt, place FROM static_exports WHERE id = ${jobId}
      `.execute(queries)
    ).rows[0]
  for (const attempt of [1, 2, 3]) {
    const worker = startWorker()
    await until(async () => (await placeOf())?.attempt === attempt)
    await kill(worker)
    // Reset the progress, so that every attempt ends at the same point whenever the signal arrived.
    await sql`UPDATE static_exports SET place = 0, furthest = 0 WHERE id = ${jobId}`.execute(queries)
  }
  const last = startWorker()
  const { status, error } = await disturbed.finished(jobId)
  await kill(last)
  assert.equal(status, 'failed')
  assert.equal(
    error,
    'Failed after 3 attempts that ended at the same point. The process that ran it stopped or did not respond.',
  )
})
