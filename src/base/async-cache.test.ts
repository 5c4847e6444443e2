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

test('what was used longest ago goes first when there is too much', async () => {
  const { made, get } = counted()
  await get('aaaa')
  await get('bbbb')
  await get('aaaa')
  await get('cccc') // twelve in total, so the second is evicted
  await get('aaaa')
  await get('bbbb')
  assert.deepEqual(made, ['aaaa', 'bbbb', 'cccc', 'bbbb'])
})

test('what is heavier than all may be is given and not kept', async () => {
  const { made, get } = counted()
  assert.equal(await get('large', 'x'.repeat(11)), 'x'.repeat(11))
  await get('large', 'x'.repeat(11))
  assert.deepEqual(made, ['large', 'large'])
})

test('those who ask at once wait for one, and what fails or is deleted is made again', async () => {
  const { made, kept, get } = counted()
  await Promise.all([get('a'), get('a')])
  kept.delete('a')
  await get('a')
  assert.deepEqual(made, ['a', 'a'])
  await assert.rejects(kept.get('b', () => Promise.reject(new Error('no'))))
  assert.equal(await get('b'), 'b')
})

test('those who wait for what is deleted meanwhile get it, and it is not kept', async () => {
  const { made, kept, get } = counted()
  const waiting = get('a')
  kept.delete('a')
  assert.equal(await waiting, 'a')
  await get('a')
  assert.deepEqual(made, ['a', 'a'])
})

test('a share of a bound may be a fraction', async () => {
  const kept = createAsyncCache<string>({ maxSize: 10, sizeOf: () => 10 / 3 })
  assert.equal(await kept.get('a', async () => 'a'), 'a')
  assert.equal(await kept.get('a', async () => 'made again'), 'a')
})
