/** Every theme on the same four pages, checked by axe in light and dark mode, on a desktop and a phone. */

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { resolveFeatures } from '../../src/base/api/features.ts'
import { openFolderTree } from '../../src/base/files/folder-tree.ts'
import { renderSite } from '../../src/render/build.ts'
import { loadSite } from '../../src/site/load-site.ts'
import type { SiteConfig } from '../../src/site/settings/config.ts'
import { loadAxe, serious } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { openMemoryStore } from '../kit/memory-store.ts'
import { renderDeps } from '../kit/render-deps.ts'
import { writeManifest } from '../kit/rendered-folder.ts'
import { tightTexts } from '../kit/tight-text.ts'
import { patience } from '../kit/until.ts'
import { sampleOf } from '../kit/whole-run.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const THEMES: readonly SiteConfig['theme'][] = [
  'mint',
  'maple',
  'palm',
  'willow',
  'linden',
  'almond',
  'aspen',
  'sequoia',
  'luma',
]
/** A home page, a long guide, code with tables, and an API operation. */
const PAGES = sampleOf(
  ['index', 'guides/export', 'content/code', 'content/bookshop/orders/create-an-order'],
  2,
)

let out = ''

before(async () => {
  out = await mkdtemp(join(tmpdir(), 'octavo-themes-'))
  await using tree = await openFolderTree(DOCS)
  await using objects = openMemoryStore()
  const site = await loadSite(tree, { fetchSpec: async () => ({ fault: 'nothing is fetched here' }) })
  for (const theme of THEMES) {
    const { manifest } = await renderSite(
      renderDeps(objects),
      {
        site: { ...site, config: { ...site.config, theme } },
        tree,
        deployment: 'air-gapped',
        features: resolveFeatures('air-gapped', { search: true }),
        origin: null,
        siteId: null,
        platformUrl: null,
        widgets: {},
        repository: null,
        paths: PAGES.map((page) => (page === 'index' ? '/' : `/${page}`)),
      },
      () => {},
      patience(),
    )
    await writeManifest(objects, manifest, join(out, theme))
  }
})

after(() => rm(out, { recursive: true, force: true }))

/** Rules that depend on the style sheet. All other rules are checked once for each theme. */
const LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable']

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

for (const theme of THEMES) {
  browserTest(
    `${theme}: axe reports no serious issue in light or dark mode, and no page overflows its viewport`,
    async (browser) => {
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        viewport: { width: 1440, height: 900 },
      })
      const found: string[] = []
      try {
        const page = await context.newPage()
        for (const name of PAGES) {
          await page.emulateMedia({ colorScheme: 'light' })
          await page.setViewportSize({ width: 1440, height: 900 })
          await page.goto(pathToFileURL(join(out, theme, `${name}.html`)).href)
          for (const tight of await tightTexts(page)) found.push(`${name}: ${tight}`)
          await loadAxe(page)
          const light = await page.evaluate(serious, { root: 'html', rules: name === 'index' ? null : LOOKS })
          await page.emulateMedia({ colorScheme: 'dark' })
          await page.locator('html.dark').waitFor()
          const dark = await page.evaluate(serious, { root: 'html', rules: ['color-contrast'] })
          found.push(
            ...light.map((what) => `${name} light: ${what}`),
            ...dark.map((what) => `${name} dark: ${what}`),
          )
          for (const width of [1920, 720, 390]) {
            await page.setViewportSize({ width, height: 900 })
            if ((await overflow(page)) > 0) found.push(`${name} is wider than ${width}`)
          }
        }
      } finally {
        await context.close()
      }
      assert.deepEqual(found, [])
    },
  )
}

browserTest('no two themes look the same', async (browser) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const looks = new Map<string, string>()
  try {
    for (const theme of THEMES) {
      await page.goto(pathToFileURL(join(out, theme, 'index.html')).href)
      const look = (await page.screenshot()).toString('base64')
      const same = looks.get(look)
      assert.equal(same, undefined, `${theme} looks like ${same}`)
      looks.set(look, theme)
    }
  } finally {
    await page.close()
  }
})
