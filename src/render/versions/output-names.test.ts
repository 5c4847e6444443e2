import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deployment } from '../../base/api/features.ts'
import type { Site, SitePage } from '../../site/model.ts'
import { nameOutputs, safePath } from './output-names.ts'

function namesOf(routes: string[], assets: string[], deployment: Deployment = 'air-gapped') {
  const pages = new Map(routes.map((route) => [route, { route, file: null, frontmatter: {} } as SitePage]))
  return nameOutputs({ pages, assets: new Set(assets) } as unknown as Site, deployment, ['manifest.json'])
}

test('pages become .html files and a page may share its name with a folder', () => {
  const names = namesOf(['/', '/a', '/a/b'], ['i/x.png'])
  assert.deepEqual([...names.pages.values()], ['index.html', 'a.html', 'a/b.html'])
  assert.equal(names.assets.get('i/x.png'), 'i/x.png')
  assert.deepEqual(names.problems, [])
})

test('names that differ only in case get different files in a bundle and are reported', () => {
  const names = namesOf(['/Guide', '/guide'], ['manifest.json'])
  assert.deepEqual(Object.fromEntries(names.pages), { '/Guide': 'Guide.html', '/guide': 'guide-2.html' })
  assert.equal(names.assets.get('manifest.json'), 'manifest-2.json')
  assert.deepEqual(
    names.problems.map((problem) => problem.code),
    ['output.renamed', 'output.renamed'],
  )
  const hosted = namesOf(['/Guide', '/guide'], [], 'cloud')
  assert.deepEqual([...hosted.pages.values()], ['Guide.html', 'guide.html'])
})

test('a folder with the name of a file is renamed together with its contents', () => {
  const names = namesOf(['/a'], ['a.html/x.png', 'a.html/y.png', 'b.html', 'b.html/z.png'])
  assert.deepEqual(
    [...names.assets.values()],
    ['a.html-2/x.png', 'a.html-2/y.png', 'b.html', 'b.html-2/z.png'],
  )
})

test('output names cannot leave the archive or use reserved names', () => {
  assert.equal(safePath('/../a/./b'), '--/a/b')
  assert.equal(safePath('con.html'), 'con-.html')
  assert.equal(safePath('a/NUL'), 'a/NUL-')
  assert.equal(safePath('a\u0000b/c:d?e*f|g<h>i"j\\k'), 'a-b/c-d-e-f-g-h-i-j-k')
  assert.equal(safePath('dot./space '), 'dot-/space-')
  assert.ok(Buffer.byteLength(safePath(`${'ü'.repeat(200)}.html`)) <= 255)
  assert.match(safePath(`${'ü'.repeat(200)}.html`), /\.html$/)
})
