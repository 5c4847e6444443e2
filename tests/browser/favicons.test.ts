/** Favicons for light and dark mode, as SVG and PNG: pages link to them, and browsers can display them. */

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { encode } from 'fast-png'
import { type Deployment, resolveFeatures } from '../../src/base/api/features.ts'
import { openMemoryTree } from '../../src/base/files/memory-tree.ts'
import { renderSite } from '../../src/render/build.ts'
import { readBlob } from '../../src/render/versions/blobs.ts'
import type { SiteManifest } from '../../src/render/versions/manifest.ts'
import { loadSite } from '../../src/site/load-site.ts'
import { browserTest } from '../kit/browser.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { renderDeps } from '../kit/render-deps.ts'
import { writeManifest } from '../kit/rendered-folder.ts'
import { patience } from '../kit/until.ts'

const DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#4F46E5"/></svg>'

function picture(side: number): Uint8Array {
  const data = new Uint8Array(side * side * 4)
  for (let at = 0; at < data.length; at += 4) data.set([255, at % 256, 0, 255], at)
  return encode({ width: side, height: side, channels: 4, data })
}

const tree = openMemoryTree({
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#4F46E5' },
    favicon: { light: '/images/sign.svg', dark: '/images/sign-dark.png' },
    navigation: { pages: ['index', 'deep/page'] },
  }),
  'index.mdx': '---\ntitle: Home\n---\n\nText.\n',
  'deep/page.mdx': '---\ntitle: Deep\n---\n\nText.\n',
  'images/sign.svg': DRAWING,
  'images/sign-dark.png': picture(256),
})

const objects = openMemoryStore()
let out = ''
let bundle: SiteManifest
let hosted: SiteManifest

async function render(deployment: Deployment, store = objects): Promise<SiteManifest> {
  const { manifest, problems } = await renderSite(
    renderDeps(store),
    {
      site: await loadSite(tree),
      tree,
      deployment,
      features: resolveFeatures(deployment),
      origin: null,
      siteId: null,
      platformUrl: null,
      widgets: {},
      repository: null,
    },
    () => {},
    patience(),
  )
  assert.deepEqual(problems, [])
  return manifest
}

before(async () => {
  out = await mkdtemp(join(tmpdir(), 'octavo-favicons-'))
  bundle = await render('air-gapped')
  hosted = await render('cloud')
  await writeManifest(objects, bundle, out)
})
after(() => rm(out, { recursive: true, force: true }))

test('every icon that a hosted page links to is a file of the site', async () => {
  const html = new TextDecoder().decode(await readBlob(objects, hosted.files['deep/page.html']?.sha256 ?? ''))
  const tags = [...html.matchAll(/<link rel="(?:icon|apple-touch-icon)"[^>]*>/g)].map(([tag]) => tag)
  const hrefs = tags.map((tag) => /href="\/([^"]+)"/.exec(tag)?.[1] ?? assert.fail(tag))
  assert.deepEqual(
    hrefs.map((href) => href.replace(/\.[0-9a-f]{10}\./, '.')),
    ['images/sign.svg', 'images/sign-dark.png', '_octavo/touch-icon.png'],
  )
  assert.deepEqual(
    tags.map((tag) => /scheme: (\w+)/.exec(tag)?.[1]),
    ['light', 'dark', undefined],
  )
  assert.deepEqual(
    hrefs.filter((href) => !hosted.files[href]),
    [],
  )
})

test('rendering icons again with an empty store gives the same bytes', async () => {
  assert.deepEqual(await render('air-gapped', openMemoryStore()), bundle)
})

browserTest('pages opened from disk show every icon that they link to', async (browser) => {
  const page = await browser.newPage()
  try {
    for (const name of ['index', 'deep/page']) {
      await page.goto(pathToFileURL(join(out, `${name}.html`)).href)
      const seen = await page.evaluate(async () => {
        const links = [
          ...document.querySelectorAll<HTMLLinkElement>('link[rel="icon"],link[rel="apple-touch-icon"]'),
        ]
        return Promise.all(
          links.map(async ({ href, rel }) => {
            const image = new Image()
            image.src = href
            await image.decode()
            return { rel, shown: `${image.naturalWidth}x${image.naturalHeight}` }
          }),
        )
      })
      assert.equal(seen.length, 3)
      assert.ok(seen.every(({ shown }) => !shown.startsWith('0')))
      assert.equal(seen.find(({ rel }) => rel === 'apple-touch-icon')?.shown, '180x180')
    }
  } finally {
    await page.close()
  }
})
