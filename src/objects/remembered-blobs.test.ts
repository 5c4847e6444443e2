import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore } from './memory-store.ts'
import type { ObjectStore } from './object-store.ts'
import { rememberBlobs } from './remembered-blobs.ts'

const BLOB = `blobs/${'ab'}/${'c'.repeat(62)}.gz`

test('a blob that was there is not asked for again for a while, a missing one is', async () => {
  await using inner = openMemoryStore()
  let time = 0
  let asked = 0
  const counted: ObjectStore = {
    ...inner,
    head: (key) => {
      asked++
      return inner.head(key)
    },
  }
  const store = rememberBlobs(counted, () => time)
  assert.equal(await store.head(BLOB), null)
  await store.put(BLOB, Buffer.from('bytes'))
  assert.equal((await store.head(BLOB))?.sizeBytes, 5)
  assert.equal((await store.head(BLOB))?.sizeBytes, 5)
  assert.equal(asked, 2)
  time += 16 * 60_000
  await inner.delete(BLOB)
  assert.equal(await store.head(BLOB), null)
})

test('what is named by what it was made of is asked for each time', async () => {
  await using inner = openMemoryStore()
  const store = rememberBlobs(inner)
  const key = `bodies/ab/${'c'.repeat(62)}`
  await store.put(key, Buffer.from('one'))
  assert.equal((await store.head(key))?.sizeBytes, 3)
  await store.put(key, Buffer.from('three'))
  assert.equal((await store.head(key))?.sizeBytes, 5)
})
