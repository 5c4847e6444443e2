import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openMemoryStore } from '../../../../tests/kit/memory-store.ts'
import { putBlob } from '../../../render/versions/blobs.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { measureBundle, openBundle } from './archive.ts'
import { readTar } from './read-tar.ts'
import { extractFiles, inspectArchive } from './verify-archive.ts'

const { signal } = new AbortController()
const CHANGES = 1000

let archive: Buffer
before(async () => {
  archive = await pack(2)
})

async function pack(format: 1 | 2, contents: Record<string, string> = pages()): Promise<Buffer> {
  await using objects = openMemoryStore()
  const files: SiteManifest['files'] = {}
  for (const [path, content] of Object.entries(contents)) files[path] = await putBlob(objects, path, content)
  const about = {
    format,
    octavo: '0.0.0',
    revision: 'content:0',
    deployment: 'air-gapped' as const,
    pageCount: 2,
  }
  const features = { search: false, assistant: false, analytics: false, playground: false, export: true }
  files['manifest.json'] ??= await putBlob(
    objects,
    'manifest.json',
    JSON.stringify({ ...about, features, files }),
  )
  const manifest = { ...about, features, files, redirects: [] }
  return buffer(openBundle(objects, manifest, await measureBundle(objects, manifest, signal)))
}

function pages(): Record<string, string> {
  const text = (seed: number) =>
    Array.from({ length: 40 }, (_, place) => `word${(seed * place * 7919) % 9973}`).join(' ')
  return {
    'a.html': `<p>${text(1)}</p>`,
    'b/ü.html': `<p>${text(2)}</p>`,
    [`${'d'.repeat(120)}/${'e'.repeat(200)}.html`]: text(3),
    'empty.txt': '',
  }
}

const faultsOf = async (bytes: Uint8Array) => (await inspectArchive(Readable.from([bytes]))).faults

test('an archive verifies in chunks of any size', async () => {
  assert.deepEqual(await faultsOf(archive), [])
  const pieces = Array.from({ length: archive.length }, (_, place) => archive.subarray(place, place + 1))
  const look = await inspectArchive(Readable.from(pieces))
  assert.deepEqual([look.faults, look.files.size], [[], 4])
})

test(`detects each of ${CHANGES} one-byte changes`, async () => {
  let seed = 20261123
  const next = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  for (let change = 0; change < CHANGES; change++) {
    const bent = Buffer.from(archive)
    // Bytes at the end come first: changing them does not affect the unpacked files.
    const place = change < 80 ? archive.length - 1 - change : next(archive.length)
    bent[place] = ((bent[place] as number) + 1 + next(255)) % 256
    assert.notDeepEqual(await faultsOf(bent), [], `byte ${place}`)
  }
})

test('detects a truncated, an extended and a recompressed archive', async () => {
  for (const end of [0, 1, 100, archive.length - 60, archive.length - 1])
    assert.notDeepEqual(await faultsOf(archive.subarray(0, end)), [], `cut at ${end}`)
  assert.notDeepEqual(await faultsOf(Buffer.concat([archive, Buffer.from('x')])), [])
  assert.notDeepEqual(await faultsOf(Buffer.concat([archive, archive])), [])
  assert.match((await faultsOf(gzipSync(gunzipSync(archive)))).join(), /its seal/)
})

test('an archive without a seal is verified against its manifest', async () => {
  const old = await pack(1)
  assert.deepEqual(await faultsOf(old), [])
  assert.ok(old.length < archive.length)
  const files = { 'a.html': { sha256: 'x', sizeBytes: 1 }, 'gone.html': { sha256: 'y', sizeBytes: 1 } }
  const manifest = JSON.stringify({ octavo: '0', files })
  assert.deepEqual(
    await faultsOf(await pack(1, { 'a.html': 'a', 'b.html': 'b', 'manifest.json': manifest })),
    ['gone.html is missing', 'b.html is not in the manifest', 'a.html differs'],
  )
})

test('reports a file that is not a bundle', async () => {
  assert.match((await faultsOf(Buffer.from('hello'))).join(), /unpacked.*manifest\.json is missing/)
  assert.match((await faultsOf(gzipSync('x'.repeat(2000)))).join(), /manifest\.json is missing/)
  for (const manifest of ['', 'null', '{"octavo":"0","files":{"a":null}}', '[]', '{"files":{}}'])
    assert.ok(
      (await faultsOf(await pack(2, { 'manifest.json': manifest }))).includes('manifest.json cannot be read'),
      manifest,
    )
})

test('bounds what is read into memory per file and in total', async () => {
  const unpack = (mostBytes: number) =>
    extractFiles(Readable.from([archive]), (path) => path.endsWith('.html'), mostBytes)
  assert.equal((await unpack(10_000)).size, 3)
  await assert.rejects(unpack(500), /its texts have more than 0 MB/)
  const limits = { isStored: (path: string) => path === 'a.html', maxStoredBytes: 100, mostNameBytes: 10_000 }
  const files = async () => Array.fromAsync(readTar(Readable.from([gunzipSync(archive)]), limits))
  await assert.rejects(files(), /^Error: a\.html is too large$/)
})
