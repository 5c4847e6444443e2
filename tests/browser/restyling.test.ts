/** The cost of a page update depends on the size of the update, not on the length of the page. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { browserTest } from '../kit/browser.ts'
import { type BuiltSite, buildSite } from '../kit/built-site.ts'
import { writeSite } from '../kit/site.ts'

const PARAGRAPHS = 2000
const GROUPS = 100
const PAGES_OF_GROUP = 12

let folder: string
let site: BuiltSite
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'octavo-restyling-'))
  const words = Array.from({ length: PARAGRAPHS }, (_, index) => `Paragraph ${index} of it.`)
  await writeSite(folder, {
    'docs.json': JSON.stringify({
      ...{ theme: 'mint', name: 'Acme', colors: { primary: '#5B5BD6' } },
      navigation: {
        tabs: [
          { tab: 'Text', pages: ['index', 'other'] },
          { tab: 'Many', groups: Array.from({ length: GROUPS }, (_, group) => groupOf(group)) },
        ],
      },
    }),
    'index.mdx': `---\ntitle: Long\n---\n\n## Part\n\n${words.join('\n\n')}\n`,
    'other.mdx': '---\ntitle: Other\n---\n\nWords.\n',
    ...Object.fromEntries(
      Array.from({ length: GROUPS }, (_, group) => groupOf(group).pages)
        .flat()
        .map((path) => [`${path}.mdx`, `---\ntitle: Entry ${path}\n---\n\nWords.\n`]),
    ),
  })
  site = await buildSite(folder, 'client-hosted')
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

function groupOf(group: number) {
  const pages = Array.from({ length: PAGES_OF_GROUP }, (_, page) => `many/g${group}-p${page}`)
  return { group: `Group ${group}`, pages }
}

interface TraceEvent {
  name: string
  args?: { elementCount?: number }
}

/** Returns the largest number of elements restyled at once during `work`. */
async function mostRestyled(session: CDPSession, work: () => Promise<unknown>): Promise<number> {
  let most = 0
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, args } of value as unknown as TraceEvent[])
      if (name === 'UpdateLayoutTree') most = Math.max(most, args?.elementCount ?? 0)
  })
  const traceConfig = { includedCategories: ['devtools.timeline'] }
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig })
  await work()
  const ended = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await ended
  return most
}

browserTest('adding or removing an element does not restyle a long page', async (browser) => {
  await site.visit(browser, 'index', {}, async (page) => {
    const session = await page.context().newCDPSession(page)
    const all = await mostRestyled(session, () =>
      page.evaluate(() => {
        document.documentElement.style.fontSize = '17px'
        document.body.getBoundingClientRect()
      }),
    )
    assert.ok(all > PARAGRAPHS, `all of the page are ${all}`)
    const few = await mostRestyled(session, () =>
      page.evaluate(() => {
        for (const place of [document.body, document.querySelector('#content') as Element]) {
          const added = place.appendChild(document.createElement('div'))
          document.body.getBoundingClientRect()
          added.remove()
          document.body.getBoundingClientRect()
        }
      }),
    )
    assert.ok(few < 200, `${few} elements`)
  })
})

browserTest('opening search does not restyle a long page', async (browser) => {
  await site.visit(browser, 'index', {}, async (page) => {
    const session = await page.context().newCDPSession(page)
    const most = await mostRestyled(session, async () => {
      await page.keyboard.press('/')
      await page.locator('#search-input').waitFor()
      await page.keyboard.type('other')
      await page.locator('.search-page').first().waitFor()
      await page.keyboard.press('Escape')
      await page.locator('dialog.search').waitFor({ state: 'hidden' })
    })
    assert.ok(most < 500, `${most} elements`)
  })
})

browserTest('loading a page does not style a long navigation as a whole', async (browser) => {
  await site.visit(browser, 'other', {}, async (page) => {
    const session = await page.context().newCDPSession(page)
    const most = await mostRestyled(session, () => page.goto(site.at('many/g50-p5')))
    const entries = await page.locator('.sidebar-nav a').count()
    assert.equal(entries, GROUPS * PAGES_OF_GROUP)
    assert.ok(most < entries, `${most} elements for ${entries} entries`)
  })
})
