import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ObjectCache, ObjectMissingError } from '../../objects/object-store.ts'
import { putBytes, putEntry, putPlain, readPlain } from '../versions/cache-entries.ts'
import { type KnownPage, openPageMemory } from './page-memory.ts'

const KEY = `bodies/${'a'.repeat(64)}.json.zst`
const PROBLEM = {
  file: 'a.mdx',
  line: null,
  code: 'x.y',
  level: 'warning',
  message: 'M.',
  remedy: 'R.',
} as const
const PAGE: KnownPage = {
  key: KEY,
  facts: {
    usesMath: false,
    usesMermaid: true,
    islands: null,
    problems: [PROBLEM],
    anchors: { ids: 'a\nb', links: ['#a'], isOpen: false },
    remote: [],
  },
  classes: ['x y', 'z'],
  pictures: ['https://example.com/a.png'],
  images: ['shown.svg'],
}

function createCache() {
  const kept = new Map<string, Uint8Array>()
  const about = (key: string) => ({ key, sizeBytes: 0, etag: '', contentType: '' })
  const objects: ObjectCache = {
    head: async () => null,
    read: async (key) => {
      const bytes = kept.get(key)
      if (!bytes) throw new ObjectMissingError(key)
      return bytes
    },
    put: async (key, body) => {
      kept.set(key, body as Uint8Array)
      return about(key)
    },
  }
  return { kept, objects }
}

async function filled() {
  const cache = createCache()
  const memory = await openPageMemory(cache.objects)
  memory.keep('one', PAGE)
  memory.keep('two', { ...PAGE, classes: ['z'] })
  await memory.save()
  const [key = ''] = cache.kept.keys()
  return { ...cache, key }
}

test('what is kept is known by its name the next time, and forgotten when many are not kept again', async () => {
  const { objects } = await filled()
  const next = await openPageMemory(objects)
  assert.deepEqual(next.find('one'), PAGE)
  assert.deepEqual(next.find('two')?.classes, ['z'])
  assert.equal(next.find('three'), null)
  for (let number = 0; number < 40; number += 1) next.keep(`new ${number}`, PAGE)
  next.keep('one', PAGE)
  await next.save()
  const last = await openPageMemory(objects)
  assert.equal(last.find('two'), null)
  assert.deepEqual(last.find('one'), PAGE)
})

test('nothing is written anew for a few pages', async () => {
  const { objects } = await filled()
  const next = await openPageMemory(objects)
  next.keep('one', PAGE)
  next.keep('three', PAGE)
  await next.save()
  const last = await openPageMemory(objects)
  assert.equal(last.find('three'), null)
  assert.deepEqual(last.find('two')?.classes, ['z'])
})

test('what has another form is as good as missing', async () => {
  const { objects, key } = await filled()
  const good = await readPlain<{ classes: string[]; pages: [string, object][] }>(objects, key)
  assert.ok(good)
  const [[name, one]] = good.pages as [[string, Record<string, object>]]
  const page = (change: object) => ({ ...good, pages: [[name, { ...one, ...change }]] })
  const facts = (change: object) => page({ facts: { ...one.facts, ...change } })
  const anchors = { ids: 'a', links: [], isOpen: false }
  const forged: unknown[] = [
    ...[null, 7, 'x', [], {}, { ...good, classes: null }, { ...good, classes: [1] }, { ...good, pages: {} }],
    ...[[null], [['one']], [['one', null]], [[1, one]]].map((pages) => ({ ...good, pages })),
    ...[
      { key: 7 },
      { key: '../x' },
      { classes: [9] },
      { classes: ['x'] },
      { pictures: [1] },
      { images: 'x' },
    ].map(page),
    ...[{ facts: null }, { pictures: null }].map(page),
    ...[{ islands: {} }, { usesMath: 1 }, { remote: 'x' }, { problems: [null] }, { problems: [{}] }].map(
      facts,
    ),
    ...[null, { ...anchors, ids: 1 }, { ...anchors, links: [1] }, { ...anchors, isOpen: 'no' }].map((value) =>
      facts({ anchors: value }),
    ),
  ]
  for (const value of forged) {
    await putPlain(objects, key, JSON.stringify(value))
    assert.equal((await openPageMemory(objects)).find('one'), null, JSON.stringify(value))
  }
  await putPlain(objects, key, JSON.stringify(good))
  assert.deepEqual((await openPageMemory(objects)).find('one'), PAGE)
})

test('an index that is none is as good as missing', async () => {
  const { kept, objects } = createCache()
  const found = async () => {
    const { search } = await openPageMemory(objects)
    return [search.ledger, await search.index()]
  }
  const none = Buffer.from('not an index')
  await (await openPageMemory(objects)).keepSearch({ index: none, ledger: none })
  assert.deepEqual(await found(), [null, null])
  for (const key of kept.keys()) await putBytes(objects, key, Buffer.alloc(0))
  assert.deepEqual(await found(), [null, null])
})

test('the sheet of utility classes is made once for one set of them, and anew where what was kept is no sheet', async () => {
  const { kept, objects } = createCache()
  let made = 0
  const ask = async (digest: string) => {
    const { utilities } = await openPageMemory(objects)
    return utilities(digest, async () => {
      made += 1
      return `sheet ${made}`
    })
  }
  assert.equal(await ask('one set'), 'sheet 1')
  assert.equal(await ask('one set'), 'sheet 1')
  assert.equal(await ask('another'), 'sheet 2')
  const [key = ''] = kept.keys()
  await putEntry(objects, key, { digest: 'another', css: ['no', 'text'] })
  assert.equal(await ask('another'), 'sheet 3')
})
