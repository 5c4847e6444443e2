/**
 * Tests the processes that read untrusted text. A site that exceeds the limits fails with a reason while the server
 * keeps responding. Whichever process is killed, no acknowledged work is lost and no process is left behind.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { loadConfig } from '../../src/app/config/config.ts'
import { superviseWorker } from '../../src/app/worker-process.ts'
import type { ExportJob } from '../../src/features/export/operations/static-export.ts'
import { LEASE_SECONDS } from '../../src/queue/lease-times.ts'
import { largeDescription } from '../kit/hostile-sites.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { descendants, findProcess, type Running } from '../kit/processes.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { smallSite } from '../kit/site.ts'
import { until } from '../kit/until.ts'

const RETRY_SECONDS = 2
const SECRET = 'one secret of the nodes of this test'

let served: TestNode

before(async () => {
  const env = {
    OCTAVO_SITE_MEMORY_MB: '256',
    OCTAVO_SITE_RETRY_SECONDS: String(RETRY_SECONDS),
    OCTAVO_SECRET: SECRET,
  }
  served = await startTestNode(env, { hasWorkerProcess: true })
})
after(() => served[Symbol.asyncDispose]())

/** Waits for the error that the API reports between two attempts. */
const reasonWhileQueued = (jobId: string): Promise<ExportJob> =>
  until(async () => {
    const job = await served.client.getExport(jobId)
    assert.notEqual(job.status, 'failed', 'it is seen before the end')
    return job.status === 'queued' && job.error !== null && job
  }, 'the reason of the first attempt')

/** Retry settings of the export in the queue; the delay is in seconds. */
async function retriesOf({ node }: TestNode, jobId: string) {
  const { rows } = await sql<{ count: number; delay: number; grows: boolean }>`
    SELECT retry_count AS count, retry_delay AS delay, retry_backoff AS grows FROM pgboss.job
    WHERE name = 'export.build' AND data ->> 'exportId' = ${jobId}
  `.execute(node.context.database.queries)
  return rows[0]
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Polls /healthz until the work ends, and returns the longest response time in milliseconds. */
async function watchHealth(work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const began = performance.now()
    const { status } = await fetch(`${served.url}/healthz`)
    assert.equal(status, 200)
    longest = Math.max(longest, performance.now() - began)
    await sleep(20)
  }
  return longest
}

test('a site above its memory limit fails with a reason, and the server and the next export work', async (t) => {
  const openapi = { openapi: 'openapi.json' }
  await served.addSite('large.example.com', {
    'docs.json': JSON.stringify({
      name: 'Large',
      theme: 'mint',
      colors: { primary: '#123456' },
      api: openapi,
      navigation: { groups: [{ group: 'API', ...openapi }] },
    }),
    'index.mdx': '# Hi\n',
    'openapi.json': largeDescription(),
  })
  await served.addSite('small.example.com', smallSite(3))
  const { jobId } = await served.client.startExport({ domain: 'large.example.com' })
  const failing = served.finished(jobId)
  const told = reasonWhileQueued(jobId)
  const longest = await watchHealth(failing)
  const failed = await failing
  assert.equal(failed.status, 'failed')
  assert.match(failed.error ?? '', /requires more than 0\.3 GB of memory/)
  assert.match((await told).error ?? '', /requires more than 0\.3 GB of memory/)
  const retries = await retriesOf(served, jobId)
  assert.deepEqual(
    retries,
    { count: 2, delay: 2 * RETRY_SECONDS, grows: false },
    'the third attempt was the last',
  )
  t.diagnostic(`longest wait for /healthz ${Math.round(longest)} ms`)
  const next = await served.client.startExport({ domain: 'small.example.com' })
  assert.equal((await served.finished(next.jobId)).status, 'completed')
  assert.deepEqual(
    descendants().filter(({ command }) => /inside\/main|render\/child/.test(command)),
    [],
  )
})

for (const [what, file] of [
  ['the process of its site', 'inside/main'],
  ['the process of the jobs', 'worker-main'],
] as const) {
  test(`an export completes when ${what} is killed`, async () => {
    const domain = `${what.replaceAll(' ', '-')}.example.com`
    await served.addSite(domain, smallSite(40))
    const { jobId } = await served.client.startExport({ domain })
    await findProcess('inside/main')
    const pid = await findProcess(file)
    process.kill(pid, 'SIGKILL')
    const job = await served.finished(jobId)
    assert.equal(job.status, 'completed', job.error ?? '')
    assert.ok(!descendants().some((one) => one.pid === pid))
    // A process killed from outside did not fail because of its input, so the job is retried as after any fault.
    assert.deepEqual(await retriesOf(served, jobId), { count: 1, delay: LEASE_SECONDS.retry, grows: true })
  })
}

test('a worker with a blocked event loop is replaced, and its export is retried after a wait', async () => {
  const waits = { OCTAVO_SITE_RETRY_SECONDS: '5' }
  await using api = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET, ...waits })
  await api.addSite('held.example.com', smallSite(40))
  const before = new Set(descendants().map(({ pid }) => pid))
  const isNew = ({ pid, command }: Running) => !before.has(pid) && /worker-main/.test(command)
  const { secrets } = loadConfig({}, { DATABASE_URL: api.databaseUrl, OCTAVO_SECRET: SECRET })
  const supervised = superviseWorker(api.node.context, secrets, { memoryBytes: 2 ** 31, silentMs: 4000 })
  try {
    await until(() => supervised.metricsSnapshot() !== null) // it works
    const stuck = descendants().find(isNew)
    assert.ok(stuck)
    const { jobId } = await api.client.startExport({ domain: 'held.example.com' })
    await findProcess('inside/main', stuck.pid)
    process.kill(stuck.pid, 'SIGSTOP')
    await until(() => !isRunning(stuck.pid))
    await until(() => supervised.metricsSnapshot() === null) // its end is reported a moment later
    await until(() => supervised.metricsSnapshot() !== null)
    assert.notEqual(descendants().find(isNew)?.pid, stuck.pid)
    assert.equal((await api.finished(jobId)).status, 'completed')
    assert.deepEqual(await retriesOf(api, jobId), { count: 1, delay: 5, grows: false })
  } finally {
    await supervised.stop()
  }
})

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`a node that gets ${signal} leaves no worker process behind`, async () => {
    const node = spawn(process.execPath, ['src/cli/main.ts', 'start', '--no-sample', '--json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...PROGRAM_ENV,
        PORT: '0',
        OCTAVO_DATA: served.dataFolder,
        OCTAVO_ALLOW_FSYNC_OFF: 'true',
        DATABASE_URL: served.databaseUrl,
        OCTAVO_SECRET: SECRET,
      },
    })
    try {
      await once(node.stdout, 'data') // it listens
      const worker = await findProcess('worker-main', node.pid)
      const exited = once(node, 'exit')
      node.kill(signal)
      const [code] = await exited
      if (signal === 'SIGTERM') assert.equal(code, 0)
      await until(() => !isRunning(worker))
    } finally {
      node.kill('SIGKILL')
    }
  })
}
