/** The insights of a project in a real browser, on a real node. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { A_MONTH, putReading, type Read } from '../analytics/reading-history.ts'
import { putRows } from '../feedback/feedback-scene.ts'
import { assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import { type InboxScene, openInboxScene } from './dashboard-inbox-scene.ts'

let inbox: InboxScene
before(async () => {
  // Nobody asks the model: without one the agent's page has no place to write.
  inbox = await openInboxScene({
    OCTAVO_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL_URL: 'http://127.0.0.1:9/v1',
  })
})
after(() => inbox[Symbol.asyncDispose]())

const database = () => inbox.scene.node.node.context.database

async function nothingIsRead(): Promise<void> {
  await database().pool.query('DELETE FROM analytics_counts')
  await database().queries.deleteFrom('feedback').execute()
}

/** Waits until all of it is counted. */
async function isRead(reads: readonly Read[]): Promise<void> {
  await nothingIsRead()
  await putReading(database().queries, inbox.projectId, reads)
  await until(async () => {
    const { rows } = await database().pool.query('SELECT FROM analytics_inbox LIMIT 1')
    return rows.length === 0
  }, 'all is counted')
}

async function isDisliked(path: string, times: number): Promise<void> {
  const vote = { source: 'thumbs_only' as const, helpful: false, path, createdAt: new Date().toISOString() }
  await putRows(
    database(),
    inbox.projectId,
    Array.from({ length: times }, () => vote),
  )
}

const row = (page: Page, table: string, name: RegExp) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row', { name })

browserTest('without a view the page says how the first comes to be', async (browser) => {
  await nothingIsRead()
  await using admin = await inbox.look(browser, 'admin')
  const { page, errors } = admin
  await page.goto(inbox.at(''))
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Insights' }).click()
  await page.getByText('No views yet').waitFor()
  const site = page.getByRole('link', { name: 'Open the site' })
  assert.match((await site.getAttribute('href')) ?? '', new RegExp(`^${inbox.scene.hosted}`))
  await page.getByRole('link', { name: 'Count in bundles' }).click()
  await page.waitForURL(/\/settings\/features$/)
  assert.deepEqual(errors, [])
})

browserTest('what to write next is the first thing, and each figure leads to its rows', async (browser) => {
  await isRead(A_MONTH)
  await isDisliked('/code', 3)
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/insights'))
  await page.getByText('Write about “single sign-on”.').waitFor()
  await page.getByRole('link', { name: /^Views\s*75/ }).click()
  await page.waitForURL(/\/insights\?show=pages$/)
  const detail = page.getByRole('region', { name: 'Detail' })
  await detail.getByRole('link', { name: /Code/ }).click()
  await page.waitForURL(/\/insights\?page=%2Fcode$/)
  await detail.getByRole('heading', { name: 'Code', exact: true }).waitFor()
  await detail.getByRole('link', { name: /news\.example\.org/ }).click()
  await page.waitForURL(/show=referrers&name=news\.example\.org$/)
  await detail.getByRole('row', { name: /Code.*40/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/insights$/)
  await page.getByRole('link', { name: /^single sign-on\s*12 searches/ }).click()
  await detail.getByRole('region', { name: 'Without a result' }).getByRole('row', { name: /12/ }).waitFor()
  await page.getByRole('link', { name: /^Code.*3 of 3 votes/ }).click()
  await page.waitForURL(/\/feedback\?path=%2Fcode&status=any&vote=down&since=30$/)
  await page.goBack()
  await page.getByText('Write about “single sign-on”.').waitFor()
  await page.getByRole('link', { name: 'Ask the agent to write about single sign-on' }).click()
  await page.waitForURL(/\/agent\?prompt=/)
  assert.match(
    await page.getByRole('textbox', { name: 'What should the agent change?' }).inputValue(),
    /single sign-on/,
  )
  assert.deepEqual(errors, [])
})

browserTest('period and readers stand in the address, and hold for what is beside', async (browser) => {
  await isRead(A_MONTH)
  await using looking = await inbox.look(browser, 'viewer')
  const { page, errors } = looking
  await page.goto(inbox.at('/insights?days=7&audience=ai'))
  await page.getByRole('link', { name: /^Views\s*10/ }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Where readers come from' }).count(), 0)
  await row(page, 'AI agents', /Claude.*10/)
    .getByRole('link')
    .click()
  await page.waitForURL(/\/insights\?days=7&audience=ai&show=agents&name=Claude$/)
  await page
    .getByRole('region', { name: 'Detail' })
    .getByRole('row', { name: /Code.*10/ })
    .waitFor()
  await page.getByRole('combobox', { name: 'Readers' }).selectOption('human')
  await page.getByRole('radio', { name: '90 days' }).click()
  await page.waitForURL(/days=90&audience=human/)
  await page.getByRole('link', { name: /^Views\s*129/ }).waitFor()
  await page.getByRole('button', { name: 'Show as a table' }).click()
  assert.equal(await page.locator('figure table').getByRole('row').count(), 91)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(inbox.at('/insights'))
  await page.getByRole('radio', { name: '365 days' }).click()
  await page.waitForURL(/days=365/)
  await page.getByRole('link', { name: /^Views\s*139/ }).waitFor()
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  assert.deepEqual(errors, [])
})

browserTest('what cannot be read is told, and asked for again', async (browser) => {
  await isRead(A_MONTH)
  await using looking = await inbox.look(browser, 'viewer')
  const { page } = looking
  await page.route('**/insights?*', (route) => route.fulfill({ status: 404, json: { error: 'Gone' } }))
  await page.goto(inbox.at('/insights'))
  const again = page.getByRole('button', { name: 'Try again' })
  await again.waitFor()
  await page.unroute('**/insights?*')
  await again.click()
  await page.getByText('What to write next').waitFor()
})

const LONG = 'very long words that go on '.repeat(12).trim()
const HOSTILE: readonly Read[] = [
  ...A_MONTH,
  { daysAgo: 2, kind: 'search', path: `/${'deep/'.repeat(80)}end`, subject: LONG, results: 0, times: 90 },
  { daysAgo: 2, path: `/${'deep/'.repeat(80)}end`, times: 5, subject: `${'a-long-label.'.repeat(15)}org` },
]

browserTest("nothing of the insights stands in anybody's way, at any width", async (browser) => {
  await isRead(HOSTILE)
  await database().pool.query('UPDATE analytics_counts SET human = human * 10000000')
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  for (const [rest, shown] of [
    ['', 'What to write next'],
    ['?show=searches', 'Searches'],
    ['?page=%2Fcode', 'Outbound links'],
  ] as const) {
    await page.goto(inbox.at(`/insights${rest}`))
    await page.getByRole('heading', { name: shown, exact: true }).last().waitFor()
    await assertAccessible(page, rest)
  }
})
