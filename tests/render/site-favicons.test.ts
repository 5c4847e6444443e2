/** The icons of a site, made in their thread and kept in the store. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../src/base/memory-tree.ts'
import { openMemoryStore } from '../../src/objects/memory-store.ts'
import type { ObjectStore } from '../../src/objects/object-store.ts'
import { encodePng } from '../../src/render/favicon/picture.ts'
import { faviconStamp, siteFavicons } from '../../src/render/favicon/site-favicons.ts'
import type { Site } from '../../src/site/model.ts'

function picture(side: number, colour: [number, number, number] = [0, 80, 200]): Uint8Array {
  const data = new Uint8Array(side * side * 4)
  for (let at = 0; at < data.length; at += 4) data.set([...colour, 255], at)
  return encodePng({ width: side, height: side, data })
}

function scopeOf(
  files: Record<string, string | Uint8Array>,
  favicon: { light: string; dark: string } | null,
  objects: ObjectStore = openMemoryStore(),
) {
  const config = { name: 'Acme', favicon, background: { color: { light: null, dark: null } } }
  const site = { config, assets: new Set(Object.keys(files)) } as unknown as Site
  return { objects, site, tree: openMemoryTree(files), names: { has: (path: string) => path in files } }
}

const both = (href: string) => ({ light: href, dark: href })
const withoutHash = (path: string | null) => path?.replace(/\.[0-9a-f]{10}\./, '.') ?? null

test('a large PNG is given in every size, and one that is small beside those that are smaller', async () => {
  const { icons, files, problems } = await siteFavicons(
    scopeOf(
      { 'logo.png': picture(200), 'dark.png': picture(48) },
      { light: '/logo.png', dark: '/dark.png?v=2' },
    ),
  )
  assert.deepEqual(problems, [])
  assert.deepEqual(
    icons.light.tabs.map(({ href, sizes }) => [withoutHash(href), sizes]),
    [
      ['/_octavo/favicon-16.png', '16x16'],
      ['/_octavo/favicon-32.png', '32x32'],
      ['/_octavo/favicon-192.png', '192x192'],
    ],
  )
  assert.equal(withoutHash(icons.light.touch), '/_octavo/touch-icon.png')
  assert.deepEqual(
    [icons.dark.tabs.map(({ href, sizes }) => [withoutHash(href), sizes]), icons.dark.touch],
    [
      [
        ['/_octavo/favicon-16.png', '16x16'],
        ['/_octavo/favicon-32.png', '32x32'],
        ['/dark.png?v=2', '48x48'],
      ],
      null,
    ],
  )
  const named = [...icons.light.tabs, ...icons.dark.tabs.slice(0, 2), { href: icons.light.touch }]
  const expected = new Set([...named.map(({ href }) => href?.slice(1)), 'favicon.ico'])
  assert.deepEqual(new Set(files.map(({ path }) => path)), expected)
  assert.equal(files.length, expected.size)
})

test('an ICO file of the author stays where it is, or is given at the root too', async () => {
  const ico = Buffer.from('any bytes')
  const paths = async (...scope: Parameters<typeof scopeOf>) =>
    (await siteFavicons(scopeOf(...scope))).files.map(({ path }) => withoutHash(path))
  const own = await paths({ 'logo.png': picture(32), 'favicon.ico': ico }, both('/logo.png'))
  assert.deepEqual(own, ['_octavo/favicon-16.png'])
  const elsewhere = await siteFavicons(scopeOf({ 'images/sign.ico': ico }, both('/images/sign.ico')))
  assert.deepEqual(elsewhere.files, [{ path: 'favicon.ico', content: ico }])
  assert.deepEqual(elsewhere.icons.light.tabs, [])
})

test('icons are made once for a file, and a second time in the same bytes', async () => {
  const objects = openMemoryStore()
  const puts: string[] = []
  const counting = {
    ...objects,
    put: (...args: Parameters<typeof objects.put>) => {
      puts.push(args[0])
      return objects.put(...args)
    },
  }
  const files = { 'favicon.png': picture(64) }
  const first = await siteFavicons(scopeOf(files, null, counting))
  const second = await siteFavicons(scopeOf(files, null, counting))
  assert.equal(puts.length, 1)
  assert.match(puts[0] ?? '', /^favicons\/[0-9a-f]{64}\.json\.zst$/)
  const [made, found] = [first, second].map(({ files }) =>
    files.map(({ path, content }) => [path, [...content]]),
  )
  assert.deepEqual(found, made)
  const afresh = await siteFavicons(scopeOf(files, null))
  assert.deepEqual(afresh.icons, first.icons)
})

test('a file of which no icon can be made is a problem and nothing else', async () => {
  const { icons, files, problems } = await siteFavicons(
    scopeOf({ 'a.png': 'no picture', 'b.svg': '<svg>' }, { light: '/a.png', dark: '/b.svg' }),
  )
  const none = { tabs: [], touch: null }
  assert.deepEqual({ icons, files }, { icons: { light: none, dark: none }, files: [] })
  assert.deepEqual(
    problems.map(({ file, line, code, level }) => [file, line, code, level]),
    [
      ['a.png', null, 'favicon.unusable', 'warning'],
      ['b.svg', null, 'favicon.unusable', 'warning'],
    ],
  )
  assert.match(problems[0]?.message ?? '', /^The favicon is no PNG file, so it is given as it is/)
  const large = await siteFavicons(scopeOf({ 'a.png': Buffer.alloc(4 * 1024 * 1024 + 1) }, both('/a.png')))
  assert.match(large.problems[0]?.message ?? '', /more than 4 MB/)
})

test('nothing is done for a letter, a file of another server and one that is not there', async () => {
  const store = {} as ObjectStore // any use of it fails
  for (const favicon of [
    null,
    both('https://x.example/a.png'),
    both('//x.example/a.png'),
    both('/gone.png'),
  ]) {
    const { files, problems } = await siteFavicons(scopeOf({ 'readme.txt': 'x' }, favicon, store))
    assert.deepEqual([files, problems], [[], []])
  }
})

test('another content of the favicon is told from the one before', () => {
  const stamps = [picture(16), picture(32)].map((file) =>
    faviconStamp(scopeOf({ 'logo.png': file, 'b.txt': 'x' }, both('/logo.png'))),
  )
  assert.notEqual(stamps[0], stamps[1])
})
