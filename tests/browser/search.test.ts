/** Search in a bundle opened from disk: versions, languages and a split index. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { browserTest } from '../kit/browser.ts'
import { patience } from '../kit/until.ts'

const WORDS = 'ledger amount report match balance period closing entry account transfer window cutoff'.split(
  ' ',
)
const MANY = Array.from({ length: 60 }, (_, number) => `v2/many/page-${number}`)
const LONG = `Settlement ${'of amounts between ledgers '.repeat(8)}end`

const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    navigation: {
      languages: [
        {
          language: 'en',
          versions: [
            {
              version: 'v2',
              default: true,
              groups: [{ group: 'Start', pages: ['v2/start', 'v2/limits', 'v2/long', ...MANY] }],
            },
            { version: 'v1', groups: [{ group: 'Start', pages: ['v1/limits', 'v1/plugins'] }] },
          ],
        },
        { language: 'de', groups: [{ group: 'Anfang', pages: ['de/limits'] }] },
      ],
    },
  }),
  'v2/start.mdx': '---\ntitle: Start\n---\n\n## Back up the data\n\nA copy every night.\n',
  'v2/limits.mdx': '---\ntitle: Rate limits\n---\n\nA hundred requests a second.\n',
  'v2/long.mdx': `---\ntitle: "${LONG}"\n---\n\nWords.\n`,
  'v1/limits.mdx': '---\ntitle: Rate limits\n---\n\nTen requests a second.\n',
  'v1/plugins.mdx': '---\ntitle: Plugin hooks\n---\n\nThey are gone in the next version.\n',
  'de/limits.mdx': '---\ntitle: Grenzen\n---\n\nHundert Anfragen je Sekunde.\n',
  ...Object.fromEntries(MANY.map((path, number) => [`${path}.mdx`, pageOf(number)])),
}

let folder = ''
let out = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-search-'))
  const source = join(folder, 'source')
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(source, path)), { recursive: true })
    await writeFile(join(source, path), text)
  }
  out = join(folder, 'out')
  await buildFolder({
    folder: source,
    out,
    deployment: 'air-gapped',
    features: { search: 'bundled' },
    log: silentLog,
    report() {},
    signal: patience(),
  })
})
after(() => rm(folder, { recursive: true, force: true }))

browserTest('an index of many parts answers from disk and loads few of them', async (browser) => {
  await using search = await openSearch(browser, 'v2/start.html')
  const parts = globSync('_octavo/search/en/*.js', { cwd: out })
  assert.ok(parts.length > 20, String(parts.length))
  assert.deepEqual(await search.ask('unique41'), ['Page 41'])
  const loaded = await search.page.locator('script[src*="/_octavo/search/"]').count()
  assert.ok(loaded > 0 && loaded <= 4, String(loaded))
  assert.equal((await search.ask('backup'))[0], 'Start')
  assert.equal(await search.page.locator('.search-section mark').allTextContents().then(String), 'Back,up')
  await search.page.keyboard.press('ArrowDown')
  await search.page.keyboard.press('Enter')
  await search.page.waitForURL('**/v2/start.html#back-up-the-data')
})

browserTest(
  'results of another version show its name, and a page in both versions is listed once',
  async (browser) => {
    await using search = await openSearch(browser, 'v2/start.html')
    assert.deepEqual(await search.ask('rate limits second'), ['Rate limits'])
    assert.deepEqual(await search.ask('plugin hooks'), ['Plugin hooks'])
    assert.equal(await search.page.locator('.search-option-label').textContent(), 'v1')
  },
)

browserTest('results that exist only in another language show its name', async (browser) => {
  await using search = await openSearch(browser, 'de/limits.html')
  assert.deepEqual(await search.ask('anfrage'), ['Grenzen'])
  assert.equal(await search.page.locator('.search-option-label').count(), 0)
  assert.equal((await search.ask('backup'))[0], 'Start')
  assert.equal(await search.page.locator('.search-option-label').first().textContent(), 'Englisch')
})

browserTest('an empty result suggests similar words, which are searched for when chosen', async (browser) => {
  await using search = await openSearch(browser, 'v2/start.html')
  await search.ask('reqwwwwsts')
  await search.page.locator('.search-note strong').waitFor()
  assert.equal(await search.page.locator('.search-option').first().textContent(), 'requests')
  await search.page.keyboard.press('Enter')
  await search.page.locator('.search-page').first().waitFor()
  assert.equal(await search.page.locator('#search-input').inputValue(), 'requests')
})

browserTest('focus stays in the search dialog until it closes and then returns', async (browser) => {
  await using search = await openSearch(browser, 'v2/start.html')
  const { page } = search
  await page.keyboard.press('Escape')
  await page.locator('.search-screen').waitFor({ state: 'hidden' })
  await page.locator('#search-bar-entry').focus()
  await page.keyboard.press('Enter')
  await page.locator('#search-input').waitFor()
  await search.ask('backup')
  const isInside = () => document.querySelector('dialog.search')?.contains(document.activeElement) === true
  const stops = await page.locator('dialog.search :is(a, button, input)').count()
  for (const key of ['Tab', 'Shift+Tab'])
    for (let count = 0; count <= stops; count++) {
      await page.keyboard.press(key)
      assert.ok(await page.evaluate(isInside), `${key} ${count}`)
    }
  await page.evaluate(() => document.querySelector<HTMLElement>('#content a')?.focus())
  assert.ok(await page.evaluate(isInside), 'a script moves the focus')
  await page.mouse.click(10, 400)
  await page.locator('.search-screen').waitFor({ state: 'hidden' })
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'search-bar-entry')
})

browserTest('long titles do not overflow the search dialog on a phone', async (browser) => {
  await using search = await openSearch(browser, 'v2/start.html', { width: 360, height: 700 })
  await search.ask('settlement')
  const isWithin = () => {
    const dialog = document.querySelector('dialog.search') as HTMLElement
    return dialog.scrollWidth <= dialog.clientWidth && document.documentElement.scrollWidth <= innerWidth
  }
  assert.ok(await search.page.evaluate(isWithin))
})

async function openSearch(browser: Browser, path: string, viewport = { width: 1280, height: 800 }) {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.goto(pathToFileURL(join(out, path)).href)
  await page.keyboard.press('/')
  await page.locator('#search-input').waitFor()
  return {
    page,
    /** Returns the titles of the search results. */
    ask: (query: string) => ask(page, query),
    [Symbol.asyncDispose]: async () => {
      await context.close()
      assert.deepEqual(errors, [])
    },
  }
}

async function ask(page: Page, query: string): Promise<string[]> {
  await page.locator('#search-results').evaluate((list) => list.replaceChildren())
  await page.locator('.search-note').evaluate((note) => note.replaceChildren())
  await page.locator('#search-input').fill(query)
  await page.locator('.search-page, .search-note strong').first().waitFor()
  return page.locator('.search-page .search-option-title').allTextContents()
}

function pageOf(number: number): string {
  const sentences = Array.from({ length: 100 }, (_, line) =>
    Array.from({ length: 9 }, (_, word) => WORDS[(number * 7 + line * 5 + word * word) % WORDS.length]).join(
      ' ',
    ),
  )
  return `---\ntitle: Page ${number}\n---\n\n${sentences.join('.\n\n')}.\n\nOnly here: unique${number}.\n`
}
