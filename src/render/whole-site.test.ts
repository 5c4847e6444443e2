import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore } from '../../tests/kit/memory-store.ts'
import { putBlob } from './versions/blobs.ts'
import { blobKey, type SiteManifest } from './versions/manifest.ts'
import { checkFiles } from './whole-site.ts'

test('reads every file that was not checked before and reports missing ones', async () => {
  await using objects = openMemoryStore()
  const read: string[] = []
  const store = {
    ...objects,
    read: (key: string) => {
      read.push(key)
      return objects.read(key)
    },
  }
  const files: SiteManifest['files'] = {}
  for (const name of ['seen', 'new', 'lost'])
    files[`${name}.txt`] = await putBlob(objects, `${name}.txt`, name)
  const digestOf = (name: string) => files[`${name}.txt`]?.sha256 as string
  const keyOf = (name: string) => blobKey(digestOf(name))
  await objects.delete(keyOf('lost'))
  const seen = new Set([digestOf('seen')])
  const { lost } = await checkFiles(store, { files } as SiteManifest, seen, new AbortController().signal)
  assert.deepEqual(read.sort(), [keyOf('new'), keyOf('lost')].sort())
  assert.deepEqual(lost, ['lost.txt'])
})
