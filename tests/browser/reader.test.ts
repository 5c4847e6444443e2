/** Bundle pages opened from disk, used by mouse, keyboard and on small screens. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { silentLog } from '../../src/base/log.ts'
import { buildFolder } from '../../src/features/export/build-folder.ts'
import { browserTest } from '../kit/browser.ts'
import { patience } from '../kit/until.ts'

const FILES: Record<string, string> = {
  'docs.json': JSON.stringify({
    theme: 'mint',
    name: 'Acme',
    colors: { primary: '#5B5BD6' },
    banner: { content: 'New', dismissible: true },
    contextual: { options: ['copy'] },
    navigation: {
      tabs: [
        {
          tab: 'Guides',
          groups: [{ group: 'Start', pages: ['index', { group: 'Deep', pages: ['deep/inner'] }] }],
        },
        { tab: 'More', groups: [{ group: 'More', pages: ['more'] }] },
      ],
    },
  }),
  'index.mdx': `---
title: Introduction
---

<Tabs>
  <Tab title="npm">

Use npm.

  </Tab>
  <Tab title="pnpm">

### Hidden heading

Use pnpm.

  </Tab>
</Tabs>

<CodeGroup>

\`\`\`bash npm
npm install
\`\`\`

\`\`\`bash pnpm
pnpm add
\`\`\`

</CodeGroup>

<Accordion title="Is it free">

Yes.

</Accordion>

## Settlement

Money moves between ledgers.
`,
  'deep/inner.mdx': '---\ntitle: Inner\n---\n\n## Reconciliation\n\nA report is matched.\n',
  'more.mdx': '---\ntitle: More\n---\n\nWords.\n',
}

let out = ''
let folder = ''

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-reader-'))
  const source = join(folder, 'source')
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(source, path)), { recursive: true })
    await writeFile(join(source, path), text)
  }
  out = join(folder, 'out')
  await buildFolder({
    folder: source,
    out,
    deployment: 'client-hosted',
    log: silentLog,
    report() {},
    signal: patience(),
  })
})

after(() => rm(folder, { recursive: true, force: true }))

/** Opens a page. Fails on console errors. */
async function withPage(
  browser: Browser,
  path: string,
  options: BrowserContextOptions,
  act: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto(pathToFileURL(join(out, path)).href)
    await act(page)
    assert.deepEqual(errors, [])
  } finally {
    await context.close()
  }
}

/** Waits until exactly these tabs are selected, one for each group. */
async function tabsAre(page: Page, titles: readonly string[]): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      JSON.stringify(
        [...document.querySelectorAll('[role=tab][aria-selected=true]')].map((tab) => tab.textContent),
      ) === JSON.stringify(wanted),
    titles,
  )
}

/**
 * Waits until another page sees the text in localStorage. Chromium passes stored values to a newly loaded page through
 * another process, which may not have them yet.
 */
async function storageHolds(page: Page, text: string): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(pathToFileURL(join(out, 'more.html')).href)
  await other.waitForFunction(
    (wanted) => Object.values({ ...localStorage }).some((value) => value.includes(wanted)),
    text,
  )
  await other.close()
}

browserTest('arrow keys move through tabs, and groups with the same titles stay in sync', async (browser) => {
  await withPage(browser, 'index.html', {}, async (page) => {
    await page.locator('#content .tabs [role=tab]').first().focus()
    await page.keyboard.press('ArrowRight')
    await tabsAre(page, ['pnpm', 'pnpm'])
    await page.locator('text=Use pnpm.').waitFor()
    await page.locator('text=pnpm add').waitFor()
    await page.keyboard.press('Home')
    await tabsAre(page, ['npm', 'npm'])
    await page.keyboard.press('End')
    await tabsAre(page, ['pnpm', 'pnpm'])
    await storageHolds(page, 'pnpm')
    await page.reload()
    await tabsAre(page, ['pnpm', 'pnpm'])
  })
})

browserTest('a URL fragment opens the tab and the accordion that hide its target', async (browser) => {
  await withPage(browser, 'index.html', {}, async (page) => {
    await page.evaluate(() => {
      location.hash = '#hidden-heading'
    })
    await page.locator('text=Use pnpm.').waitFor()
    await page.evaluate(() => {
      location.hash = '#is-it-free'
    })
    await page.locator('text=Yes.').waitFor()
  })
})

