/** The overview of a project in a real browser, on a real node. */
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { Request } from 'playwright-core'
import { assertAccessible, COLOR_RULES, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import { type InboxScene, openInboxScene } from './dashboard-inbox-scene.ts'

let inbox: InboxScene
before(async () => {
  inbox = await openInboxScene()
})
after(() => inbox[Symbol.asyncDispose]())
beforeEach(() => inbox.clear())

browserTest('each figure leads to what it counts', async (browser) => {
  await inbox.fill(100)
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at(''))
  await page.getByRole('link', { name: /Open\s*100/ }).waitFor()
  await page.getByText('Pages that helped least').waitFor()
  await assertAccessible(page)
  // Of 100 entries 77 have a vote: 36 of them are for the page.
  await page.getByRole('link', { name: /^Helpful\s*\d+%/ }).waitFor()
  await page.getByRole('link', { name: /^Feedback, 30 days\s*100/ }).click()
  await page.waitForURL(/\/feedback\?status=any&source=any&since=30$/)
  await page.locator('[data-row]').first().waitFor()
  await page.goBack()
  await page
    .getByRole('row', { name: /Introduction/ })
    .getByRole('link', { name: /Introduction/ })
    .click()
  await page.waitForURL(/\/feedback\?path=%2F&status=any&source=any&since=30$/)
  assert.deepEqual(errors, [])
})

browserTest('the period stands in the address, and the days as a table behind a button', async (browser) => {
  await inbox.fill(100)
  await using looking = await inbox.look(browser, 'viewer')
  const { page } = looking
  await page.goto(inbox.at('?days=7'))
  await page.getByRole('radio', { name: '7 days', checked: true }).waitFor()
  // The day of today is not over: its figures stand apart from the lines.
  await page.getByRole('img', { name: /The last day is not over\.$/ }).waitFor()
  await page.getByText('Today so far').waitFor()
  await page.getByRole('button', { name: 'Show as a table' }).click()
  const days = page.getByRole('table', { name: 'Each day' }).or(page.locator('figure table'))
  assert.equal(await days.getByRole('row').count(), 8)
  assert.equal(await days.getByRole('rowheader', { name: /, so far$/ }).count(), 1)
  const figures = await days.getByRole('cell').allTextContents()
  assert.equal(
    figures.reduce((sum, figure) => sum + Number(figure), 0),
    100,
  )
  await page.getByRole('radio', { name: '90 days' }).click()
  await page.waitForURL(/\?days=90$/)
  await page.getByText('Feedback, 90 days').waitFor()
})

