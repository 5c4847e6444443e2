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
import { openMemoryStore } from '../objects/memory-store.ts'
import { putBlob } from '../render/blobs.ts'
import type { SiteManifest } from '../render/manifest.ts'
import { openBundle } from './archive.ts'

const long = `${'folder-with-a-name/'.repeat(7)}page.html`
const veryLong = `${'d'.repeat(120)}/${'e'.repeat(200)}.html`
const contents: Record<string, string | Uint8Array> = {
  'a.html': '',
  'exact.html': 'x'.repeat(1024),
  'guides/日本語 ü.html': '<p>ü</p>',
  'image.png': Uint8Array.from({ length: 2_000_000 }, (_, i) => (i * 7919) % 251),
  'index.html': '<!doctype html><title>Home</title>',
  [long]: 'long',
  [veryLong]: 'very long',
}

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

test('GNU tar unpacks every file of a bundle as it was, names of any length and script included', async () => {
  await using objects = openMemoryStore()
  const bundle = openBundle(objects, await manifestOf(objects))
  const archive = join(folder, 'gnu.tar.gz')
  writeFileSync(archive, await buffer(bundle.stream))
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

test('the digest of a bundle is that of its bytes, and equal manifests give equal bytes', async () => {
  await using objects = openMemoryStore()
  const manifest = await manifestOf(objects)
  const bundle = openBundle(objects, manifest)
  assert.throws(() => bundle.digest(), /not been read/)
  const bytes = await buffer(bundle.stream)
  assert.deepEqual(bundle.digest(), {
    sha256: createHash('sha256').update(bytes).digest('hex'),
    sizeBytes: bytes.length,
  })
  assert.deepEqual(await buffer(openBundle(objects, manifest).stream), bytes)
  assert.equal(gunzipSync(bytes).length % 512, 0)
})

test('a missing blob fails the stream and not the process', async () => {
  await using objects = openMemoryStore()
  const manifest = await manifestOf(objects)
  await using empty = openMemoryStore()
  const { stream } = openBundle(empty, manifest)
  assert.ok(stream instanceof Readable)
  await assert.rejects(buffer(stream), /there is no object/)
})
