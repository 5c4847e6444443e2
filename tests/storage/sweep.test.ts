import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { correctClockSetBack } from '../../src/app/live/follow-clock.ts'
import { AppError } from '../../src/base/errors/errors.ts'
import { sha256 } from '../../src/base/hash.ts'
import { silentLog } from '../../src/base/log.ts'
import { createBundleLink } from '../../src/features/export/bundle-link.ts'
import { bundleKey } from '../../src/features/export/make-bundle.ts'
import { createRetainer } from '../../src/features/storage/retaining-store.ts'
import { deleteScheduled } from '../../src/features/storage/scheduled-deletions.ts'
import { readStorageUse } from '../../src/features/storage/storage-use.ts'
import { isSweepDue, previewSweep, type SweepResult, sweep } from '../../src/features/storage/sweep.ts'
import { cachePrefix, openObjectCache } from '../../src/objects/object-cache.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { putEntry, readEntry } from '../../src/render/cache/entries.ts'
import { putBlob } from '../../src/render/versions/blobs.ts'
import { blobKey } from '../../src/render/versions/manifest.ts'
import { openObjectStore } from '../kit/open-store.ts'
import { setClockBack } from '../kit/set-clock.ts'
import { until } from '../kit/until.ts'
import { openBucket } from '../objects/bucket.ts'
import { openStorageScene, type StorageScene, someArchive } from './storage-scene.ts'

const { signal } = new AbortController()

async function openDisk(t: TestContext): Promise<ObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-sweep-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return openObjectStore({
    kind: 'disk',
    folder,
    publicUrl: 'http://localhost',
    secret: 'sixteen characters',
  })
}

const STORES: Record<string, (t: TestContext) => Promise<ObjectStore>> = { disk: openDisk, s3: openBucket }

/** Makes a row this many days older. */
async function age(scene: StorageScene, table: string, id: string, days: number): Promise<void> {
  await scene.database.pool.query(
    `UPDATE ${table} SET updated_at = updated_at - make_interval(days => $2) WHERE id = $1`,
    [id, days],
  )
}

async function ageCondemned(scene: StorageScene, days: number): Promise<void> {
  await scene.database.pool.query(`UPDATE condemned_objects SET since = since - make_interval(days => $1)`, [
    days,
  ])
}

function held(result: SweepResult | null, organizationId: string, holder: string) {
  return result?.use.find((use) => use.organizationId === organizationId && use.holder === holder)
}

for (const [name, open] of Object.entries(STORES))
  test(`${name}: keeps objects that rows need, and deletes the others after the grace period`, async (t) => {
    await using scene = await openStorageScene(await open(t))
    const acme = await scene.addProject('acme')
    const kept = someArchive()
    const old = someArchive()
    await scene.addExport(acme, kept)
    const expired = await scene.addExport(acme, old)
    const before = await scene.publish(acme, { 'index.html': 'one', 'old.html': 'old' })
    await scene.publish(acme, { 'index.html': 'one', 'new.html': 'new' })
    const cached = cachePrefix('prj_any') + sha256('a page')
    await putEntry(openObjectCache(scene.objects, 'prj_any'), 'a page', { html: 'a page' })
    await scene.objects.put(`bodies/${sha256('of an earlier version')}.json.zst`, Buffer.from('x'))
    await age(scene, 'static_exports', expired, 91)
    await age(scene, 'deployments', before, 31)

    const grace = 3600
    await sweep(scene.sweepDeps({}, grace), signal)
    assert.ok((await scene.storedKeys()).has(bundleKey(sha256(old))), 'nothing goes before its time')
    await ageCondemned(scene, 1)
    const swept = await sweep(scene.sweepDeps({}, grace), signal)
    assert.equal(swept?.deleted.objects, 2, 'the archive and the list of the version before')
    const stored = await scene.storedKeys()
    assert.ok(!stored.has(bundleKey(sha256(old))))
    assert.ok(stored.has(bundleKey(sha256(kept))))
    assert.ok(stored.has(blobKey(sha256('old'))), 'a cache stays for longer')
    assert.ok(stored.has(cached))

    await ageCondemned(scene, 14)
    assert.equal((await sweep(scene.sweepDeps({}, grace), signal))?.deleted.objects, 3)
    const left = await scene.storedKeys()
    assert.ok(!left.has(blobKey(sha256('old'))) && !left.has(cached))
    for (const text of ['one', 'new']) assert.ok(left.has(blobKey(sha256(text))), text)
    assert.equal((await sweep(scene.sweepDeps({}, 0), signal))?.deleted.objects, 0)
  })

