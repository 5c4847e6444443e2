import assert from 'node:assert/strict'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { type CacheFolder, openCacheFolder } from '../../src/objects/cache-folder.ts'
import { ObjectMissingError } from '../../src/objects/object-store.ts'

const HOUR = 3_600_000
let place: string
let folder: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'octavo-cache-'))
  folder = join(place, '.octavo', 'cache')
})
afterEach(() => rmSync(place, { recursive: true }))

async function open(options?: Parameters<typeof openCacheFolder>[1]): Promise<CacheFolder> {
  const cache = await openCacheFolder(folder, options)
  assert.ok(cache)
  return cache
}
const key = (name: string) => `bodies/${name}.json.zst`
const files = () => globSync('*/??/*', { cwd: folder })

test('what was put is there for the next run, and Git is told to leave it out', async () => {
  const first = await open()
  await first.put(key('a'), Buffer.from('one'))
  await first[Symbol.asyncDispose]()
  const second = await open()
  assert.deepEqual([first.isNew, second.isNew], [true, false])
  assert.equal(Buffer.from(await second.read(key('a'))).toString(), 'one')
  assert.equal((await second.head(key('a')))?.sizeBytes, 3)
  assert.equal(await second.head(key('b')), null)
  assert.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), '*\n')
})

test('what is cut, changed or of another name is as good as missing', async () => {
  const cache = await open()
  await cache.put(key('a'), Buffer.from('something'))
  const [name] = files()
  const file = join(folder, name as string)
  const whole = readFileSync(file)
  const bent = Buffer.from(whole)
  bent[whole.length - 1] = 0
  for (const bytes of [bent, whole.subarray(0, 20), Buffer.alloc(0)]) {
    writeFileSync(file, bytes)
    await assert.rejects(cache.read(key('a')), ObjectMissingError)
    assert.equal(await cache.head(key('a')), null)
  }
  await cache.put(key('b'), Buffer.from('other'))
  const other = files().find((one) => one !== name) as string
  writeFileSync(join(folder, other), whole)
  await assert.rejects(cache.read(key('b')), ObjectMissingError)
})

test('two runs that write the same leave one whole file', async () => {
  const runs = [await open(), await open()]
  // A large one is written by threads, a small one is not.
  for (const [name, size] of [
    ['small', 1000],
    ['large', 300_000],
  ] as const) {
    const text = Buffer.alloc(size, 'x')
    await Promise.all(runs.flatMap((run) => Array.from({ length: 20 }, () => run.put(key(name), text))))
    assert.deepEqual(Buffer.from(await (runs[0] as CacheFolder).read(key(name))), text)
  }
  assert.equal(files().length, 2)
})

test('what was not used for longest goes first, and nothing that is not of the cache', async () => {
  const now = Date.now()
  const cache = await open({ mostBytes: 4000, now: () => now })
  for (const name of ['old', 'used', 'new']) await cache.put(key(name), Buffer.alloc(1500))
  const age = (hours: number) => {
    for (const name of files())
      utimesSync(join(folder, name), (now - hours * HOUR) / 1000, (now - hours * HOUR) / 1000)
  }
  age(50)
  await cache.read(key('used'))
  await cache.put(key('new'), Buffer.alloc(1500))
  mkdirSync(join(folder, 'bodies', 'ab'), { recursive: true })
  writeFileSync(join(folder, 'bodies', 'ab', 'mine.txt'), 'x'.repeat(9000))
  writeFileSync(join(folder, 'mine.txt'), 'x'.repeat(9000))
  await cache[Symbol.asyncDispose]()
  const next = await open()
  await assert.rejects(next.read(key('old')), ObjectMissingError)
  assert.equal((await next.read(key('used'))).length, 1500)
  assert.equal((await next.read(key('new'))).length, 1500)
  assert.ok(existsSync(join(folder, 'bodies', 'ab', 'mine.txt')) && existsSync(join(folder, 'mine.txt')))
})

