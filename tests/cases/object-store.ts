/** Shared tests of all object stores, run for each adapter by tests/objects/*.test.ts. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { ObjectKeyError } from '../../src/objects/object-key.ts'
import {
  type ListedObject,
  ObjectMissingError,
  type ObjectStore,
  type StoredObject,
} from '../../src/objects/object-store.ts'

/** Opens an empty store for one test and releases its resources through the test context. */
export type OpenStore = (t: TestContext) => Promise<ObjectStore>

export interface LinkedStore {
  store: ObjectStore
  /** The same objects with a clock two hours slow, so that its shortest links have expired. */
  slowStore: ObjectStore
  /** Returns variants of a link with one change each. All must be rejected. */
  alter: (url: string) => string[]
}

const text = (value: string) => Buffer.from(value)

/** Returns the `head` of an object without the fields that `put` does not return. */
export async function storedAs(store: ObjectStore, key: string): Promise<StoredObject | null> {
  const found = await store.head(key)
  if (found === null) return null
  const { sha256: _, modifiedAt: __, ...stored } = found
  return stored
}

export function objectCases(name: string, open: OpenStore): void {
  test(`${name}: what was put is read back byte by byte, with its size, type and etag`, async (t) => {
    const store = await open(t)
    const bytes = Buffer.from([0, 255, 10, 13, 0, 128])
    const stored = await store.put('exports/se_1/bundle.tar.gz', bytes, { contentType: 'application/gzip' })
    assert.equal(stored.key, 'exports/se_1/bundle.tar.gz')
    assert.equal(stored.sizeBytes, 6)
    assert.equal(stored.contentType, 'application/gzip')
    assert.match(stored.etag, /^"[^"]+"$/)
    assert.deepEqual(await storedAs(store, 'exports/se_1/bundle.tar.gz'), stored)
    assert.deepEqual(Buffer.from(await store.read('exports/se_1/bundle.tar.gz')), bytes)
    assert.deepEqual(await buffer(await store.get('exports/se_1/bundle.tar.gz')), bytes)
  })

  test(`${name}: an object without a content type is bytes`, async (t) => {
    const store = await open(t)
    await store.put('plain', text('x'))
    assert.equal((await store.head('plain'))?.contentType, 'application/octet-stream')
  })

  test(`${name}: a stream is stored like bytes, also when it is empty`, async (t) => {
    const store = await open(t)
    const streamed = await store.put('streamed', Readable.from([text('one '), text('two '), text('three')]))
    assert.equal(streamed.sizeBytes, 13)
    assert.equal(Buffer.from(await store.read('streamed')).toString(), 'one two three')
    assert.deepEqual(await storedAs(store, 'streamed'), streamed)
    assert.equal((await store.put('empty', Readable.from([]))).sizeBytes, 0)
    assert.equal((await buffer(await store.get('empty'))).length, 0)
    assert.equal((await store.read('empty')).length, 0)
  })

  test(`${name}: a stream of 20 MiB arrives whole and in order`, async (t) => {
    const store = await open(t)
    const chunks = Array.from({ length: 320 }, (_, i) => Buffer.alloc(65_536, i % 251))
    const expected = createHash('sha256').update(Buffer.concat(chunks)).digest('hex')
    const stored = await store.put('large', Readable.from(chunks), { contentType: 'application/gzip' })
    assert.equal(stored.sizeBytes, 20_971_520)
    const hash = createHash('sha256')
    for await (const chunk of await store.get('large')) hash.update(chunk as Uint8Array)
    assert.equal(hash.digest('hex'), expected)
    assert.deepEqual(await storedAs(store, 'large'), stored)
  })

  test(`${name}: a range gives exactly its bytes, clamped at the end`, async (t) => {
    const store = await open(t)
    await store.put('digits', text('0123456789'))
    const range = async (start: number, end: number) =>
      (await buffer(await store.get('digits', { start, end }))).toString()
    assert.equal(await range(2, 4), '234')
    assert.equal(await range(0, 1), '01')
    assert.equal(await range(9, 9), '9')
    assert.equal(await range(7, 1000), '789')
    await assert.rejects(range(10, 12), RangeError)
    await assert.rejects(range(5, 4), RangeError)
  })

  test(`${name}: what is not there is null for head, an error for get and read, and nothing for delete`, async (t) => {
    const store = await open(t)
    assert.equal(await store.head('no/such'), null)
    await assert.rejects(store.get('no/such'), ObjectMissingError)
    await assert.rejects(store.get('no/such', { start: 0, end: 1 }), ObjectMissingError)
    await assert.rejects(store.read('no/such'), ObjectMissingError)
    await store.delete('no/such')
  })

  test(`${name}: a deleted object is gone and can be put again`, async (t) => {
    const store = await open(t)
    await store.put('a/b/c', text('first'))
    await store.delete('a/b/c')
    assert.equal(await store.head('a/b/c'), null)
    await store.put('a/b/c', text('second'))
    assert.equal(Buffer.from(await store.read('a/b/c')).toString(), 'second')
  })

  test(`${name}: putting again replaces content, type and etag`, async (t) => {
    const store = await open(t)
    const before = await store.put('page', text('old text'), { contentType: 'text/plain' })
    const after = await store.put('page', text('new'), { contentType: 'text/html' })
    assert.notEqual(after.etag, before.etag)
    assert.deepEqual(await storedAs(store, 'page'), after)
    assert.equal(after.contentType, 'text/html')
    assert.equal(Buffer.from(await store.read('page')).toString(), 'new')
  })

  test(`${name}: a stream that fails leaves the object as it was`, async (t) => {
    const store = await open(t)
    await store.put('kept', text('kept'))
    // Longer than one part of a multipart upload, so that some data is sent before the failure.
    const failing = Readable.from(
      (async function* () {
        for (let i = 0; i < 10; i++) yield Buffer.alloc(1024 * 1024, i)
        throw new Error('the disk of the sender died')
      })(),
    )
    await assert.rejects(store.put('kept', failing), /the sender died/)
    assert.equal(Buffer.from(await store.read('kept')).toString(), 'kept')
  })

  test(`${name}: puts of one key at once leave one of them, whole`, async (t) => {
    const store = await open(t)
    const bodies = Array.from({ length: 8 }, (_, i) => Buffer.alloc(50_000, i))
    await Promise.all(bodies.map((body) => store.put('contended', body)))
    const left = Buffer.from(await store.read('contended'))
    assert.ok(bodies.some((body) => body.equals(left)))
  })

  test(`${name}: keys that are not keys are refused everywhere`, async (t) => {
    const store = await open(t)
    const long = `${'x'.repeat(199)}/`.repeat(5)
    const bad = [
      '',
      '/a',
      'a/',
      'a//b',
      '../a',
      'a/../b',
      'a/./b',
      '.hidden',
      'a\\b',
      'a b',
      'ä',
      'a\0b',
      `${long}x`,
    ]
    for (const key of bad) {
      await assert.rejects(store.put(key, text('x')), ObjectKeyError, key)
      await assert.rejects(store.head(key), ObjectKeyError, key)
      await assert.rejects(store.get(key), ObjectKeyError, key)
      await assert.rejects(store.read(key), ObjectKeyError, key)
      await assert.rejects(store.delete(key), ObjectKeyError, key)
      await assert.rejects(store.presign(key, { lifetimeSeconds: 60, filename: 'x' }), ObjectKeyError, key)
    }
  })
}

