import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SiteManifest } from './manifest.ts'
import { encodeManifest, parseManifest } from './manifest-text.ts'

function manifestOf(names: readonly string[], redirects: SiteManifest['redirects'] = []): SiteManifest {
  return {
    format: 1,
    octavo: '0',
    revision: 'content:"files":{\n',
    deployment: 'cloud',
    features: {} as SiteManifest['features'],
    pageCount: names.length,
    files: Object.fromEntries(
      names.map((name, index) => [name, { sha256: 'ab'.repeat(32), sizeBytes: index, contentType: 'a/b' }]),
    ),
    redirects,
    start: null,
  }
}

const HOSTILE = [
  'a.html',
  '',
  '\n},"redirects":[\n',
  '","',
  '__proto__',
  'constructor',
  'é\u2028😀',
  '\\',
  '}',
]

for (const [what, manifest] of [
  ['no file', manifestOf([])],
  ['one file', manifestOf(['index.html'])],
  [
    'names that look like the text around them',
    manifestOf(HOSTILE, [
      { source: '/\n]}\n', destination: '"', isPermanent: true },
      { source: '/b', destination: '/c', isPermanent: false },
    ]),
  ],
] as const)
  test(`a manifest with ${what} survives a round trip and is valid JSON`, async () => {
    const text = await encodeManifest(manifest)
    assert.deepEqual(await parseManifest(text), manifest)
    assert.deepEqual(JSON.parse(text.toString()), manifest)
    assert.deepEqual(Object.keys((await parseManifest(text)).files), Object.keys(manifest.files))
  })

test('reads a manifest from before the line format', async () => {
  const manifest = manifestOf(HOSTILE)
  assert.deepEqual(await parseManifest(Buffer.from(JSON.stringify(manifest))), manifest)
})

test('rejects a truncated manifest', async () => {
  const text = await encodeManifest(manifestOf(['index.html', 'a.html']))
  for (const length of [0, 5, text.length >> 1, text.length - 5])
    await assert.rejects(parseManifest(text.subarray(0, length)), SyntaxError)
})
