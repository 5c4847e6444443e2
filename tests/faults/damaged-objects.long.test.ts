/**
 * Changes, truncates or deletes random stored objects of every kind under a running node, which then exports,
 * publishes, and serves downloads, sites and reviews. All delivered content must be unchanged, and every damaged object
 * must be detected. OCTAVO_FAULT_ROUNDS sets the number of rounds.
 */
import assert from 'node:assert/strict'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 as digestOf } from '../../src/base/hash.ts'
import { createId } from '../../src/base/ids.ts'
import { previewPath } from '../../src/features/agent/review/review-previews.ts'
import type { ExportBundle } from '../../src/features/export/operations/static-export.ts'
import { OBJECT_KINDS } from '../../src/objects/object-kinds.ts'
import { verifyAllObjects } from '../../src/objects/verify-objects.ts'
import { startTestNode, type TestNode } from '../kit/node.ts'
import { smallSite } from '../kit/site.ts'
import { publish } from '../kit/until.ts'
import { faultRounds } from '../kit/whole-run.ts'

const ROUNDS = faultRounds(1)
const DAMAGES = 100
const PAGES = 40
const DOMAIN = 'damaged.example.com'

let octavo: TestNode
let projectId: string
let exports: string[]
/** Site files by path, as served before any damage. */
let pristine: Map<string, Buffer>
let reviewPath: string

before(async () => {
  octavo = await startTestNode()
  projectId = (await octavo.addSite(DOMAIN, smallSite(PAGES))).projectId
  const { jobId } = await octavo.client.startExport({ domain: DOMAIN })
  assert.equal((await octavo.finished(jobId)).status, 'completed')
  const other = await octavo.client.startExport({ domain: DOMAIN, paths: ['/page-1'] })
  assert.equal((await octavo.finished(other.jobId)).status, 'completed')
  exports = [jobId, other.jobId]
  await publish(octavo.client, projectId)
  pristine = new Map()
  for (const path of ['/', '/llms.txt', ...Array.from({ length: PAGES }, (_, i) => `/page-${i + 1}`)])
    pristine.set(path, (await askSite(path)).body)
  reviewPath = await addReview()
})
after(() => octavo[Symbol.asyncDispose]())

async function askSite(path: string): Promise<{ status: number; body: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: Buffer }>()
  const { hostname, port } = new URL(octavo.url)
  httpRequest({ host: hostname, port, path, headers: { host: DOMAIN } }, async (response) => {
    const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>)
    resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) })
  })
    .on('error', reject)
    .end()
  return promise
}

/** Adds a review with the rendered pages of the published version, and returns the URL of its pages. */
async function addReview(): Promise<string> {
  const { queries } = octavo.node.context.database
  const { manifest_key } = await queries
    .selectFrom('published_sites')
    .select('manifest_key')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  const id = createId('aj')
  await queries
    .insertInto('agent_jobs')
    .values({
      id,
      organization_id: octavo.organizationId,
      project_id: projectId,
      status: 'completed',
      repository: 'local',
      ref: 'main',
      model: 'test:model',
      queue_job_id: null,
      title: null,
      summary: null,
      branch: null,
      error: null,
      origin_commit: null,
      base_commit: null,
      pushed_commit: null,
      finished_at: null,
      turn_started_at: null,
      pull_request_id: null,
      pull_request_link: null,
      pull_request_state: null,
      look_at: null,
      before_manifest: null,
      after_manifest: manifest_key,
      started_by: null,
      archived_at: null,
    })
    .execute()
  return `${octavo.url}${previewPath(octavo.node.context.secret, { id, link_salt: '' })}/after`
}

type Damage = 'changed' | 'cut' | 'deleted'

/** Damages up to `count` objects, spread evenly over the kinds, and returns the damage by key. */
async function damageObjects(count: number): Promise<Map<string, Damage>> {
  const { objects } = octavo.node.context
  const keys: string[] = []
  const byKind = await Promise.all(
    Object.keys(OBJECT_KINDS).map(async (kind) =>
      shuffled((await Array.fromAsync(objects.list(`${kind}/`))).map(({ key }) => key)),
    ),
  )
  for (let turn = 0; keys.length < count && byKind.some((kind) => kind.length > turn); turn++)
    for (const kind of byKind)
      if (kind[turn] !== undefined && keys.length < count) keys.push(kind[turn] as string)
  const done = new Map<string, Damage>()
  for (const [index, key] of keys.entries()) {
    const way = (['changed', 'cut', 'deleted'] as const)[index % 3] as Damage
    await hurt(join(octavo.node.context.folder.objects, 'objects', `${key}@`), way)
    done.set(key, way)
  }
  return done
}