browserTest('the other pages of the project are there before one goes to them', async (browser) => {
  await inbox.fill(30)
  await using looking = await inbox.look(browser, 'editor')
  const { page, context } = looking
  const unfinished = new Set<Request>()
  const isStream = (request: Request) => request.url().endsWith('/events')
  page.on('request', (request) => {
    if (!isStream(request)) unfinished.add(request)
  })
  page.on('requestfinished', (request) => unfinished.delete(request))
  page.on('requestfailed', (request) => unfinished.delete(request))
  const last = page.waitForRequest(/settings-page/)
  await page.goto(inbox.at(''))
  await page.getByRole('link', { name: /^Open\s*30/ }).waitFor()
  await last
  await until(async () => unfinished.size === 0, 'all is fetched')
  await context.setOffline(true)
  const places = page.getByRole('navigation', { name: 'Pages' })
  const goTo = async (name: string) => {
    await places.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  await goTo('Feedback')
  await page.locator('[data-row]').first().waitFor()
  await goTo('Exports')
  await page.getByText('No export yet').waitFor()
  await goTo('Site')
  await page.getByText('Problems of the content').waitFor()
  await goTo('Settings')
})

browserTest('a long comment shows its beginning, and all of it when asked', async (browser) => {
  await inbox.arrive(`It fails: ${'at line '.repeat(300)}the end.`)
  await using looking = await inbox.look(browser, 'viewer')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await page.locator('[data-row]').first().getByRole('link').click()
  const said = page.getByRole('article', { name: 'Feedback' })
  const height = async () => (await said.boundingBox())?.height ?? 0
  await said.getByRole('button', { name: 'Show all' }).waitFor()
  const folded = await height()
  await said.getByRole('button', { name: 'Show all' }).click()
  await said.getByRole('button', { name: 'Show less', expanded: true }).waitFor()
  assert.ok((await height()) > folded + 20)
})

browserTest('what happens shows by itself', async (browser) => {
  await inbox.fill(3)
  await using looking = await inbox.look(browser, 'viewer')
  const { page, errors } = looking
  await page.goto(inbox.at(''))
  await page.getByRole('link', { name: /^Open\s*3\s/ }).waitFor()
  await inbox.arrive('One more')
  await page.getByRole('link', { name: /^Open\s*4\s/ }).waitFor()
  assert.deepEqual(errors, [])
})

browserTest('without feedback the page says how the first comes to be', async (browser) => {
  await using admin = await inbox.look(browser, 'admin')
  await admin.page.goto(inbox.at(''))
  await admin.page.getByText('No feedback yet').waitFor()
  const site = admin.page.getByRole('link', { name: 'Open the site and vote' })
  assert.match((await site.getAttribute('href')) ?? '', new RegExp(`^${inbox.scene.hosted}`))
  await admin.page.getByRole('link', { name: 'Feedback widgets' }).waitFor()
  await admin.page.getByRole('link', { name: 'Ask the agent for a change' }).waitFor()

  await using viewer = await inbox.look(browser, 'viewer')
  await viewer.page.goto(inbox.at(''))
  await viewer.page.getByText('No feedback yet').waitFor()
  assert.equal(await viewer.page.getByRole('link', { name: 'Feedback widgets' }).count(), 0)
  assert.equal(await viewer.page.getByRole('link', { name: 'Ask the agent for a change' }).count(), 0)
})

browserTest(
  'the dashboard speaks what the browser asks for, until another language is chosen',
  async (browser) => {
    await inbox.fill(1200)
    await using looking = await inbox.look(browser, 'viewer', { locale: 'fr-CA' })
    const { page, errors } = looking
    const language = () => page.evaluate(() => document.documentElement.lang)
    await page.goto(inbox.at(''))
    // Figures are written as French writes them: a narrow space that does not break.
    await page.getByText('1\u202f200', { exact: true }).first().waitFor()
    assert.equal(await language(), 'fr')
    assert.deepEqual(await seriousFaults(page, COLOR_RULES), [])
    const account = new URL('/account', inbox.at('')).href
    await page.goto(account)
    await page.getByRole('heading', { name: 'Votre compte' }).waitFor()
    await page.getByRole('combobox', { name: 'Langue' }).selectOption({ label: '日本語' })
    await page.getByRole('heading', { name: '自分のアカウント' }).waitFor()
    assert.equal(await language(), 'ja')
    await page.reload()
    await page.getByRole('combobox', { name: '言語' }).selectOption({ value: 'browser' })
    await page.getByRole('heading', { name: 'Votre compte' }).waitFor()
    assert.deepEqual(errors, [])
  },
)

browserTest('the first steps are listed until they are done or hidden', async (browser) => {
  await using admin = await inbox.look(browser, 'admin')
  const { page, errors } = admin
  await page.goto(inbox.at(''))
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByRole('link', { name: 'Ask readers' }).waitFor()
  // The scene has a project of its own and several members.
  assert.equal((await steps.getByText('Done').count()) >= 2, true)
  assert.deepEqual(await seriousFaults(page), [])
  await steps.getByRole('button', { name: 'Hide' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('No feedback yet').waitFor()
  assert.equal(await steps.count(), 0)
  assert.deepEqual(errors, [])
})