export function listingCases(name: string, open: OpenStore): void {
  test(`${name}: a prefix lists the keys that start with it, with size and time`, async (t) => {
    const store = await open(t)
    const begun = Date.now() - 2000
    for (const key of ['b/2', 'b/10', 'b.x', 'b-y', 'b/2-z/deep', 'c', 'a/1']) await store.put(key, text(key))
    const listed = await all(store.list('b'))
    assert.deepEqual(keysOf(listed).sort(), ['b-y', 'b.x', 'b/10', 'b/2', 'b/2-z/deep'])
    assert.deepEqual(
      listed.map((object) => object.sizeBytes),
      listed.map((object) => object.key.length),
    )
    for (const { modifiedAt } of listed) {
      assert.ok(modifiedAt.getTime() >= begun && modifiedAt.getTime() <= Date.now() + 2000)
    }
    assert.deepEqual(keysOf(await all(store.list('b/2-z/d'))), ['b/2-z/deep'])
    assert.equal((await all(store.list(''))).length, 7)
    assert.deepEqual(await all(store.list('no/such/')), [])
    await assert.rejects(all(store.list('../')), ObjectKeyError)
  })
}

export function linkCases(name: string, open: (t: TestContext) => Promise<LinkedStore>): void {
  const link = { lifetimeSeconds: 60, filename: 'bundle.tar.gz' }

  test(`${name}: a link downloads the object under its name until it expires`, async (t) => {
    const { store } = await open(t)
    const stored = await store.put('exports/1', text('0123456789'), { contentType: 'application/gzip' })
    const before = Date.now()
    const { url, expiresAt } = await store.presign('exports/1', link)
    assert.ok(expiresAt.getTime() > before + 58_000 && expiresAt.getTime() <= Date.now() + 60_000)
    const response = await fetch(url)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-length'), '10')
    assert.equal(response.headers.get('content-type'), 'application/gzip')
    assert.equal(response.headers.get('etag'), stored.etag)
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="bundle.tar.gz"')
    assert.equal(await response.text(), '0123456789')
  })

  test(`${name}: a download that broke off is resumed with Range`, async (t) => {
    const { store } = await open(t)
    await store.put('exports/1', text('0123456789'))
    const { url } = await store.presign('exports/1', link)
    const rest = await fetch(url, { headers: { Range: 'bytes=4-' } })
    assert.equal(rest.status, 206)
    assert.equal(rest.headers.get('content-range'), 'bytes 4-9/10')
    assert.equal(rest.headers.get('content-length'), '6')
    assert.equal(await rest.text(), '456789')
  })

  test(`${name}: a link that has expired is refused`, async (t) => {
    const { store, slowStore } = await open(t)
    await store.put('exports/1', text('secret'))
    const { url, expiresAt } = await slowStore.presign('exports/1', link)
    assert.ok(expiresAt.getTime() < Date.now())
    const response = await fetch(url)
    assert.equal(response.status, 403)
    assert.doesNotMatch(await response.text(), /secret/)
  })

  test(`${name}: a link in which anything was changed is refused`, async (t) => {
    const { store, slowStore, alter } = await open(t)
    await store.put('exports/1', text('secret'))
    await store.put('exports/2', text('secret'))
    const links = [await store.presign('exports/1', link), await slowStore.presign('exports/1', link)]
    for (const altered of links.flatMap(({ url }) => alter(url))) {
      const response = await fetch(altered)
      assert.equal(response.status, 403, altered)
      assert.doesNotMatch(await response.text(), /secret/)
    }
  })

  test(`${name}: a link lives a minute at least and seven days at most`, async (t) => {
    const { store } = await open(t)
    await store.put('exports/1', text('x'))
    for (const lifetimeSeconds of [59, 604_801, 90.5, Number.NaN, -60]) {
      await assert.rejects(store.presign('exports/1', { ...link, lifetimeSeconds }), RangeError)
    }
    await store.presign('exports/1', { ...link, lifetimeSeconds: 604_800 })
  })
}