browserTest('a URL fragment written by other slug rules reaches its target', async (browser) => {
  await withPage(browser, 'index.html', {}, async (page) => {
    await page.evaluate(() => {
      location.hash = '#HiddenHeading'
    })
    await page.locator('text=Use pnpm.').waitFor()
    await page.evaluate(() => {
      location.hash = '#is-it-(free)%3F'
    })
    await page.locator('text=Yes.').waitFor()
  })
})

browserTest('search finds a section from disk and opens it by keyboard alone', async (browser) => {
  await withPage(browser, 'deep/inner.html', {}, async (page) => {
    await page.keyboard.press('Control+k')
    await page.locator('#search-input').waitFor()
    await page.keyboard.type('ledger')
    await page.locator('[role=option] mark').first().waitFor()
    await page.keyboard.press('ArrowDown')
    const active = await page.locator('#search-input').getAttribute('aria-activedescendant')
    assert.match(String(await page.locator(`#${active}`).textContent()), /Settlement/)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/index.html#settlement')
  })
})

browserTest('Escape closes search, and an empty result is reported', async (browser) => {
  await withPage(browser, 'index.html', {}, async (page) => {
    await page.keyboard.press('/')
    await page.locator('#search-input').fill('zzzzqqqq')
    await page.locator('.search-note strong').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog.search').waitFor({ state: 'hidden' })
  })
})

browserTest('the color scheme persists across pages', async (browser) => {
  await withPage(browser, 'index.html', { colorScheme: 'light' }, async (page) => {
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
    assert.equal(await isDark(), false)
    await page.click('.theme-toggle')
    await page.click('.theme-toggle')
    assert.equal(await isDark(), true)
    await page.goto(pathToFileURL(join(out, 'more.html')).href)
    // Another process may render the next page, and reads the stored choice after the page has loaded.
    await page.locator('html.dark').waitFor({ state: 'attached' })
  })
})

browserTest('a dismissed banner stays dismissed after a reload', async (browser) => {
  await withPage(browser, 'index.html', {}, async (page) => {
    await page.click('.banner-close')
    assert.equal(await page.locator('#banner').isVisible(), false)
    await page.reload()
    assert.equal(await page.locator('#banner').isVisible(), false)
  })
})

browserTest('on a phone the navigation opens over the page and traps the focus', async (browser) => {
  await withPage(browser, 'index.html', { viewport: { width: 390, height: 844 } }, async (page) => {
    assert.equal(await page.locator('#sidebar').isVisible(), false)
    await page.click('.menu-button')
    await page.locator('#sidebar a[aria-current=page]').waitFor()
    const isInside = () =>
      page.evaluate(() => document.querySelector('#sidebar')?.contains(document.activeElement) === true)
    assert.equal(await isInside(), true)
    for (let press = 0; press < 20; press++) await page.keyboard.press('Tab')
    assert.equal(await isInside(), true)
    assert.equal(await page.locator('.mobile-nav-tabs-item').count(), 2)
    await page.keyboard.press('Escape')
    await page.locator('#sidebar').waitFor({ state: 'hidden' })
    assert.equal(await page.evaluate(() => document.activeElement?.classList.contains('menu-button')), true)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    assert.equal(overflow, 0)
  })
})

browserTest('all content is readable and reachable without JavaScript', async (browser) => {
  const options = { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }
  await withPage(browser, 'index.html', options, async (page) => {
    assert.equal(await page.locator('text=Use npm.').isVisible(), true)
    assert.equal(await page.locator('text=Use pnpm.').isVisible(), true)
    assert.equal(await page.locator('#search-bar-entry').isVisible(), false)
    await page.click('.accordion > summary')
    await page.locator('text=Yes.').waitFor()
    await page.click('.menu-button')
    await page.locator('#sidebar a[aria-current=page]').waitFor()
    await page.click('#sidebar summary')
    await page.click('#sidebar >> text=Inner')
    await page.waitForURL('**/deep/inner.html')
  })
})
