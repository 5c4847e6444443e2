import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import {
  linkCases,
  listingCases,
  objectCases,
  servedLinkCases,
  sortedListingCases,
  storedAs,
} from '../cases/object-store.ts'
import { openObjectStore } from '../kit/open-store.ts'
import { until } from '../kit/until.ts'
import { alterLink, LINK_SECRET, startLinkServer } from './link-server.ts'

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-objects-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const openIn = (folder: string, publicUrl = 'http://localhost'): Promise<ObjectStore> =>
  openObjectStore({ kind: 'disk', folder, publicUrl, secret: LINK_SECRET })

const open = async (t: TestContext) => openIn(await makeFolder(t))

async function openServed(t: TestContext) {
  const server = await startLinkServer(t)
  const folder = await makeFolder(t)
  server.store = await openIn(folder, server.publicUrl)
  const slowStore = await openObjectStore({
    kind: 'disk',
    folder,
    publicUrl: `${server.publicUrl}/`,
    secret: LINK_SECRET,
    now: () => Date.now() - 7_200_000,
  })
  return { store: server.store, slowStore, alter: alterLink }
}

objectCases('disk', open)
listingCases('disk', open)
sortedListingCases('disk', open)
linkCases('disk', openServed)
servedLinkCases('disk', openServed)

test('disk: a store opened later finds the objects with the same etag', async (t) => {
  const folder = await makeFolder(t)
  const stored = await (await openIn(folder)).put('a/b', Buffer.from('kept'), { contentType: 'text/plain' })
  const later = await openIn(folder)
  assert.deepEqual(await storedAs(later, 'a/b'), stored)
  assert.equal(Buffer.from(await later.read('a/b')).toString(), 'kept')
})

test('disk: the keys a and a/b coexist', async (t) => {
  const store = await open(t)
  await store.put('a', Buffer.from('one'))
  await store.put('a/b', Buffer.from('two'))
  await store.delete('a')
  assert.equal(Buffer.from(await store.read('a/b')).toString(), 'two')
})

test('disk: a reader finishes reading the old object while it is replaced', async (t) => {
  const store = await open(t)
  const old = Buffer.alloc(3_000_000, 'o')
  await store.put('page', old)
  const reading = await store.get('page')
  await store.put('page', Buffer.from('new'))
  assert.ok((await buffer(reading)).equals(old))
})

test('disk: deleting all objects removes empty folders, and concurrent puts succeed', async (t) => {
  const folder = await makeFolder(t)
  const store = await openIn(folder)
  for (let round = 0; round < 30; round++) {
    await store.put('deep/er/one', Buffer.from('1'))
    await Promise.all([store.delete('deep/er/one'), store.put('deep/er/two', Buffer.from('2'))])
    await store.delete('deep/er/two')
  }
  assert.deepEqual(await readdir(join(folder, 'objects')), [])
  assert.deepEqual(await readdir(join(folder, 'temporary')), [])
})

test('disk: a failed stream leaves no half-written file', async (t) => {
  const folder = await makeFolder(t)
  const store = await openIn(folder)
  const failing = Readable.from(
    (async function* () {
      yield Buffer.alloc(10)
      throw new Error('broken')
    })(),
  )
  await assert.rejects(store.put('x', failing), /broken/)
  assert.deepEqual(await readdir(join(folder, 'temporary')), [])
})

test('disk: opening a store removes only the temporary files of dead processes', async (t) => {
  const folder = await makeFolder(t)
  const writing = await openIn(folder)
  let finish = () => {}
  const stream = Readable.from(
    (async function* () {
      yield Buffer.from('half ')
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      yield Buffer.from('whole')
    })(),
  )
  const put = writing.put('slow', stream)
  const temporary = join(folder, 'temporary')
  await until(async () => (await readdir(temporary)).length !== 0)
  const [alive] = await readdir(temporary)
  // Leftovers of an earlier process that had our pid, and of a pid that is not in use.
  const [host, pid, start] = String(alive).split('-')
  await writeFile(join(temporary, `${host}-${pid}-earlier-1`), 'left')
  await writeFile(join(temporary, `${host}-99999999-${start}-2`), 'left')
  await writeFile(join(temporary, `elsewhere-1-${start}-3`), 'another machine, just now')
  await openIn(folder)
  assert.deepEqual((await readdir(temporary)).sort(), [String(alive), `elsewhere-1-${start}-3`].sort())
  await until(() => finish.toString() !== '() => {}')
  finish()
  await put
  assert.equal(Buffer.from(await writing.read('slow')).toString(), 'half whole')
})

test('disk: a truncated file is an error, not a shorter object', async (t) => {
  const folder = await makeFolder(t)
  const store = await openIn(folder)
  await store.put('x', Buffer.alloc(5000, 'x'))
  await truncate(join(folder, 'objects', 'x@'), 4000)
  await assert.rejects(store.head('x'), /damaged/)
  await assert.rejects(store.get('x'), /damaged/)
  await assert.rejects(store.read('x'), /damaged/)
  await store.put('x', Buffer.from('whole again'))
  assert.equal((await store.head('x'))?.sizeBytes, 11)
})

test('disk: reads close their files', async (t) => {
  const folder = await makeFolder(t)
  const store = await openIn(folder)
  await store.put('x', Buffer.from('0123456789'))
  await store.put('empty', Buffer.alloc(0))
  const openFiles = async () => (await readdir('/dev/fd')).length
  const before = await openFiles()
  for (let i = 0; i < 20; i++) {
    await buffer(await store.get('x', { start: 2, end: 4 }))
    await buffer(await store.get('empty'))
    await store.head('x')
    await assert.rejects(store.get('x', { start: 20, end: 30 }), RangeError)
  }
  assert.ok((await openFiles()) <= before + 2)
})

test('disk: rejects a secret shorter than 16 bytes', async (t) => {
  const folder = await makeFolder(t)
  const options = { kind: 'disk', folder, publicUrl: 'http://localhost' } as const
  await assert.rejects(openObjectStore({ ...options, secret: 'fifteen bytes..' }), RangeError)
  await openObjectStore({ ...options, secret: 'sixteen bytes...' })
})
