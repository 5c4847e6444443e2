import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAsyncCache } from './async-cache.ts'

function counted() {
  const made: string[] = []
  const kept = createAsyncCache<string>({ maxSize: 10, sizeOf: (text) => text.length })
  const get = (key: string, text = key) =>
    kept.get(key, async () => {
      made.push(key)
      return text
    })
  return { made, kept, get }
}

test('evicts the least recently used entry when the cache is full', async () => {
  const { made, get } = counted()
  await get('aaaa')
  await get('bbbb')
  await get('aaaa')
  await get('cccc') // twelve in total, so the second is evicted
  await get('aaaa')
  await get('bbbb')
  assert.deepEqual(made, ['aaaa', 'bbbb', 'cccc', 'bbbb'])
})

test('returns a value larger than maxSize without caching it', async () => {
  const { made, get } = counted()
  assert.equal(await get('large', 'x'.repeat(11)), 'x'.repeat(11))
  await get('large', 'x'.repeat(11))
  assert.deepEqual(made, ['large', 'large'])
})

test('concurrent callers share one load, and failed or deleted entries are loaded again', async () => {
  const { made, kept, get } = counted()
  await Promise.all([get('a'), get('a')])
  kept.delete('a')
  await get('a')
  assert.deepEqual(made, ['a', 'a'])
  await assert.rejects(kept.get('b', () => Promise.reject(new Error('no'))))
  assert.equal(await get('b'), 'b')
})

test('callers waiting for a deleted entry get its value, and it is not cached', async () => {
  const { made, kept, get } = counted()
  const waiting = get('a')
  kept.delete('a')
  assert.equal(await waiting, 'a')
  await get('a')
  assert.deepEqual(made, ['a', 'a'])
})

test('the size of an entry may be a fraction', async () => {
  const kept = createAsyncCache<string>({ maxSize: 10, sizeOf: () => 10 / 3 })
  assert.equal(await kept.get('a', async () => 'a'), 'a')
  assert.equal(await kept.get('a', async () => 'made again'), 'a')
})
