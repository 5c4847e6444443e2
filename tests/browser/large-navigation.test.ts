/** A navigation too large to include in every page: complete with JavaScript, split into sections without. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { after, before } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { browserTest } from '../kit/browser.ts'
import { writeSite } from '../kit/site.ts'
import { patience } from '../kit/until.ts'

const TYPES: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' }
const WORDS = 'a long name such as sections of a large site have, with what they are about'
const SECTIONS = ['alpha', 'beta', 'gamma', 'delta']
const pagesOf = (section: string) => [1, 2, 3, 4, 5].map((page) => `${section}/p${page}`)
const deepOf = (section: string) => [1, 2, 3].map((page) => `${section}/deep/d${page}`)
const PAGES = SECTIONS.flatMap((section) => [...pagesOf(section), ...deepOf(section)])

const SITE = Object.fromEntries([
  [
    'docs.json',
    JSON.stringify({
      theme: 'mint',
      name: 'Acme',
      colors: { primary: '#5B5BD6' },
      navigation: {
        groups: SECTIONS.map((section) => ({
          group: section,
          icon: 'rocket',
          pages: [...pagesOf(section), { group: `More ${section}`, icon: 'book', pages: deepOf(section) }],
        })),
      },
    }),
  ],
  ...PAGES.map((page) => [
    `${page}.mdx`,
    `---\ntitle: ${page} ${WORDS}\nicon: flag\n---\n\nText of ${page}.\n`,
  ]),
])

let place = ''
let out = ''
before(async () => {
  place = await mkdtemp(join(tmpdir(), 'octavo-navigation-'))
  out = join(place, 'out')
  await writeSite(join(place, 'site'), SITE)
  await buildFolder({
    folder: join(place, 'site'),
    out,
    deployment: 'client-hosted',
    log: silentLog,
    report: () => {},
    signal: patience(),
  })
})
after(() => rm(place, { recursive: true, force: true }))

async function withPage(
  browser: Browser,
  options: BrowserContextOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    await act(page)
    assert.deepEqual(errors, [])
  } finally {
    await context.close()
  }
}

const list = (page: Page) =>
  page.evaluate(() => ({
    links: [...document.querySelectorAll<HTMLAnchorElement>('.sidebar-nav a')].map(({ href }) => href),
    icons: document.querySelectorAll('.sidebar-nav svg').length,
    current: [...document.querySelectorAll('.sidebar-nav [aria-current]')].map((link) => link.textContent),
    open: [...document.querySelectorAll('.sidebar-nav details[open]')].map(
      (group) => group.querySelector('summary')?.textContent,
    ),
    marks: document.querySelectorAll('.sidebar-nav [data-slot], [data-slots]').length,
  }))

async function seesAll(page: Page, root: string, route: string): Promise<void> {
  await page.goto(`${root}/${route}.html`)
  assert.deepEqual(await list(page), {
    links: PAGES.map((one) => `${root}/${one}.html`),
    icons: PAGES.length + 2 * SECTIONS.length,
    current: [`${route} ${WORDS}`],
    open: route.includes('/deep/') ? [`More ${route.split('/', 1)[0]}`] : [],
    marks: 0,
  })
  // The current entry is scrolled into view, possibly only once the heights of groups are known.
  await page.waitForFunction(() => {
    const box = document.querySelector('#sidebar-content')?.getBoundingClientRect()
    const entry = document.querySelector('.sidebar-nav [aria-current]')?.getBoundingClientRect()
    return box && entry && entry.top >= box.top && entry.bottom <= box.bottom
  })
}

browserTest(
  'with JavaScript the navigation is complete, from disk and below any path of a host',
  async (browser) => {
    const [file = '', ...others] = globSync('_octavo/navigation.*.js', { cwd: out })
    assert.deepEqual(others, [])
    assert.ok(Object.hasOwn(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')).files, file))
    await withPage(browser, {}, async (page) => {
      for (const route of ['alpha/p1', 'delta/deep/d3']) await seesAll(page, pathToFileURL(out).href, route)
    })
    const server = createServer(async (request, response) => {
      const path = request.url?.replace(/^\/a\/b\//, '') ?? ''
      const content = await readFile(join(out, path)).catch(() => null)
      response.writeHead(content ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'text/plain' })
      response.end(content)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/b`
      await withPage(browser, {}, async (page) => {
        const painted: boolean[] = []
        await page.route('**/navigation.*.js', async (route) => {
          painted.push(await page.evaluate(() => document.body !== null))
          await route.continue()
        })
        await seesAll(page, root, 'gamma/deep/d2')
        assert.deepEqual(painted, [false], 'nothing is painted before the list is there, so nothing moves')
      })
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
)

browserTest('on a phone the drawer contains the whole navigation', async (browser) => {
  await withPage(browser, { viewport: { width: 390, height: 844 } }, async (page) => {
    await page.goto(pathToFileURL(join(out, 'beta/p2.html')).href)
    await page.click('.menu-button')
    await page.locator('#sidebar a[aria-current=page]').waitFor()
    await page.click('#sidebar summary >> text=More delta')
    await page.click('#sidebar >> text=delta/deep/d2')
    await page.waitForURL('**/delta/deep/d2.html')
  })
})

browserTest('without JavaScript every page is reachable through its section', async (browser) => {
  await withPage(browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(pathToFileURL(join(out, 'alpha/p2.html')).href)
    const texts = await page.locator('.sidebar-nav a').allTextContents()
    assert.deepEqual(texts, [
      ...pagesOf('alpha').map((one) => `${one} ${WORDS}`),
      'More alpha',
      'beta',
      'gamma',
      'delta',
    ])
    assert.equal(await page.locator('.sidebar-nav [aria-current]').textContent(), `alpha/p2 ${WORDS}`)
    await page.click('.sidebar-nav >> text=delta')
    await page.waitForURL('**/delta/p1.html')
    await page.click('.sidebar-nav >> text=More delta')
    await page.waitForURL('**/delta/deep/d1.html')
    assert.equal(await page.locator('.sidebar-nav >> text=delta/deep/d3').isVisible(), true)
  })
})

browserTest('the navigation keeps its scroll position on the next page', async (browser) => {
  const topOf = (page: Page, text: string) =>
    page
      .locator('.sidebar-nav a', { hasText: text })
      .evaluate((link) => Math.round(link.getBoundingClientRect().top))
  await withPage(browser, { viewport: { width: 1280, height: 500 } }, async (page) => {
    await page.goto(pathToFileURL(join(out, 'alpha/p1.html')).href)
    const entry = page.locator('.sidebar-nav a', { hasText: `gamma/p3 ${WORDS}` })
    await entry.scrollIntoViewIfNeeded()
    const before = await topOf(page, `gamma/p2 ${WORDS}`)
    await entry.click()
    await page.waitForURL('**/gamma/p3.html')
    const after = await topOf(page, `gamma/p2 ${WORDS}`)
    assert.ok(Math.abs(after - before) <= 2, `${before} became ${after}`)
  })
})
