/** The component gallery in docs/: checked by axe in light and dark mode, and used by keyboard. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { loadAxe, serious } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { components } from '../kit/component-names.ts'
import { htmlFaults } from '../kit/valid-html.ts'
import { sampleOf } from '../kit/whole-run.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const GALLERY = 'content/components'

let site: BuiltSite
before(async () => {
  site = await buildSite(DOCS)
})
after(() => site[Symbol.asyncDispose]())

const withPage = (
  browser: Browser,
  name: string,
  colorScheme: 'light' | 'dark',
  act: (page: Page) => Promise<void>,
) => site.visit(browser, `${GALLERY}/${name}`, { colorScheme }, act)

async function galleryPages(): Promise<string[]> {
  const files = await readdir(join(site.out, GALLERY))
  return files.filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -'.html'.length))
}

test('the docs build without errors or warnings', () => {
  assert.deepEqual(
    site.problems
      .filter(({ level }) => level !== 'hint')
      .map(({ file, line, message }) => `${file}:${line} ${message}`),
    [],
  )
})

test('every component available to authors appears on a gallery page', async () => {
  const files = (await readdir(join(DOCS, GALLERY))).filter((file) => file.endsWith('.mdx'))
  const text = (await Promise.all(files.map((file) => readFile(join(DOCS, GALLERY, file), 'utf8')))).join(
    '\n',
  )
  const missing = (await components()).filter((name) => !new RegExp(`<${name}[\\s>/]`).test(text))
  assert.deepEqual(missing, [])
})

test('pages of the documentation are valid HTML', async () => {
  const all = await readdir(site.out, { recursive: true })
  const pages = all.filter((file) => file.endsWith('.html') && !file.startsWith('_octavo')).sort()
  assert.ok(pages.length > 100)
  const gallery = pages.filter((file) => file.startsWith(GALLERY))
  const others = sampleOf(
    pages.filter((file) => !gallery.includes(file)),
    20,
  )
  const files = [...gallery, ...others].map((file) => join(site.out, file))
  assert.deepEqual(await htmlFaults(site.out, files), [])
})

browserTest('axe finds no serious violations on gallery pages in light and dark mode', async (browser) => {
  const names = await galleryPages()
  assert.ok(names.length > 25)
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const found: string[] = []
  try {
    const page = await context.newPage()
    for (const [index, name] of sampleOf(names, 3).entries()) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(site.at(`${GALLERY}/${name}`), {
        waitUntil: 'domcontentloaded',
      })
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('main details')) details.setAttribute('open', '')
        for (const list of document.querySelectorAll('main [role="tree"] ul')) list.removeAttribute('hidden')
      })
      await loadAxe(page)
      // The parts around the content are the same on every page, so they are checked once.
      const root = index === 0 ? 'html' : 'main'
      const light = await page.evaluate(serious, { root, rules: null })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.locator('html.dark').waitFor()
      // Only this rule depends on colours.
      const dark = await page.evaluate(serious, { root, rules: ['color-contrast'] })
      found.push(
        ...light.map((what) => `${name} light: ${what}`),
        ...dark.map((what) => `${name} dark: ${what}`),
      )
    }
  } finally {
    await context.close()
  }
  assert.deepEqual(found, [])
})

browserTest('a diagram zooms in, resets and opens full screen', (browser) =>
  withPage(browser, 'diagrams', 'dark', async (page) => {
    const box = page.locator('.mermaid').nth(1)
    await box.scrollIntoViewIfNeeded()
    const button = (name: string) => box.getByRole('button', { name })
    await button('Zoom in').waitFor()
    await button('Zoom in').click()
    await box.locator('.mermaid-view[data-near]').waitFor()
    await button('Reset view').click()
    await box.locator('.mermaid-view:not([data-near])').waitFor()
    await button('Full screen').click()
    const dialog = page.getByRole('dialog', { name: 'Diagram' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    // The diagram returns to the page on the `close` event of the dialog.
    await box.waitFor()
    // The code block of this diagram sets `actions={false}`.
    assert.equal(await page.locator('.mermaid').nth(2).getByRole('button').count(), 0)
  }),
)

browserTest('an interactive component works in the gallery', (browser) =>
  withPage(browser, 'islands', 'light', async (page) => {
    await page.getByRole('slider').fill('10')
    assert.match((await page.locator('o-island').first().textContent()) ?? '', /10 callers, 10 requests/)
    await page.getByRole('button', { name: /^Show what/ }).click()
    await page.getByText('Built-in components work here too.').waitFor()
  }),
)