/** Tests the order of nested keys. For a bucket, the server determines this order. */
export function sortedListingCases(name: string, open: OpenStore): void {
  test(`${name}: keys of all depths are listed by code unit`, async (t) => {
    const store = await open(t)
    for (const key of ['b/2', 'b/10', 'b.x', 'b-y', 'b/2-z/deep', 'b', 'B', 'b0'])
      await store.put(key, text(key))
    const keys = ['B', 'b', 'b-y', 'b.x', 'b/10', 'b/2', 'b/2-z/deep', 'b0']
    assert.deepEqual(keysOf(await all(store.list(''))), keys)
  })
}

/** Tests links served by Octavo itself, which do more than those of a bucket. */
export function servedLinkCases(name: string, open: (t: TestContext) => Promise<LinkedStore>): void {
  const make = async (t: TestContext, filename = 'a.bin') => {
    const { store } = await open(t)
    const stored = await store.put('exports/1', text('0123456789'))
    const { url } = await store.presign('exports/1', { lifetimeSeconds: 60, filename })
    return { stored, url }
  }

  test(`${name}: HEAD answers as GET would, without a body`, async (t) => {
    const { stored, url } = await make(t)
    const response = await fetch(url, { method: 'HEAD' })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-length'), '10')
    assert.equal(response.headers.get('etag'), stored.etag)
    assert.equal(response.headers.get('accept-ranges'), 'bytes')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.match(String(response.headers.get('cache-control')), /private/)
    assert.equal(await response.text(), '')
  })

  test(`${name}: the first byte, the last bytes, and a range behind the end`, async (t) => {
    const { url } = await make(t)
    const range = async (value: string) => {
      const response = await fetch(url, { headers: { Range: value } })
      return [response.status, await response.text(), response.headers.get('content-range')]
    }
    assert.deepEqual(await range('bytes=0-0'), [206, '0', 'bytes 0-0/10'])
    assert.deepEqual(await range('bytes=-2'), [206, '89', 'bytes 8-9/10'])
    assert.deepEqual(await range('bytes=10-'), [416, '', 'bytes */10'])
  })

  test(`${name}: a file name in any script comes through a link`, async (t) => {
    const { url } = await make(t, 'Übersicht "1".tar.gz')
    const response = await fetch(url)
    assert.equal(response.status, 200)
    await response.text()
    assert.equal(
      response.headers.get('content-disposition'),
      `attachment; filename="_bersicht _1_.tar.gz"; filename*=UTF-8''%C3%9Cbersicht%20%221%22.tar.gz`,
    )
  })
}

const keysOf = (objects: ListedObject[]) => objects.map((object) => object.key)

async function all(objects: AsyncIterable<ListedObject>): Promise<ListedObject[]> {
  const found: ListedObject[] = []
  for await (const object of objects) found.push(object)
  return found
}
