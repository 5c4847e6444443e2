/**
 * A worker is killed with SIGKILL in the middle of an export, at a random moment: another one completes it, progress
 * never falls, and the archive is byte for byte that of an undisturbed export. OCTAVO_FAULT_ROUNDS sets the number of
 * rounds; each takes about 20 seconds, most of them the wait for the lease.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { smallSite } from '../kit/site.ts'
import { faultRounds } from '../kit/whole-run.ts'

const ROUNDS = faultRounds(1)
const PAGES = 300
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

/** Waits until the job has come so far, and a little longer: anywhere from its claim to its archive. */
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
  test(`round ${round}: an export whose worker is killed completes, byte-identical`, async (t) => {
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