test('two exports of the same content share one archive, which is deleted with the last of them', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const acme = await scene.addProject('acme')
  const archive = someArchive()
  const first = await scene.addExport(acme, archive)
  const second = await scene.addExport(acme, archive)
  assert.equal((await scene.storedKeys()).size, 1)
  await age(scene, 'static_exports', first, 91)
  await sweep(scene.sweepDeps(), signal)
  await sweep(scene.sweepDeps(), signal)
  assert.equal((await scene.storedKeys()).size, 1)
  await age(scene, 'static_exports', second, 91)
  await sweep(scene.sweepDeps(), signal)
  assert.equal((await scene.storedKeys()).size, 0)
})

test('keeps an archive with a live link, and cancels the deletion of one that is requested again', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const acme = await scene.addProject('acme')
  const archive = someArchive()
  const jobId = await scene.addExport(acme, archive)
  await age(scene, 'static_exports', jobId, 91)
  await sweep(scene.sweepDeps({}, 3600), signal) // condemned
  await ageCondemned(scene, 1)
  const asked: string[] = []
  const deps = {
    objects: scene.served,
    bundleLinkSeconds: 3600,
    log: silentLog,
    database: scene.database,
    queue: {
      async enqueue(_tx: unknown, job: string) {
        asked.push(job)
        return null
      },
    },
  }
  const link = () =>
    scene.database.transaction((tx) => createBundleLink(deps, tx, acme.organizationId, jobId))
  await link()
  assert.equal((await sweep(scene.sweepDeps({}, 3600), signal))?.deleted.objects, 0)
  assert.equal((await sweep(scene.sweepDeps({}, 0), signal))?.deleted.objects, 0, 'the link lives')
  await scene.database.pool.query(
    `UPDATE static_exports SET bundle_needed_until = now() - interval '91 days' WHERE id = $1`,
    [jobId],
  )
  assert.equal((await sweep(scene.sweepDeps({}, 0), signal))?.deleted.objects, 1)
  await assert.rejects(link, (error) => error instanceof AppError && error.code === 'bundle_rebuilding')
  assert.deepEqual(asked, ['export.restore'])
})

test('each organization sets its own retention in days, and 0 retains forever', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const [short, long, usual] = await Promise.all(['short', 'long', 'usual'].map(scene.addProject))
  const archives = [someArchive(), someArchive(), someArchive()] as const
  for (const [index, project] of [short, long, usual].entries()) {
    const id = await scene.addExport(project as never, archives[index] as Uint8Array)
    await age(scene, 'static_exports', id, 40)
  }
  const choose = (id: string | undefined, days: number) =>
    scene.database.pool.query(`UPDATE organizations SET retention = $2 WHERE id = $1`, [
      id,
      JSON.stringify({ exports: days }),
    ])
  await choose(short?.organizationId, 30)
  await choose(long?.organizationId, 0)
  await sweep(scene.sweepDeps({ exports: 35 }), signal)
  assert.deepEqual([...(await scene.storedKeys())], [bundleKey(sha256(archives[1]))])
})

