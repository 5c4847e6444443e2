import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decode } from 'fast-png'
import type { Deployment } from '../../src/base/api/features.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { createMemoryCache } from '../../src/render/cache/memory-cache.ts'
import { openArtist } from '../../src/render/thumbnail/open-artist.ts'
import { siteThumbnails } from '../../src/render/thumbnail/site-thumbnails.ts'
import type { SiteFiles } from '../../src/render/versions/site-files.ts'
import { loadSite } from '../../src/site/load-site.ts'
import type { SitePage } from '../../src/site/model.ts'

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"><rect width="90" height="30" fill="#ff0000"/></svg>'
const TITLES = {
  a: 'Ship on Fridays 🚀',
  b: '部署指南',
  c: 'Привет, Ελλάδα & <b>Việt</b>',
  d: 'A word that never ends '.repeat(40) + 'x'.repeat(3000),
}
const NAMES = Object.keys(TITLES)

function sourceOf(logo: string | null, appearance: 'light' | 'dark') {
  const settings = {
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#008060' },
    thumbnails: { appearance },
    ...(logo === null ? {} : { logo: '/logo.svg' }),
    navigation: { groups: [{ group: 'Guides', pages: NAMES }] },
  }
  const pages = Object.entries(TITLES).map(([name, title]) => [
    `${name}.mdx`,
    `---\ntitle: ${JSON.stringify(title)}\n---\nText.`,
  ])
  return openMemoryTree({
    'docs.json': JSON.stringify(settings),
    ...Object.fromEntries(pages),
    ...(logo === null ? {} : { 'logo.svg': logo }),
  })
}

interface Wanted {
  deployment?: Deployment
  origin?: string | null
  logo?: string | null
  appearance?: 'light' | 'dark'
}

async function picturesOf(wanted: Wanted = {}) {
  const { deployment = 'client-hosted', origin = 'https://docs.example.com', logo = LOGO } = wanted
  const tree = sourceOf(logo, wanted.appearance ?? 'light')
  const site = await loadSite(tree)
  await using made = await siteThumbnails({
    cache: createMemoryCache(),
    input: { site, tree, deployment, origin },
  })
  if (made === null) return null
  const paths = NAMES.map((name) => made.pathOf(site.pages.get(`/${name}`) as SitePage))
  const files = new Map<string, string | Uint8Array>()
  await made.write({
    add: async (path: string, content: string) => void files.set(path, content),
  } as SiteFiles)
  const pictures = paths.map((path) => {
    const file = files.get((path ?? '').slice(1))
    return typeof file === 'object' ? decode(file) : null
  })
  return { paths, files, pictures }
}

test('each page of a bundle has its own thumbnail, with the same bytes every time', async () => {
  const [first, second] = [await picturesOf(), await picturesOf()]
  assert.ok(first && second)
  assert.equal(first.files.size, 4)
  assert.deepEqual([...first.files], [...second.files])
  for (const picture of first.pictures) assert.deepEqual([picture?.width, picture?.height], [1200, 630])
  for (const file of first.files.values()) assert.ok(file.length > 5_000 && file.length < 150_000)
})

test('a title in a script without a font is replaced by the site name', async () => {
  const named = await picturesOf()
  const tree = sourceOf(LOGO, 'light')
  const site = await loadSite(tree)
  const hidden = { ...(site.pages.get('/a') as SitePage), isHidden: true }
  await using made = await siteThumbnails({
    cache: createMemoryCache(),
    input: { site, tree, deployment: 'cloud', origin: 'https://docs.example.com' },
  })
  assert.equal(named?.paths[1], made?.pathOf(hidden))
  assert.equal(new Set(named?.paths).size, 4)
})

test('thumbnails use the logo, background and accent of the site in the configured appearance', async () => {
  const light = (await picturesOf())?.pictures[0]
  const dark = (await picturesOf({ appearance: 'dark' }))?.pictures[0]
  assert.ok(light && dark)
  const at = ({ data }: typeof light, x: number, y: number) => [
    ...data.subarray((y * 1200 + x) * 4).subarray(0, 3),
  ]
  assert.deepEqual(at(light, 100, 100), [255, 0, 0])
  assert.deepEqual(at(light, 1190, 10), [255, 255, 255])
  assert.deepEqual(at(light, 600, 625), [0, 128, 96])
  assert.ok(Math.max(...at(dark, 1190, 10)) < 40)
})

test('a logo with text, a broken logo and no logo fall back to the site name', async () => {
  const none = (await picturesOf({ logo: null }))?.paths
  for (const logo of [
    '<svg xmlns="http://www.w3.org/2000/svg"><text>Acme</text></svg>',
    '<svg',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
  ])
    assert.deepEqual((await picturesOf({ logo }))?.paths, none)
})

test('a hosted version lists its thumbnails in thumbnails.json and draws none', async () => {
  const hosted = await picturesOf({ deployment: 'cloud' })
  assert.deepEqual(hosted?.paths, (await picturesOf())?.paths)
  assert.deepEqual([...(hosted?.files.keys() ?? [])], ['_octavo/thumbnails.json'])
})

test('makes no thumbnails without an origin or in an air-gapped deployment', async () => {
  assert.equal(await picturesOf({ origin: null }), null)
  assert.equal(await picturesOf({ deployment: 'air-gapped' }), null)
})

test('abandons a thumbnail that exceeds the time limit, and draws others after a failed drawing', async () => {
  const look = { site: 'A', ground: '#fff', ink: '#000', quiet: '#666', accent: '#080', logo: null }
  const task = { kind: 'thumbnail', thumbnail: { ...look, title: 'A', section: '' } } as const
  await using hasty = openArtist(1)
  assert.deepEqual(await Promise.all([hasty.draw(task), hasty.draw(task)]), [null, null])
  await using patient = openArtist()
  const drawn = await Promise.all([
    patient.draw(task),
    patient.draw({ kind: 'logo', content: Buffer.from('x'), type: 'image/png' }),
    patient.draw(task),
  ])
  assert.deepEqual(
    drawn.map((png) => png !== null),
    [true, false, true],
  )
  assert.deepEqual(drawn[0], drawn[2])
})
