/** Objects that do not match their key are never returned but deleted, counted and logged, in every kind of store. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sha256 } from '../../src/base/hash.ts'
import { openCheckedStore } from '../../src/objects/checked-store.ts'
import { OBJECT_KINDS, type ObjectKind, seal } from '../../src/objects/object-kinds.ts'
import { ObjectDamagedError, ObjectMissingError, type ObjectStore } from '../../src/objects/object-store.ts'
import { verifyAllObjects } from '../../src/objects/verify-objects.ts'
import { blobKey } from '../../src/render/versions/manifest.ts'
import { recordLog } from '../http/recorded-log.ts'
import { openObjectStore } from '../kit/open-store.ts'
import { openBucket } from './bucket.ts'
import { LINK_SECRET } from './link-server.ts'

const KINDS = Object.keys(OBJECT_KINDS) as ObjectKind[]

interface Sample {
  key: string
  bytes: Uint8Array
}

const contentOf = (length: number) =>
  Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 7919 + (i >> 8)) % 251))
/** `LARGE` exceeds the size that is decompressed in memory. */
const SMALL = contentOf(3000)
const LARGE = contentOf(700_000)

/** Returns an intact object of this kind. */
function sampleOf(kind: ObjectKind, isLarge: boolean): Sample {
  const content = isLarge ? LARGE : SMALL
  switch (OBJECT_KINDS[kind]) {
    case 'bytes':
      return { key: `${kind}/${sha256(content)}.json`, bytes: content }
    case 'content':
      return { key: blobKey(sha256(content)), bytes: gzipSync(content, { level: isLarge ? 0 : 6 }) }
    case 'seal': {
      const key = `${kind}/${sha256(`made from ${isLarge}`)}.json.zst`
      return { key, bytes: seal(key, gzipSync(content)) }
    }
  }
}

const DAMAGES: Record<string, (bytes: Uint8Array) => Uint8Array> = {
  'with four bytes changed': (bytes) => {
    const changed = Uint8Array.from(bytes)
    for (const share of [0.3, 0.5, 0.7, 0.9]) {
      const at = Math.floor(bytes.length * share)
      changed[at] = (changed[at] as number) ^ 0x5a
    }
    return changed
  },
  'cut in half': (bytes) => bytes.slice(0, bytes.length / 2),
  'without a byte': () => new Uint8Array(),
  'with another object in its place': () => gzipSync('somebody else'),
}

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-checked-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const STORES: Record<string, (t: TestContext) => Promise<ObjectStore>> = {
  memory: async () => openObjectStore({ kind: 'memory' }),
  disk: async (t) =>
    openObjectStore({
      kind: 'disk',
      folder: await makeFolder(t),
      publicUrl: 'http://localhost',
      secret: LINK_SECRET,
    }),
  s3: openBucket,
}

for (const [name, open] of Object.entries(STORES)) {
  test(`${name}: returns intact objects of every kind unchanged`, async (t) => {
    const inner = await open(t)
    const log = recordLog()
    const store = openCheckedStore(inner, log)
    for (const kind of KINDS)
      for (const isLarge of [false, true]) {
        const { key, bytes } = sampleOf(kind, isLarge)
        await store.put(key, bytes)
        assert.deepEqual(Buffer.from(await store.read(key)), Buffer.from(bytes), key)
        assert.deepEqual(await buffer(await store.get(key)), Buffer.from(bytes), key)
        assert.equal(await store.check(key), 'whole')
      }
    assert.equal(await store.check('blobs/ab/none.gz'), 'missing')
    assert.deepEqual(store.damaged(), {})
    assert.deepEqual(log.lines, [])
  })

  // Damage is detected from the bytes, so one kind is enough for the stores other than memory.
  for (const [damage, change] of Object.entries(DAMAGES).slice(0, name === 'memory' ? undefined : 1))
    test(`${name}: an object ${damage} is deleted and logged on any read`, async (t) => {
      const inner = await open(t)
      const log = recordLog()
      const store = openCheckedStore(inner, log)
      const ways = [
        (key: string) => assert.rejects(store.read(key), ObjectDamagedError),
        (key: string) => assert.rejects(store.get(key), ObjectDamagedError),
        (key: string) => assert.rejects(store.get(key, { start: 0, end: 0 }), ObjectMissingError),
        async (key: string) => assert.equal(await store.check(key), 'damaged'),
      ]
      let damaged = 0
      for (const kind of KINDS)
        for (const isLarge of [false, true])
          for (const way of ways) {
            const { key, bytes } = sampleOf(kind, isLarge)
            await inner.put(key, change(bytes))
            await way(key)
            assert.equal(await inner.head(key), null, key)
            assert.equal(log.lines.at(-1)?.event, 'object.damaged')
            assert.equal(log.lines.at(-1)?.key, key)
            damaged += 1
          }
      const counted = Object.values(store.damaged()).reduce((sum, count) => sum + count, 0)
      assert.equal(counted, damaged)
      assert.equal(log.lines.length, damaged)
    })
}

test('disk: detects a changed byte anywhere in the file of an object', async (t) => {
  const folder = await makeFolder(t)
  const options = { kind: 'disk', folder, publicUrl: 'http://localhost', secret: LINK_SECRET } as const
  const store = openCheckedStore(await openObjectStore(options), recordLog())
  const { key, bytes } = sampleOf('blobs', false)
  await store.put(key, bytes, { contentType: 'application/gzip' })
  const path = join(folder, 'objects', `${key}@`)
  const whole = await readFile(path)
  for (let at = 0; at < whole.length; at += at < 20 || at > whole.length - 260 ? 1 : 37) {
    // Skips the content type, which says only how to serve the object and nothing about its bytes.
    if (at >= whole.length - 207 && at < whole.length - 207 + 'application/gzip'.length) continue
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] as number) ^ 1
    await writeFile(path, changed)
    assert.equal(await store.check(key), 'damaged', `byte ${at}`)
    await store.put(key, bytes, { contentType: 'application/gzip' })
  }
})

test('a verified object is checked again when its file was modified', async (t) => {
  const folder = await makeFolder(t)
  const options = { kind: 'disk', folder, publicUrl: 'http://localhost', secret: LINK_SECRET } as const
  const store = openCheckedStore(await openObjectStore(options), recordLog())
  const { key, bytes } = sampleOf('bundles', true)
  await store.put(key, bytes)
  assert.equal(await store.check(key), 'whole')
  const path = join(folder, 'objects', `${key}@`)
  const changed = await readFile(path)
  changed[1000] = (changed[1000] as number) ^ 1
  await writeFile(path, changed)
  await assert.rejects(store.get(key, { start: 0, end: 10 }), ObjectDamagedError)
})

test('verifyAllObjects reads every object of every kind and lists the damaged ones', async () => {
  const inner = await openObjectStore({ kind: 'memory' })
  const store = openCheckedStore(inner, recordLog())
  const wanted: string[] = []
  for (const kind of KINDS)
    for (const isLarge of [false, true]) {
      const { key, bytes } = sampleOf(kind, isLarge)
      await inner.put(key, isLarge ? bytes.slice(1) : bytes)
      if (isLarge) wanted.push(key)
    }
  const walked = await verifyAllObjects(store)
  assert.equal(walked.objects, KINDS.length * 2)
  assert.deepEqual(walked.damaged.sort(), wanted.sort())
  assert.deepEqual((await verifyAllObjects(store)).damaged, [])
})
