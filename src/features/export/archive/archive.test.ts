import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { openMemoryStore } from '../../../../tests/kit/memory-store.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { putBlob } from '../../../render/versions/blobs.ts'
import { blobKey, type SiteManifest } from '../../../render/versions/manifest.ts'
import { measureBundle, openBundle } from './archive.ts'

const long = `${'folder-with-a-name/'.repeat(7)}page.html`
/** The shortest name that no longer fits the name field. */
const oneTooLong = `${'n'.repeat(94)}/a.html`
const veryLong = `${'d'.repeat(120)}/${'e'.repeat(200)}.html`
const contents: Record<string, string | Uint8Array> = {
  'a.html': '',
  'exact.html': 'x'.repeat(1024),
  [oneTooLong]: 'one too long',
  'guides/日本語 ü.html': '<p>ü</p>',
  'image.png': Uint8Array.from({ length: 2_000_000 }, (_, i) => (i * 7919) % 251),
  'index.html': '<!doctype html><title>Home</title>',
  [long]: 'long',
  [veryLong]: 'very long',
}

const { signal } = new AbortController()

let folder: string
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'octavo-archive-'))
})
after(() => rmSync(folder, { recursive: true }))

async function manifestOf(objects: ReturnType<typeof openMemoryStore>): Promise<SiteManifest> {
  const files: SiteManifest['files'] = {}
  for (const [path, content] of Object.entries(contents)) files[path] = await putBlob(objects, path, content)
  return {
    format: 1,
    octavo: '0.0.0',
    revision: 'content:0',
    deployment: 'air-gapped',
    features: { search: false, assistant: false, analytics: false, playground: false, export: true },
    pageCount: 0,
    files,
    redirects: [],
  }
}

async function pack(objects: ObjectStore, manifest: SiteManifest): Promise<Buffer> {
  return buffer(openBundle(objects, manifest, await measureBundle(objects, manifest, signal)))
}

test('GNU tar unpacks every file of a bundle unchanged, with names of any length and script', async () => {
  await using objects = openMemoryStore()
  const archive = join(folder, 'gnu.tar.gz')
  writeFileSync(archive, await pack(objects, await manifestOf(objects)))
  execFileSync('gzip', ['-t', archive])
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  for (const [path, content] of Object.entries(contents)) {
    assert.deepEqual(readFileSync(join(folder, path)), Buffer.from(content as string), path)
  }
  const listing = execFileSync('tar', ['--numeric-owner', '-tvzf', archive], {
    env: { TZ: 'UTC' },
    encoding: 'utf8',
  })
  for (const line of listing.trim().split('\n')) assert.match(line, /^-rw-r--r-- 0\/0 +\d+ 1970-01-01 00:00 /)
})

test('the digest of a bundle matches its bytes, and equal manifests give equal bytes', async () => {
  await using objects = openMemoryStore()
  const manifest = await manifestOf(objects)
  const measured = await measureBundle(objects, manifest, signal)
  const bytes = await buffer(openBundle(objects, manifest, measured))
  assert.deepEqual(measured, {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sizeBytes: bytes.length,
    lost: [],
  })
  assert.deepEqual(await pack(objects, manifest), bytes)
  assert.equal(gunzipSync(bytes).length % 512, 0)
})

test('a missing blob fails the stream and not the process', async () => {
  await using objects = openMemoryStore()
  const manifest = await manifestOf(objects)
  const measured = await measureBundle(objects, manifest, signal)
  await using empty = openMemoryStore()
  const stream = openBundle(empty, manifest, measured)
  assert.ok(stream instanceof Readable)
  await assert.rejects(buffer(stream), /there is no object/)
})

test('measuring a bundle continues past missing files and names them', async () => {
  await using objects = openMemoryStore()
  const manifest = await manifestOf(objects)
  for (const path of ['image.png', 'index.html'])
    await objects.delete(blobKey((manifest.files[path] as { sha256: string }).sha256))
  assert.deepEqual((await measureBundle(objects, manifest, signal)).lost, ['image.png', 'index.html'])
})

test('a bundle that differs from its measurement fails at its end', async () => {
  await using objects = openMemoryStore()
  const manifest = await manifestOf(objects)
  const measured = await measureBundle(objects, manifest, signal)
  const other = { ...manifest, files: { ...manifest.files, 'b.html': manifest.files['index.html'] as never } }
  await assert.rejects(buffer(openBundle(objects, other, measured)), /differs from the one that was measured/)
})