test('a job that reuses an object while it is being deleted writes it again and loses nothing', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  await using scene = await openStorageScene({
    ...stored,
    async delete(key) {
      begun.resolve()
      await goOn.promise
      await stored.delete(key)
    },
  })
  const acme = await scene.addProject('acme')
  await putBlob(scene.objects, 'index.html', 'shared')
  await sweep(scene.sweepDeps({}, 3600), signal)
  await ageCondemned(scene, 20)
  const sweeping = sweep(scene.sweepDeps({}, 3600), signal)
  await begun.promise
  const publishing = scene.publish(acme, { 'index.html': 'shared' })
  await waitsForLock(scene)
  goOn.resolve()
  await Promise.all([sweeping, publishing])
  assert.ok((await scene.storedKeys()).has(blobKey(sha256('shared'))))
  for (const key of await scene.neededKeys()) assert.ok((await scene.storedKeys()).has(key), key)
})

/** Waits until a query of this database is blocked by a lock. */
async function waitsForLock(scene: StorageScene): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await until(async () => (await scene.database.pool.query(waiting)).rowCount !== 0)
}

for (const [name, seconds] of [
  ['eight hours', 8 * 3600],
  ['a day', 86_400],
] as const)
  test(`a clock set forward by ${name} ends no grace period, and the time before it counts`, async () => {
    await using stored = await openObjectStore({ kind: 'memory' })
    await using scene = await openStorageScene(stored)
    const grace = 7 * 3600
    const used = bundleKey(sha256('of a job that is at work'))
    const unused = bundleKey(sha256('of a job that has died'))
    await scene.served.put(unused, Buffer.from('of a job that has died'))
    await sweep(scene.sweepDeps({}, grace), signal)
    await ageCondemned(scene, 1)
    await scene.objects.put(used, Buffer.from('of a job that is at work'))
    await sweep(scene.sweepDeps({}, 2 * 86_400), signal)
    await setClockBack(scene.database, -seconds)
    // A running sweep also detects the clock change, before it has been corrected.
    await deleteScheduled(
      { ...scene, objects: scene.served },
      { kind: 'bundles', seconds: grace, graceSeconds: grace, maxBytes: null },
      signal,
    )
    assert.deepEqual([...(await scene.storedKeys())], [used])
    await correctClockSetBack(scene.database)
    for (let n = 0; n < 2; n++) await sweep(scene.sweepDeps({}, grace), signal)
    assert.deepEqual([...(await scene.storedKeys())], [used])
    const { rows } = await scene.database.pool.query(
      'SELECT key FROM condemned_objects WHERE since > clock_timestamp()',
    )
    assert.deepEqual(rows, [], 'none waits from a time on that is to come')
    await ageCondemned(scene, 1)
    await sweep(scene.sweepDeps({}, grace), signal)
    assert.deepEqual([...(await scene.storedKeys())], [])
  })

test('cache entries that renders use again are retained', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const cache = openObjectCache(scene.objects, 'prj_any')
  for (const name of ['used', 'unused']) await putEntry(cache, name, { name })
  await sweep(scene.sweepDeps(), signal)
  await ageCondemned(scene, 15)
  assert.deepEqual(await readEntry(cache, 'used'), { name: 'used' })
  await sweep(scene.sweepDeps(), signal)
  assert.deepEqual([...(await scene.storedKeys())], [cachePrefix('prj_any') + sha256('used')])
})

test('the cache of a project is limited in bytes and evicts the least recently used entry first', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const large = openObjectCache(scene.objects, 'prj_large')
  await openObjectCache(scene.objects, 'prj_small').put('only', new Uint8Array(1000))
  for (const name of ['first', 'second', 'third']) {
    await large.put(name, new Uint8Array(1000))
    await sweep(scene.sweepDeps(), signal)
  }
  await large.read('first')
  await sweep(scene.sweepDeps(), signal)
  const bounded = { ...scene.sweepDeps(), cacheBytes: 2500 }
  assert.equal((await previewSweep(bounded, signal)).deleted.objects, 1)
  await sweep({ ...bounded, graceSeconds: 3600 }, signal)
  assert.equal((await scene.storedKeys()).size, 4, 'a job may still need what it has used')
  await sweep(bounded, signal)
  const left = await scene.storedKeys()
  assert.equal(left.size, 3)
  assert.ok(!left.has(cachePrefix('prj_large') + sha256('second')))
})

