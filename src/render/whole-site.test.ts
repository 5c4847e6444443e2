import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore } from '../objects/memory-store.ts'
import { putBlob } from './versions/blobs.ts'
import { blobKey, type SiteManifest } from './versions/manifest.ts'
import { lookAtFiles } from './whole-site.ts'

test('of files that were read before it is asked once whether they are there, and all others are read', async () => {
  await using objects = openMemoryStore()
  const asked: string[] = []
  const read: string[] = []
  const store = {
    ...objects,
    missing: (keys: readonly string[]) => {
      asked.push(...keys)
      return objects.missing(keys)
    },
    read: (key: string) => {
      read.push(key)
      return objects.read(key)
    },
  }
  const files: SiteManifest['files'] = {}
  for (const name of ['found', 'seen', 'gone', 'new', 'lost'])
    files[`${name}.txt`] = await putBlob(objects, `${name}.txt`, name)
  const digestOf = (name: string) => files[`${name}.txt`]?.sha256 as string
  const keyOf = (name: string) => blobKey(digestOf(name))
  for (const name of ['gone', 'lost']) await objects.delete(keyOf(name))
  const { lost } = await lookAtFiles(
    store,
    { files } as SiteManifest,
    { seen: new Set(['found', 'seen', 'gone'].map(digestOf)), found: new Set([keyOf('found')]) },
    new AbortController().signal,
  )
  assert.deepEqual(asked.sort(), [keyOf('seen'), keyOf('gone')].sort())
  assert.deepEqual(read.sort(), [keyOf('new'), keyOf('lost')].sort())
  assert.deepEqual(lost.sort(), ['gone.txt', 'lost.txt'])
})
