/**
 * Kills a helper process during an export. No page is reported as the cause: the export completes without a warning and
 * byte-identical to an undisturbed one, the log has one line at error level, and the next export succeeds.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { addProject } from '../../src/app/operator/administration.ts'
import { inspectArchive } from '../../src/features/export/archive/verify-archive.ts'
import type { ExportJob } from '../../src/features/export/operations/static-export.ts'
import { createTestRepository } from '../kit/git.ts'
import { ESBUILD, killPart, PARTS, restingOf, siteOfParts } from '../kit/killed-parts.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { processTree } from '../kit/processes.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { writeSite } from '../kit/site.ts'
import { type LogLine, startWorkerProcess, type WorkerProcess } from '../kit/worker-process.ts'

const SECRET = 'one secret for the nodes of this test'

let disturbed: TestNode
let undisturbed: TestNode
let worker: WorkerProcess
const errors: LogLine[] = []

before(async () => {
  disturbed = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET })
  undisturbed = await startTestNode()
  worker = startWorkerProcess(
    {
      DATABASE_URL: disturbed.databaseUrl,
      OCTAVO_DATA: disturbed.dataFolder,
      OCTAVO_SECRET: SECRET,
      OCTAVO_PUBLIC_URL: disturbed.url,
      OCTAVO_SITE_RETRY_SECONDS: '1',
    },
    (line) => line.level === 'error' && errors.push(line),
  )
})
after(async () => {
  await worker.kill()
  await disturbed[Symbol.asyncDispose]()
  await undisturbed[Symbol.asyncDispose]()
})

for (const part of PARTS) {
  const { name, kills, pictures } = part
  test(`${name} killed: the export is byte-identical without warnings, and each kill logs one error`, async (t) => {
    const domain = `${name.replaceAll(' ', '-')}.example.com`
    await using source = await createTestRepository(siteOfParts(name, 60, pictures))
    for (const { node, organizationId } of [disturbed, undisturbed])
      await addProject(node.context, {
        organizationId,
        name: domain,
        domains: [domain],
        source: { kind: 'folder', repository: source.folder, ref: 'main' },
      })
    errors.length = 0
    const resting = await restingOf(process.pid, part)
    const { jobId } = await disturbed.client.startExport({ domain })
    const killed = await killPart(disturbed.client, jobId, process.pid, part, () => errors.length, resting)
    const killedAt = performance.now()
    const job = await disturbed.finished(jobId)
    t.diagnostic(
      `${killed} killed, completed ${Math.round((performance.now() - killedAt) / 100) / 10} s later`,
    )
    assert.equal(killed, kills, 'it was never there to be killed')
    assert.deepEqual(endOf(job), { status: 'completed', error: null, warnings: [] })
    assert.equal(errors.length, killed, JSON.stringify(errors))

    const reference = await undisturbed.client.startExport({ domain })
    const undisturbedJob = await undisturbed.finished(reference.jobId)
    assert.deepEqual(endOf(undisturbedJob), { status: 'completed', error: null, warnings: [] })
    const [one, other] = await Promise.all([
      disturbed.client.generateBundle(jobId),
      undisturbed.client.generateBundle(reference.jobId),
    ])
    // Compare the files before the hashes, so that a failure shows what differs.
    assert.deepEqual(await filesIn(one), await filesIn(other))
    assert.equal(one.sha256, other.sha256)

    const next = await disturbed.client.startExport({ domain, version: 'next' })
    assert.deepEqual(endOf(await disturbed.finished(next.jobId)), {
      status: 'completed',
      error: null,
      warnings: [],
    })
  })
}

test('an export whose site process is killed each time fails with an internal error and no warnings', async () => {
  const domain = 'each-time.example.com'
  await disturbed.addSite(domain, siteOfParts('each time', 60))
  errors.length = 0
  const { jobId } = await disturbed.client.startExport({ domain })
  const each = { command: /sandbox\/inside\/main/, kills: 100, from: 0 }
  const killed = await killPart(disturbed.client, jobId, process.pid, each, () => errors.length)
  assert.ok(killed >= 3)
  const job = await disturbed.finished(jobId)
  assert.equal(job.status, 'failed')
  assert.match(
    job.error ?? '',
    /^An internal error occurred in Octavo: .* The pages are not the cause\. Try again/,
  )
  assert.deepEqual(job.warnings, [])
  assert.deepEqual(
    errors.map(({ event }) => event),
    [...Array<string>(killed - 1).fill('job.failed'), 'export.failed'],
  )
})

test('check recovers from a killed helper process, and exits with code 3 when none can run', async () => {
  const folder = join(disturbed.dataFolder, 'checked')
  await writeSite(folder, siteOfParts('checked', 60))
  const disturbedCheck = await checkOf(folder, {}, async (pid) => {
    for (;;) {
      const found = (await processTree(pid)).find((one) => ESBUILD.test(one.command))
      if (found) return void process.kill(found.pid, 'SIGKILL')
    }
  })
  assert.equal(disturbedCheck.code, 0, disturbedCheck.said + disturbedCheck.found)
  assert.match(disturbedCheck.found, /0 errors|no problems/)
  const never = await checkOf(folder, { ESBUILD_BINARY_PATH: '/bin/false' })
  assert.equal(never.code, 3)
  assert.equal(never.found, '')
  assert.match(
    never.said,
    /^An internal error occurred in Octavo: esbuild stopped without a result\. The pages are not the cause/m,
  )
})

async function checkOf(
  folder: string,
  env: Record<string, string>,
  disturb: (pid: number) => Promise<void> = async () => undefined,
) {
  const child = spawn(process.execPath, ['src/cli/main.ts', 'check', folder], {
    env: { ...PROGRAM_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = Promise.all([text(child.stdout), text(child.stderr)])
  await disturb(child.pid as number)
  const [code] = (await once(child, 'exit')) as [number]
  const [found, said] = await texts
  return { code, found, said }
}

async function filesIn({ bundleUrl }: { bundleUrl: string }): Promise<Record<string, string>> {
  const archive = Buffer.from(await (await fetch(bundleUrl)).arrayBuffer())
  const { files } = await inspectArchive(Readable.from([archive]))
  return Object.fromEntries([...files].map(([path, { sha256 }]) => [path, sha256]))
}

function endOf({ status, error, warnings }: ExportJob) {
  return { status, error, warnings }
}