test('inactive agent jobs are archived, and the data of archived ones is deleted', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const acme = await scene.addProject('acme')
  const id = await scene.addAgentJob(acme, { 'index.html': 'preview' })
  await sweep(scene.sweepDeps(), signal)
  assert.equal((await scene.storedKeys()).size, 2)
  await age(scene, 'agent_jobs', id, 91)
  await sweep(scene.sweepDeps(), signal)
  const job = () =>
    scene.database.queries
      .selectFrom('agent_jobs')
      .select(['status', 'after_manifest'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  assert.equal((await job()).status, 'archived')
  const { rows: audit } = await scene.database.pool.query(
    `SELECT actor FROM audit_rows WHERE subject = $1 AND action = 'agent_job.archived'`,
    [id],
  )
  assert.deepEqual(audit, [{ actor: 'system' }])
  await age(scene, 'agent_jobs', id, 91)
  await sweep(scene.sweepDeps(), signal)
  assert.equal((await job()).after_manifest, null)
  const { rows: messages } = await scene.database.pool.query(`SELECT 1 FROM agent_job_messages`)
  assert.equal(messages.length, 0)
  await ageCondemned(scene, 15)
  await sweep(scene.sweepDeps(), signal)
  assert.equal((await scene.storedKeys()).size, 0)
})

test('the audit log is pruned by the retention of its organization', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const acme = await scene.addProject('acme')
  const count = async () =>
    (
      await scene.database.pool.query(`SELECT 1 FROM audit_rows WHERE organization_id = $1`, [
        acme.organizationId,
      ])
    ).rows.length
  await sweep(scene.sweepDeps(), signal)
  assert.equal(await count(), 1)
  await scene.database.pool.query(`UPDATE audit_rows SET at = at - interval '10 days'`)
  await scene.database.pool.query(`UPDATE organizations SET retention = '{"audit": 9}'`)
  await sweep(scene.sweepDeps(), signal)
  const { rows } = await scene.database.pool.query(`SELECT action FROM audit_rows`)
  assert.deepEqual(rows, [{ action: 'audit.pruned' }])
})

test('a sweep records storage use, and a preview reports it without changing anything', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const acme = await scene.addProject('acme')
  const other = await scene.addProject('other')
  const shared = someArchive(1000)
  await scene.addExport(acme, someArchive(5000))
  await scene.addExport(acme, shared)
  await scene.addExport(other, shared)
  await scene.objects.put(bundleKey(sha256('nobody')), someArchive(700))
  const preview = await previewSweep(scene.sweepDeps(), signal)
  assert.deepEqual(preview.deleted, { objects: 0, bytes: 0 })
  assert.deepEqual(await readStorageUse(scene.database.queries), { endedAt: null, use: [] })
  const result = await sweep(scene.sweepDeps({}, 3600), signal)
  for (const seen of [preview, result]) {
    assert.equal(held(seen, acme.organizationId, 'exports')?.bytes, 5000)
    assert.equal(held(seen, other.organizationId, 'exports'), undefined)
    assert.equal(held(seen, '', 'exports')?.bytes, 1000)
    assert.equal(held(seen, '', 'unneeded')?.bytes, 700)
  }
  const { use, endedAt } = await readStorageUse(scene.database.queries, acme.organizationId)
  assert.deepEqual(use, [{ organizationId: acme.organizationId, holder: 'exports', objects: 1, bytes: 5000 }])
  assert.ok(endedAt)
  await ageCondemned(scene, 1)
  assert.deepEqual((await previewSweep(scene.sweepDeps({}, 3600), signal)).deleted, {
    objects: 1,
    bytes: 700,
  })
  assert.ok((await scene.storedKeys()).has(bundleKey(sha256('nobody'))))
})

