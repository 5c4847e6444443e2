/** Iterating over long lists from authors must not block the event loop. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { measureBundle } from '../../src/features/export/archive/archive.ts'
import { pageRoutes } from '../../src/features/hosting/serve/page-routes.ts'
import { openTree } from '../../src/git/checkout.ts'
import { putBlob } from '../../src/render/versions/blobs.ts'
import type { ManifestFile, SiteManifest } from '../../src/render/versions/manifest.ts'
import { encodeManifest, parseManifest } from '../../src/render/versions/manifest-text.ts'
import { countTurns } from '../kit/count-turns.ts'
import { createTestRepository, SOURCE_ROW } from '../kit/git.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { pushTree } from '../kit/push-tree.ts'

const FILES = 100_000
/** Minimum number of event loop turns, reached even if all the work takes only 30 ms. */
const LEAST_TURNS = 3
const NAMES = Array.from({ length: FILES }, (_, number) => `section-${number % 100}/page-${number}.html`)
const FILE: ManifestFile = { sha256: 'ab'.repeat(32), sizeBytes: 1, contentType: 'text/html' }

function manifestOf(names: readonly string[], file: ManifestFile): SiteManifest {
  return {
    format: 1,
    octavo: '0',
    revision: 'content:0',
    deployment: 'cloud',
    features: {} as SiteManifest['features'],
    pageCount: names.length,
    files: Object.fromEntries(names.map((name) => [name, file])),
    redirects: [],
  }
}

async function hasTurns<Out>(work: Promise<Out>): Promise<Out> {
  const { out, turns } = await countTurns(work)
  assert.ok(turns >= LEAST_TURNS, `${turns} turns`)
  return out
}

test('encodes, parses and routes a manifest of many files without blocking the event loop', async () => {
  const text = await hasTurns(encodeManifest(manifestOf(NAMES, FILE)))
  const manifest = await hasTurns(parseManifest(text))
  assert.equal((await hasTurns(pageRoutes(manifest))).size, FILES)
})

test('measures an archive of many files without blocking the event loop', async () => {
  const objects = openMemoryStore()
  const file = await putBlob(objects, 'a.html', 'x')
  const manifest = manifestOf(NAMES.slice(0, 5000), file)
  const { lost } = await hasTurns(measureBundle(objects, manifest, new AbortController().signal))
  assert.deepEqual(lost, [])
})

test('opens a tree of many files without blocking the event loop', async () => {
  await using repository = await createTestRepository()
  await pushTree(
    join(repository.folder, '.git'),
    NAMES.slice(0, 50_000).map((path) => ({ kind: 'file', path: Buffer.from(path), content: 'x' })),
  )
  const source = { kind: 'folder', path: repository.folder, ref: 'main' } as const
  const mirrorsFolder = join(repository.folder, 'mirrors')
  // Waiting for git yields in any case, so check that no single loop over its output blocks.
  const longest = { ms: 0, last: process.threadCpuUsage() }
  const watch = setInterval(() => {
    const { user, system } = process.threadCpuUsage(longest.last)
    longest.ms = Math.max(longest.ms, (user + system) / 1000)
    longest.last = process.threadCpuUsage()
  })
  await using tree = await openTree({ projectId: SOURCE_ROW.id, source, mirrorsFolder })
  clearInterval(watch)
  assert.equal(tree.files.size, 50_000)
  assert.ok(longest.ms <= 200, `a stretch of ${longest.ms} ms of processor time`)
})
