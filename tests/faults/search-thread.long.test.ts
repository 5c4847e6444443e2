/**
 * Ends the thread that builds the search index during an export and a deployment. No page is reported as the cause, one
 * log line reports it, and the output is byte-identical to that of an undisturbed node.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addProject } from '../../src/app/operator/administration.ts'
import { readManifest } from '../../src/render/versions/site-versions.ts'
import { createTestRepository, type TestRepository } from '../kit/git.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { smallSite } from '../kit/site.ts'
import { publish } from '../kit/until.ts'
import { type LogLine, startWorkerProcess, type WorkerProcess } from '../kit/worker-process.ts'

const SECRET = 'one secret for the nodes of this test'
const DOMAIN = 'search.example.com'
const LOSING = new URL('../kit/lost-search-thread.ts', import.meta.url).href

let disturbed: TestNode
let undisturbed: TestNode
let worker: WorkerProcess
let source: TestRepository
const projects = new Map<TestNode, string>()
const errors: LogLine[] = []

before(async () => {
  disturbed = await startTestNode({ OCTAVO_ROLE: 'api', OCTAVO_SECRET: SECRET })
  undisturbed = await startTestNode()
  source = await createTestRepository(smallSite(20))
  for (const node of [disturbed, undisturbed]) {
    const project = await addProject(node.node.context, {
      organizationId: node.organizationId,
      name: DOMAIN,
      domains: [DOMAIN],
      source: { kind: 'folder', repository: source.folder, ref: 'main' },
    })
    projects.set(node, project.id)
  }
  worker = startWorkerProcess(
    {
      DATABASE_URL: disturbed.databaseUrl,
      OCTAVO_DATA: disturbed.dataFolder,
      OCTAVO_SECRET: SECRET,
      OCTAVO_PUBLIC_URL: disturbed.url,
      OCTAVO_SITE_RETRY_SECONDS: '1',
      NODE_OPTIONS: `--import=${LOSING}`,
    },
    (line) => line.level === 'error' && errors.push(line),
  )
})
after(async () => {
  await worker.kill()
  await disturbed[Symbol.asyncDispose]()
  await undisturbed[Symbol.asyncDispose]()
  await source[Symbol.asyncDispose]()
})

function oneLineSaysSo(): void {
  assert.deepEqual(
    errors.map(({ event, job }) => ({ event, job })),
    [{ event: 'job.failed', job: errors[0]?.job }],
  )
  assert.match(String(errors[0]?.error), /the search index could not be created/)
}

test('an export is byte-identical without warnings when the search thread dies', async () => {
  errors.length = 0
  const bundles = []
  for (const node of [disturbed, undisturbed]) {
    const { jobId } = await node.client.startExport({ domain: DOMAIN })
    const { status, error, warnings } = await node.finished(jobId)
    assert.deepEqual({ status, error, warnings }, { status: 'completed', error: null, warnings: [] })
    bundles.push(await node.client.generateBundle(jobId))
  }
  assert.equal(bundles[0]?.sha256, bundles[1]?.sha256)
  oneLineSaysSo()
})

test('a published site has the same search index and no warnings when the search thread dies', async () => {
  errors.length = 0
  const indexes = []
  for (const node of [disturbed, undisturbed]) {
    const projectId = projects.get(node) as string
    const { status, error, warnings } = await publish(node.client, projectId)
    assert.deepEqual({ status, error, warnings }, { status: 'published', error: null, warnings: [] })
    indexes.push(await filesOf(node, projectId))
  }
  // Pages contain the address of their platform, which differs between the nodes; the search index does not.
  const searches = indexes.map((files) => files.filter(([path]) => path.includes('search-')))
  assert.ok((searches[0]?.length ?? 0) > 0)
  assert.deepEqual(searches[0], searches[1])
  assert.deepEqual(
    indexes[0]?.map(([path]) => path),
    indexes[1]?.map(([path]) => path),
  )
  oneLineSaysSo()
})

/** Names and hashes of the files of the published version. */
async function filesOf({ node: { context } }: TestNode, projectId: string): Promise<[string, string][]> {
  const { manifest_key: key } = await context.database.queries
    .selectFrom('published_sites')
    .select('manifest_key')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  const manifest = await readManifest(context.objects, key)
  return Object.entries(manifest.files).map(([path, { sha256 }]) => [path, sha256])
}