test('what is said to be in use counts as used, in this run and the next', async () => {
  const now = Date.now()
  const filling = await open({ mostBytes: 9000, now: () => now })
  for (const name of ['known', 'read', 'old'])
    await filling.put(key(name), Buffer.alloc(1500, name === 'old' ? 1 : 0))
  for (const name of files()) {
    const hours = readFileSync(join(folder, name)).at(-1) === 1 ? 50 : 60
    utimesSync(join(folder, name), 0, (now - hours * HOUR) / 1000)
  }
  const using = await open({ mostBytes: 9000, now: () => now, random: () => 0 })
  using.markUsed?.(key('known'))
  using.markUsed?.(key('missing'))
  await using.read(key('read'))
  await using.put(key('new'), Buffer.alloc(10))
  await using[Symbol.asyncDispose]()
  const next = await open({ mostBytes: 4000, now: () => now, random: () => 0 })
  await next.put(key('new'), Buffer.alloc(11))
  await next[Symbol.asyncDispose]()
  const kept = await open()
  await assert.rejects(kept.read(key('old')), ObjectMissingError)
  for (const name of ['known', 'read']) assert.equal((await kept.read(key(name))).length, 1500)
})

test('who writes little rarely looks for what to remove', async () => {
  for (const [chance, left] of [
    [1, 3],
    [0, 2],
  ] as const) {
    const cache = await open({ mostBytes: 4000, random: () => chance })
    for (const name of ['one', 'two']) await cache.put(key(name), Buffer.alloc(2100))
    const later = await open({ mostBytes: 4000, random: () => chance })
    await later.put(key('three'), Buffer.alloc(10))
    await later[Symbol.asyncDispose]()
    assert.equal(files().length, left)
    rmSync(folder, { recursive: true })
  }
})

test('who puts something of the same size in the place of what is there looks for nothing', async () => {
  const cache = await open({ mostBytes: 4000, random: () => 1 })
  for (const name of ['one', 'two']) await cache.put(key(name), Buffer.alloc(2100))
  for (const [size, left] of [
    [2100, 2],
    [2101, 1],
  ] as const) {
    const later = await open({ mostBytes: 4000, random: () => 0 })
    await later.put(key('two'), Buffer.alloc(size, 1))
    await later[Symbol.asyncDispose]()
    assert.equal(files().length, left)
  }
})

test('what is no file, or larger than any that is put, is not read', async () => {
  const cache = await open()
  await cache.put(key('a'), Buffer.from('x'))
  const file = join(folder, files()[0] as string)
  truncateSync(file, 1 << 30)
  await assert.rejects(cache.read(key('a')), ObjectMissingError)
  rmSync(file)
  symlinkSync('/dev/zero', file)
  await assert.rejects(cache.read(key('a')), ObjectMissingError)
})

test('a file that was being written when a run was killed goes after an hour', async () => {
  const now = Date.now()
  const cache = await open({ random: () => 0, now: () => now })
  await cache.put(key('a'), Buffer.from('x'))
  const part = (name: string) => join(folder, `${name}.0123456789ab.part`)
  const [name] = files()
  for (const [file, hours] of [
    [part(name as string), 2],
    [join(folder, 'bodies', '00', `${'0'.repeat(62)}.0123456789ab.part`), 0],
  ] as const) {
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, 'half')
    utimesSync(file, (now - hours * HOUR) / 1000, (now - hours * HOUR) / 1000)
  }
  truncateSync(part(name as string), 2)
  utimesSync(part(name as string), (now - 2 * HOUR) / 1000, (now - 2 * HOUR) / 1000)
  await cache[Symbol.asyncDispose]()
  assert.deepEqual(files().filter((one) => one.endsWith('.part')).length, 1)
})

test('a way that leads elsewhere, or cannot be written, keeps nothing', async () => {
  const elsewhere = join(place, 'elsewhere')
  mkdirSync(elsewhere)
  symlinkSync(elsewhere, join(place, '.octavo'))
  assert.equal(await openCacheFolder(folder), null)
  rmSync(join(place, '.octavo'))
  mkdirSync(join(place, '.octavo'))
  symlinkSync(elsewhere, folder)
  assert.equal(await openCacheFolder(folder), null)
  rmSync(folder)
  writeFileSync(folder, 'a file')
  assert.equal(await openCacheFolder(folder), null)
  rmSync(folder)
  mkdirSync(folder)
  symlinkSync(elsewhere, join(folder, 'bodies'))
  const cache = await open({ random: () => 0 })
  await cache.put(key('a'), Buffer.from('x'))
  assert.equal(await cache.head(key('a')), null)
  assert.deepEqual(readdirSync(elsewhere), [])
})
