import assert from 'node:assert/strict'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { type FolderCache, openFolderCache, openTemporaryCache } from '../../src/render/cache/folder-cache.ts'

const HOUR = 3_600_000
let place: string
let folder: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'octavo-cache-'))
  folder = join(place, 'octavo')
})
afterEach(() => rmSync(place, { recursive: true }))

function open(options?: Parameters<typeof openFolderCache>[1]): FolderCache {
  const cache = openFolderCache(folder, options)
  assert.ok(cache)
  return cache
}
const files = () => globSync('??/*', { cwd: folder })
const textOf = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString()

test('an entry can be read in the next run, under its own name only', async () => {
  const first = open()
  await first.put('a', Buffer.from('one'))
  assert.deepEqual([first.isEmpty, open().isEmpty], [true, false])
  assert.equal(textOf(await open().read('a')), 'one')
  assert.equal(await open().read('b'), null)
})

test('concurrent runs that write the same entry leave one complete file', async () => {
  const runs = [open(), open()]
  // Large entries are written on threads, small ones are not.
  for (const [name, size] of [
    ['small', 1000],
    ['large', 300_000],
  ] as const) {
    const text = Buffer.alloc(size, 'x')
    await Promise.all(runs.flatMap((run) => Array.from({ length: 20 }, () => run.put(name, text))))
    assert.deepEqual(Buffer.from((await open().read(name)) ?? []), text)
  }
  assert.equal(files().length, 2)
})

test('evicts the least recently used entries first and leaves other files alone', async () => {
  const now = Date.now()
  const cache = open({ maxBytes: 4000, now: () => now, random: () => 0 })
  for (const name of ['old', 'used', 'new']) await cache.put(name, Buffer.alloc(1500))
  for (const name of files())
    utimesSync(join(folder, name), (now - 50 * HOUR) / 1000, (now - 50 * HOUR) / 1000)
  await cache.read('used')
  await cache.put('new', Buffer.alloc(1500))
  mkdirSync(join(folder, 'ab'), { recursive: true })
  writeFileSync(join(folder, 'ab', 'mine.txt'), 'x'.repeat(9000))
  writeFileSync(join(folder, 'mine.txt'), 'x'.repeat(9000))
  await cache[Symbol.asyncDispose]()
  const next = open()
  assert.equal(await next.read('old'), null)
  assert.equal((await next.read('used'))?.length, 1500)
  assert.equal((await next.read('new'))?.length, 1500)
  assert.ok(existsSync(join(folder, 'ab', 'mine.txt')) && existsSync(join(folder, 'mine.txt')))
})

test('a run that writes little rarely looks for entries to evict', async () => {
  for (const [chance, left] of [
    [1, 3],
    [0, 2],
  ] as const) {
    const cache = open({ maxBytes: 20_000, random: () => chance })
    for (const name of ['one', 'two']) await cache.put(name, Buffer.alloc(10_100))
    const later = open({ maxBytes: 20_000, random: () => chance })
    await later.put('three', Buffer.alloc(10))
    await later[Symbol.asyncDispose]()
    assert.equal(files().length, left)
    rmSync(folder, { recursive: true })
  }
})

test('deletes the partial file of a killed run after an hour', async () => {
  const now = Date.now()
  const cache = open({ random: () => 0, now: () => now })
  await cache.put('a', Buffer.from('x'))
  for (const [start, hours] of [
    ['00', 2],
    ['11', 0],
  ] as const) {
    mkdirSync(join(folder, start), { recursive: true })
    const file = join(folder, start, `${'0'.repeat(62)}.0123456789ab.part`)
    writeFileSync(file, 'half')
    utimesSync(file, (now - hours * HOUR) / 1000, (now - hours * HOUR) / 1000)
  }
  await cache[Symbol.asyncDispose]()
  assert.deepEqual(
    files().filter((one) => one.endsWith('.part')),
    [`11/${'0'.repeat(62)}.0123456789ab.part`],
  )
})

test('does not read a file larger than any the cache writes', async () => {
  await open().put('a', Buffer.from('x'))
  truncateSync(join(folder, files()[0] as string), 1 << 30)
  assert.equal(await open().read('a'), null)
})

test('does not use a cache folder that is a symlink or a file', () => {
  const elsewhere = join(place, 'elsewhere')
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, folder)
  assert.equal(openFolderCache(folder), null)
  rmSync(folder)
  writeFileSync(folder, 'a file')
  assert.equal(openFolderCache(folder), null)
  assert.deepEqual(readdirSync(elsewhere), [])
})

test('a temporary cache is deleted when its build ends', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'octavo-temporary-'))
  const { TMPDIR } = process.env
  process.env.TMPDIR = parent
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    rmSync(parent, { recursive: true, force: true })
  })
  const cache = await openTemporaryCache()
  await cache.put('a', Buffer.from('one'))
  assert.equal(textOf(await cache.read('a')), 'one')
  assert.equal(readdirSync(parent).length, 1)
  await cache[Symbol.asyncDispose]()
  assert.deepEqual(readdirSync(parent), [])
})
