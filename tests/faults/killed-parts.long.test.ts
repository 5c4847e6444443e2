/**
 * A helper process is killed in the middle of an export. Nobody's pages are blamed: the export completes, byte for byte
 * as one that was not disturbed and without a warning, the log has one line at error level, and the next export works.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addProject } from '../../src/app/administration.ts'
import type { ExportJob } from '../../src/contract/static-export.ts'
import { createTestRepository } from '../kit/git.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { processTree } from '../kit/processes.ts'
import { PROGRAM_ENV } from '../kit/program-env.ts'
import { smallSite, writeSite } from '../kit/site.ts'
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

/** What runs in the browser, what runs at the build and takes a while, and plain pages. */
function siteOf(mark: string, pages: number): Record<string, string> {
  const files = smallSite(pages)
  files['snippets/counter.jsx'] =
    `export const Counter = () => {\n  const [count, setCount] = useState(0)\n  return <button onClick={() => setCount(count + 1)}>${mark} {count}</button>\n}\n`
  for (const [path, text] of Object.entries(files))
    if (path.endsWith('.mdx'))
      files[path] =
        `${text.replace('---\n\n', "---\nimport { Counter } from '/snippets/counter.jsx'\n\n")}\n${mark}\n\n<Counter />\n\n{[...Array(40000).keys()].filter((n) => n % 7).map((n) => Math.sqrt(n)).length}\n`
  return files
}

/** Kills processes of that command line, one after the other, as soon as there is one and the job has come so far. */
async function killWhen(jobId: string, command: RegExp, kills: number, from: number): Promise<number> {
  const killed = new Set<number>()
  while (killed.size < kills) {
    const { status, progress } = await disturbed.client.getExport(jobId)
    if (status === 'completed' || status === 'failed') break
    if (progress < from) continue
    const found = (await processTree(process.pid)).find(
      (one) => command.test(one.command) && !killed.has(one.pid),
    )
    if (found === undefined) continue
    try {
      process.kill(found.pid, 'SIGKILL')
    } catch {
      continue // it came to its end
    }
    killed.add(found.pid)
    await sleep(300)
  }
  return killed.size
}

const ESBUILD = /esbuild\S* --service/
const HELPERS = [
  { name: 'the program that translates components', command: ESBUILD, kills: 1, from: 20 },
  { name: 'a render child', command: /render\/child\/main/, kills: 3, from: 10 },
  { name: 'the process of a site', command: /sandbox\/inside\/main/, kills: 1, from: 20 },
  { name: 'git', command: /git\S* cat-file --batch/, kills: 1, from: 0 },
]

for (const { name, command, kills, from } of HELPERS) {
  test(`${name} is killed: the export is the same, no page is blamed, and one line says so`, async (t) => {
    const domain = `${name.replaceAll(' ', '-')}.example.com`
    await using source = await createTestRepository(siteOf(name, 60))
    for (const { node, organizationId } of [disturbed, undisturbed])
      await addProject(node.context, {
        organizationId,
        name: domain,
        domains: [domain],
        source: { kind: 'folder', repository: source.folder, ref: 'main' },
      })
    errors.length = 0
    const { jobId } = await disturbed.client.startExport({ domain })
    const killed = await killWhen(jobId, command, kills, from)
    const killedAt = performance.now()
    const job = await disturbed.finished(jobId)
    t.diagnostic(
      `${killed} killed, completed ${Math.round((performance.now() - killedAt) / 100) / 10} s later`,
    )
    assert.equal(killed, kills, 'it was never there to be killed')
    assert.deepEqual(endOf(job), { status: 'completed', error: null, warnings: [] })
    assert.equal(errors.length, killed, JSON.stringify(errors))

    const reference = await undisturbed.client.startExport({ domain })
    assert.equal((await undisturbed.finished(reference.jobId)).status, 'completed')
    const [one, other] = await Promise.all([
      disturbed.client.generateBundle(jobId),
      undisturbed.client.generateBundle(reference.jobId),
    ])
    assert.equal(one.sha256, other.sha256)

    const next = await disturbed.client.startExport({ domain, version: 'next' })
    assert.deepEqual(endOf(await disturbed.finished(next.jobId)), {
      status: 'completed',
      error: null,
      warnings: [],
    })
  })
}

test('a process of a site that is killed each time ends the export, and nobody is blamed', async () => {
  const domain = 'each-time.example.com'
  await disturbed.addSite(domain, siteOf('each time', 60))
  errors.length = 0
  const { jobId } = await disturbed.client.startExport({ domain })
  const killed = await killWhen(jobId, /sandbox\/inside\/main/, 100, 0)
  assert.ok(killed >= 3)
  const job = await disturbed.finished(jobId)
  assert.equal(job.status, 'failed')
  assert.match(
    job.error ?? '',
    /^A part of Octavo itself failed: .* Nothing is wrong with the pages: try again/,
  )
  assert.deepEqual(job.warnings, [])
  assert.deepEqual(
    errors.map(({ event }) => event),
    [...Array<string>(killed - 1).fill('job.failed'), 'export.failed'],
  )
})

test('check goes on with a helper that was killed, and says with a code of its own that none stays', async () => {
  const folder = join(disturbed.dataFolder, 'checked')
  await writeSite(folder, siteOf('checked', 60))
  const disturbedCheck = await checkOf(folder, {}, async (pid) => {
    for (;;) {
      const found = (await processTree(pid)).find((one) => ESBUILD.test(one.command))
      if (found) return void process.kill(found.pid, 'SIGKILL')
    }
  })
  assert.equal(disturbedCheck.code, 0, disturbedCheck.said)
  assert.match(disturbedCheck.found, /0 errors|no problems/)
  const never = await checkOf(folder, { ESBUILD_BINARY_PATH: '/bin/false' })
  assert.equal(never.code, 3)
  assert.equal(never.found, '')
  assert.match(
    never.said,
    /^A part of Octavo itself failed: the program that translates scripts ended without an answer\. Nothing is wrong with the pages/m,
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

function endOf({ status, error, warnings }: ExportJob) {
  return { status, error, warnings }
}