test('concurrent sweeps run as one, and the next one is due after an hour', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const acme = await scene.addProject('acme')
  for (let i = 0; i < 20; i++) await scene.addExport(acme, someArchive(100))
  assert.ok(await isSweepDue(scene.database.queries, 3600))
  const both = await Promise.all([sweep(scene.sweepDeps(), signal), sweep(scene.sweepDeps(), signal)])
  assert.equal(both.filter((one) => one === null).length, 1)
  assert.equal(await isSweepDue(scene.database.queries, 3600), false)
  await scene.database.pool.query(`UPDATE storage_sweeps SET ended_at = ended_at - interval '61 minutes'`)
  assert.ok(await isSweepDue(scene.database.queries, 3600))
  await scene.database.pool.query(`UPDATE storage_sweeps SET ended_at = now() + interval '1 day'`)
  assert.ok(await isSweepDue(scene.database.queries, 3600), 'a clock that was set back is no reason to wait')
})

test('an interrupted sweep resumes with the keys it has recorded and reads only later versions', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const acme = await scene.addProject('acme')
  await scene.publish(acme, { 'index.html': 'one' })
  await scene.publish(acme, { 'index.html': 'two' })
  const deps = scene.sweepDeps()
  const broken = { ...deps.objects, list: () => assert.fail('the store is away') }
  await assert.rejects(sweep({ ...deps, objects: broken }, signal), /the store is away/)

  await scene.publish(acme, { 'index.html': 'three' })
  const needed = await scene.neededKeys()
  const read: string[] = []
  const objects = { ...deps.objects, read: (key: string) => (read.push(key), deps.objects.read(key)) }
  const swept = await sweep({ ...deps, objects }, signal)
  assert.equal(read.length, 1)
  assert.deepEqual(swept?.deleted, { objects: 0, bytes: 0 })
  assert.deepEqual(await scene.storedKeys(), needed)

  read.length = 0
  await sweep({ ...deps, objects }, signal)
  assert.equal(read.length, 3, 'a finished sweep leaves no names')
})

test('a sweep whose recorded keys are lost schedules no deletion', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const acme = await scene.addProject('acme')
  await scene.publish(acme, { 'index.html': 'one' })
  const deps = scene.sweepDeps()
  async function* list(prefix: string) {
    await scene.database.pool.query('TRUNCATE needed_objects, needed_versions')
    yield* deps.objects.list(prefix)
  }
  await assert.rejects(sweep({ ...deps, objects: { ...deps.objects, list } }, signal), /names .* are gone/)
  const { rows } = await scene.database.pool.query('SELECT FROM condemned_objects')
  assert.equal(rows.length, 0)
})

test('an object that several organizations need is counted for none of them', async () => {
  await using stored = await openObjectStore({ kind: 'memory' })
  await using scene = await openStorageScene(stored)
  const acme = await scene.addProject('acme')
  const other = await scene.addProject('other')
  await scene.publish(acme, { 'index.html': 'shared', 'own.html': 'own' })
  await scene.publish(other, { 'index.html': 'shared' })
  await scene.addAgentJob(acme, { 'own.html': 'own', 'edited.html': 'edited' })
  const swept = await sweep(scene.sweepDeps(), signal)
  assert.equal(held(swept, '', 'deployments')?.objects, 1)
  assert.equal(
    held(swept, acme.organizationId, 'deployments')?.objects,
    2,
    'the manifest, and a file of its own',
  )
  assert.equal(held(swept, acme.organizationId, 'agentWork')?.objects, 2, 'the manifest, and the edited file')
  assert.equal(held(swept, other.organizationId, 'deployments')?.objects, 1)
})

test('keys retained at the same time share queries', async () => {
  const calls: (readonly string[])[] = []
  const keep = createRetainer(async (keys) => {
    calls.push([...keys])
    await new Promise((resolve) => setTimeout(resolve, 20))
  })
  await Promise.all(['a', 'b', 'a'].map(keep))
  await Promise.all([keep('c'), new Promise((resolve) => setTimeout(resolve, 5)).then(() => keep('d'))])
  assert.deepEqual(calls, [['a', 'b'], ['c'], ['d']])
})