async function hurt(path: string, way: Damage): Promise<void> {
  if (way === 'deleted') return rm(path)
  const bytes = await readFile(path)
  if (way === 'cut') return truncate(path, Math.floor(Math.random() * bytes.length))
  for (let i = 0; i < 4; i++) {
    const at = Math.floor(Math.random() * (bytes.length - 256))
    bytes[at] = (bytes[at] as number) ^ (1 + Math.floor(Math.random() * 255))
  }
  return writeFile(path, bytes)
}

function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** Requests the bundle until it is ready, as documented for callers. */
async function download(jobId: string): Promise<Buffer> {
  for (let asked = 1; ; asked++) {
    const response = await octavo.fetch(`${octavo.url}/v1/static-export/jobs/${jobId}/bundle`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${octavo.key}` },
    })
    const told = (await response.json()) as Partial<ExportBundle> & { error?: string }
    if (response.status === 200) {
      const archive = await fetch(String(told.bundleUrl))
      assert.equal(archive.status, 200)
      const bytes = Buffer.from(await archive.arrayBuffer())
      assert.equal(told.sha256, digestOf(bytes))
      return bytes
    }
    assert.equal(response.status, 409, told.error ?? '')
    assert.match(told.error ?? '', /is being rebuilt/)
    assert.ok(response.headers.has('retry-after'))
    assert.ok(asked < 600, 'the bundle never came')
    await sleep(100)
  }
}

for (let round = 1; round <= ROUNDS; round++) {
  test(`round ${round}: ${DAMAGES} damaged objects are all detected, and no wrong byte is served`, async () => {
    const { objects } = octavo.node.context
    const archives = new Map<string, Buffer>()
    for (const jobId of exports) archives.set(jobId, await download(jobId))
    const before = total(objects.damaged())
    const done = await damageObjects(DAMAGES)
    assert.ok(done.size >= DAMAGES * 0.8, `only ${done.size} objects`)

    // First, the read-only consumers: site, review and download links.
    for (const [path, whole] of pristine) {
      const { status, body } = await askSite(path)
      if (status === 200) assert.ok(body.equals(whole), path)
      else assert.equal(status, 503, path)
    }
    for (const page of ['index.html', 'page-1.html', 'page-2.html', 'page-3.html']) {
      const answer = await fetch(`${reviewPath}/${page}`)
      const body = Buffer.from(await answer.arrayBuffer())
      if (answer.status === 200) assert.ok(body.equals(pristine.get(routeOf(page)) as Buffer), page)
      else assert.equal(answer.status, 404, page)
    }

    // Then the operations that build from stored objects: exports and publishing.
    const started = await octavo.client.startExport({ domain: DOMAIN })
    const job = await octavo.finished(started.jobId)
    assert.equal(job.status, 'completed', job.error ?? '')
    assert.deepEqual(job.warnings, [])
    const first = archives.get(exports[0] as string) as Buffer
    assert.ok((await download(started.jobId)).equals(first), 'a new export is what it was')
    for (const [jobId, archive] of archives) assert.ok((await download(jobId)).equals(archive), jobId)
    await publish(octavo.client, projectId)
    for (const [path, whole] of pristine) {
      const { status, body } = await askSite(path)
      assert.equal(status, 200, path)
      assert.ok(body.equals(whole), path)
    }

    await verifyAllObjects(objects)
    const hurtInPlace = [...done.values()].filter((way) => way !== 'deleted').length
    assert.equal(total(objects.damaged()) - before, hurtInPlace, 'each damaged object is counted once')
    assert.deepEqual((await verifyAllObjects(objects)).damaged, [])
  })
}

function routeOf(page: string): string {
  const bare = page.replace(/\.html$/, '')
  return bare === 'index' ? '/' : `/${bare}`
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
