import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore } from '../objects/memory-store.ts'
import { forgetEarlier } from './earlier-version.ts'

test('what builds of a site have left is forgotten, and nothing of its previews or of other projects', async () => {
  await using objects = openMemoryStore()
  const own = ['stamps/prj_a/site/1/files.json', 'stamps/prj_a/site/2/files.json']
  const preview = 'stamps/prj_a/prv_a/1/files.json'
  const others = ['stamps/prj_a/site2/1/files.json', 'stamps/prj_ab/site/1/files.json', 'blobs/aa']
  for (const key of [...own, preview, ...others]) await objects.put(key, Buffer.from(key))
  const left = async () => (await Array.fromAsync(objects.list(''))).map(({ key }) => key).sort()
  await forgetEarlier(objects, { project_id: 'prj_a', preview_id: null })
  assert.deepEqual(await left(), [preview, ...others].sort())
  await forgetEarlier(objects, { project_id: 'prj_a', preview_id: 'prv_a' })
  assert.deepEqual(await left(), [...others].sort())
})
