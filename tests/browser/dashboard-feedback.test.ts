/**
 * Tests feedback in the dashboard, with concurrent users, many entries, hostile text and a phone.
 * OCTAVO_FAULT_ROUNDS above 1 uses 100,000 entries and 500 hostile texts.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { CompiledQuery } from 'kysely'
import type { Page, Request } from 'playwright-core'
import { allFaultsInBothSchemes, assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { HIT, injectionPayloads } from '../kit/payloads.ts'
import { until } from '../kit/until.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'
import { detail, type InboxScene, idOf, openInboxScene, row } from './dashboard-inbox-scene.ts'

const MANY = IS_WHOLE ? 100_000 : 600
const HOSTILE = IS_WHOLE ? 500 : 40
const MANY_WRITTEN = MANY.toLocaleString('en')
/** Maximum number of rows in the DOM: those on the screen and some beyond its edges. */
const MOST_ROWS = 80

let inbox: InboxScene
before(async () => {
  inbox = await openInboxScene()
})
after(() => inbox[Symbol.asyncDispose]())
beforeEach(() => inbox.clear())

const JOB = `aj_${'7'.padStart(26, '0')}`
const statusOf = async (number: number) =>
  (await inbox.scene.node.client.getFeedback(inbox.projectId, idOf(number))).status

const numbered = (page: Page, number: number) =>
  page.locator('[data-row]').filter({ hasText: new RegExp(`Entry number ${number}(?!\\d)`) })

/** Closes all notifications, which have too little contrast while they fade in. */
async function closeToasts(page: Page): Promise<void> {
  const close = page.getByRole('list', { name: 'Notifications' }).getByRole('button', { name: 'Close' })
  while ((await close.count()) > 0) await close.last().click()
}

browserTest('an entry opens beside the list with its page and its code block', async (browser) => {
  await inbox.fill(30)
  await inbox.scene.node.node.context.database.queries
    .insertInto('feedback_changes')
    .values({
      feedback_id: idOf(10),
      actor: 'agent:aj_01',
      from_status: 'in_progress',
      to_status: 'pending',
      note: `Agent job ${JOB} did not answer it.`,
    })
    .execute()
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 10').getByRole('link').click()
  await detail(page).getByText('Entry number 10').waitFor()
  assert.match(page.url(), new RegExp(`entry=${idOf(10)}$`))
  await detail(page).getByText('src/client.ts').first().waitFor()
  assert.match((await detail(page).textContent()) ?? '', /const a = '<b>'/)
  const job = detail(page).getByRole('link', { name: 'An agent job' })
  assert.equal(await job.getAttribute('href'), `/p/${inbox.projectId}/agent/aj_01`)
  const named = detail(page).getByText('Agent job …000007 did not answer it.').getByRole('link')
  assert.equal(await named.getAttribute('href'), `/p/${inbox.projectId}/agent/${JOB}`)
  const link = detail(page).getByRole('link', { name: 'Open the page' })
  assert.equal(await link.getAttribute('href'), `${inbox.scene.hosted}/code`)
  await detail(page).getByRole('button', { name: 'Read its text here' }).click()
  await detail(page).getByRole('region', { name: 'Text of the page' }).getByText('plain words').waitFor()
  await page.reload()
  await detail(page).getByText('Entry number 10').waitFor()
  await page.keyboard.press('Escape')
  await detail(page).waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).search, '')

  await row(page, 'Entry number 7').first().getByRole('link').click()
  await detail(page).getByText('It is untrusted').waitFor()
  await inbox.arrive(`It fails: ${'at line '.repeat(300)}the end.`)
  await page.goto(inbox.at('/feedback'))
  await row(page, 'It fails').getByRole('link').click()
  const said = page.getByRole('article', { name: 'Feedback' })
  const height = async () => (await said.boundingBox())?.height ?? 0
  await said.getByRole('button', { name: 'Show all' }).waitFor()
  const folded = await height()
  await said.getByRole('button', { name: 'Show all' }).click()
  await said.getByRole('button', { name: 'Show less', expanded: true }).waitFor()
  assert.ok((await height()) > folded + 20)

  assert.deepEqual(errors, [])

  // Click the row element directly: the list may already know that the entry was deleted.
  const stale = await row(page, 'Entry number 2').first().getByRole('link').elementHandle()
  await inbox.scene.node.node.context.database.queries
    .deleteFrom('feedback')
    .where('id', '=', idOf(2))
    .execute()
  await stale?.evaluate((element) => (element as HTMLElement).click())
  await page.getByText('This entry no longer exists').waitFor()
  assert.equal(
    await row(page, 'Entry number 2')
      .filter({ hasNotText: /number 2\d/ })
      .count(),
    0,
  )
})

browserTest('triages feedback by keyboard', async (browser) => {
  await inbox.fill(30)
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 1').first().waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await detail(page).getByText('Entry number 2').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('dialog').getByRole('button', { name: 'Resolved' }).waitFor()
  await page.keyboard.press('3')
  await detail(page).getByText('Entry number 3').waitFor()
  await until(async () => (await statusOf(2)) === 'resolved', 'number 2 is resolved')
  assert.equal(
    await row(page, 'Entry number 2')
      .filter({ hasNotText: /number 2\d/ })
      .count(),
    0,
  )

  await page.keyboard.press('n')
  await page.keyboard.type('Looked at by nobody')
  await page.keyboard.press('Control+Enter')
  await detail(page).getByText('left a note').waitFor()
  const noted = async () =>
    (await inbox.scene.node.client.getFeedback(inbox.projectId, idOf(3))).history.at(-1)?.note
  await until(async () => (await noted()) === 'Looked at by nobody', 'the note is saved')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await detail(page).waitFor({ state: 'detached' })

  await page.keyboard.press('x')
  await page.keyboard.press('Shift+J')
  await page.keyboard.press('Shift+J')
  await page.getByText('3 selected').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('d')
  await page.getByText('3 entries dismissed').waitFor()
  for (const number of [3, 4, 5])
    await until(async () => (await statusOf(number)) === 'dismissed', 'dismissed')
  assert.equal(await statusOf(6), 'pending')
  const marked = page.locator('[data-row]:has(> [data-row-link][tabindex="0"])')
  await until(
    async () => (await marked.getAttribute('data-row')) === idOf(6),
    'the mark is on the entry behind those that have left',
  )

  await page.getByLabel('Select: Entry number 1', { exact: true }).check()
  await page.getByLabel('Select: Entry number 6', { exact: true }).check()
  await page.getByRole('link', { name: 'Start agent job' }).click()
  await page.waitForURL(/\/agent\?feedback=/)
  assert.equal(new URL(page.url()).searchParams.get('feedback'), `${idOf(1)},${idOf(6)}`)
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 1').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('h')
  await page.waitForURL(/\/agent\?feedback=/)
  assert.equal(new URL(page.url()).searchParams.get('feedback'), idOf(1))
  assert.deepEqual(errors, [])
})

browserTest('undoing a bulk change restores the previous status of each entry', async (browser) => {
  await inbox.fill(250)
  const { client } = inbox.scene.node
  await client.updateFeedback(inbox.projectId, idOf(7), { status: 'in_progress' })
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 1').first().waitFor()
  await page.keyboard.press('Control+a')
  await page.getByText('250 selected').waitFor()
  await page.getByRole('button', { name: 'Resolved' }).click()
  await page.getByRole('dialog').getByText('Set 250 entries to resolved?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Set 250 entries' }).click()
  await page.getByText('250 entries resolved').waitFor()
  await page.getByText('All done').waitFor()
  assert.equal(await statusOf(250), 'resolved')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('250 changes undone').waitFor()
  assert.equal(await statusOf(7), 'in_progress')
  assert.equal(await statusOf(250), 'pending')
  await row(page, 'Entry number 1').first().waitFor()
})

browserTest('filters are stored in the URL, and can be saved and shared as a view', async (browser) => {
  await inbox.fill(100)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await page.getByRole('button', { name: 'Source: With comments' }).click()
  const sources = page.getByRole('group', { name: 'Source' })
  await sources.getByLabel(/^Code note\s+10$/).waitFor()
  await page.keyboard.press('Space') // Page comments, the first, are selected no more.
  await sources.getByLabel(/^AI agent/).uncheck()
  await until(async () => (await page.locator('[data-row]').count()) === 10, 'ten notes on code')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Export' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'JSON lines' }).click()
  const download = await coming
  assert.match(download.suggestedFilename(), /^feedback-\d{4}-\d\d-\d\d\.jsonl$/)
  const lines = Buffer.concat(await (await download.createReadStream()).toArray())
    .toString()
    .trim()
    .split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).comment),
    Array.from({ length: 10 }, (_, index) => `Entry number ${10 * (index + 1)}`),
  )
  await page.keyboard.press('/')
  await page.keyboard.type('number 40')
  await until(async () => (await page.locator('[data-row]').count()) === 1, 'the one with these words')
  assert.deepEqual(await page.locator('[data-row] mark').allTextContents(), ['number 40'])
  assert.equal(new URL(page.url()).search, '?source=code_snippet&q=number+40')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save these filters…' }).click()
  await page.getByLabel('Name').fill('Forty')
  await page.getByLabel('Share it with everyone').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('View “Forty” saved').waitFor()

  await using other = await inbox.look(browser, 'viewer')
  await other.page.goto(inbox.at('/feedback?vote=up'))
  await row(other.page, 'Entry number 2').first().waitFor()
  await other.page.getByRole('button', { name: 'Views' }).click()
  await other.page.getByRole('menuitemradio', { name: 'Forty' }).click()
  await row(other.page, 'Entry number 40').waitFor()
  await other.page.goBack()
  await row(other.page, 'Entry number 2').first().waitFor()
  assert.match(other.page.url(), /\?vote=up$/)
})

browserTest(
  'changes by one user appear to another, and new entries do not move the list',
  async (browser) => {
    await inbox.fill(30)
    await using first = await inbox.look(browser, 'editor')
    await using second = await inbox.look(browser, 'editor')
    for (const { page } of [first, second]) {
      await page.goto(inbox.at('/feedback'))
      await row(page, 'Entry number 1').first().waitFor()
    }
    await inbox.arrive('Just now somebody said this')
    for (const { page } of [first, second]) {
      await page.getByRole('button', { name: '1 new' }).waitFor()
      assert.equal(await row(page, 'Just now somebody said this').count(), 0)
    }
    await first.page.getByRole('button', { name: '1 new' }).click()
    await row(first.page, 'Just now somebody said this').waitFor()

    await second.page.keyboard.press('j')
    await second.page.keyboard.press('s')
    await second.page.getByRole('dialog').waitFor()
    await second.page.keyboard.press('3')
    await second.page.getByText('1 entry resolved').waitFor()
    await row(first.page, 'Entry number 1')
      .filter({ hasNotText: /number 1\d/ })
      .waitFor({ state: 'detached' })
    await row(first.page, 'Entry number 2').first().waitFor()
    assert.deepEqual([...first.errors, ...second.errors], [])
  },
)

browserTest('reverts a change that is made offline or refused, and shows why', async (browser) => {
  await inbox.fill(10)
  await using looking = await inbox.look(browser, 'editor')
  const { page, context } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 1').first().waitFor()
  const resolve = async () => {
    await page.keyboard.press('s')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('3')
  }
  await page.keyboard.press('j')
  await context.setOffline(true)
  await resolve()
  await page.getByText('Nothing was changed').waitFor()
  await row(page, 'Entry number 1').first().waitFor()
  await inbox.arrive('Said while nobody was there')
  await context.setOffline(false)
  await page.getByRole('button', { name: '1 new' }).waitFor()
  assert.equal(await statusOf(1), 'pending')

  await inbox.scene.node.node.context.database.queries
    .updateTable('members')
    .set({ role: 'viewer' })
    .where('user_id', '=', looking.userId)
    .execute()
  await resolve()
  await page.getByText('The status was not changed').waitFor()
  await page.getByText('Your role does not allow this').waitFor()
  await row(page, 'Entry number 1').first().waitFor()
  assert.equal(await statusOf(1), 'pending')
})

browserTest(
  'an empty inbox shows first steps, and one without matches offers to clear the filters',
  async (browser) => {
    await using looking = await inbox.look(browser, 'owner')
    const { page } = looking
    await page.goto(inbox.at('/feedback'))
    await page.getByText('No feedback yet').waitFor()
    await page.getByRole('link', { name: 'Feedback widgets' }).waitFor()
    // An empty inbox has nothing to search, filter or export.
    const search = page.getByRole('searchbox', { name: 'Search in feedback' })
    await search.waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'Export' }).count(), 0)
    await inbox.fill(5)
    await page.goto(inbox.at('/feedback?q=no+such+words'))
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await row(page, 'Entry number 5').waitFor()
    await search.waitFor()
  },
)

browserTest('groups duplicate feedback and sets the status of all duplicates at once', async (browser) => {
  await inbox.fill(30)
  const { queries } = inbox.scene.node.node.context.database
  await queries
    .updateTable('feedback')
    .set({ comment: 'The same words' })
    .where('source', '=', 'agent')
    .execute()
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await page.getByRole('button', { name: 'Duplicates' }).click()
  const group = page.getByRole('listitem').filter({ hasText: 'The same words' })
  await group.getByText('4 times:').waitFor()
  await group.getByRole('link').click()
  await detail(page).getByText('3 other entries on this page say the same.').waitFor()
  await detail(page).getByRole('button', { name: 'Set the status of all of them…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resolved' }).click()
  await page.getByText('4 entries resolved').waitFor()
  for (const number of [7, 14, 21, 28]) assert.equal(await statusOf(number), 'resolved')
  await group.waitFor({ state: 'detached' })
})

browserTest(
  `all ${MANY_WRITTEN} entries can be reached, with a screenful of rows rendered at a time`,
  async (browser) => {
    await inbox.fill(MANY)
    await using looking = await inbox.look(browser, 'viewer')
    const { page, errors } = looking
    await page.goto(inbox.at('/feedback'))
    await page.locator('[data-row]').first().waitFor()
    const most = await page.evaluate(async () => {
      const box = document.querySelector('[data-scroller]') as HTMLElement
      let most = 0
      const isAtEnd = () => /^All [\d,]+ shown$/.test(box.lastElementChild?.textContent ?? '')
      while (!isAtEnd()) {
        const trouble = box.querySelector('[role="alert"]')
        if (trouble) throw new Error(trouble.textContent ?? 'a page did not come')
        box.scrollTop = box.scrollHeight
        await new Promise((resolve) => requestAnimationFrame(resolve))
        most = Math.max(most, document.querySelectorAll('[data-row]').length)
      }
      return most
    })
    assert.ok(most <= MOST_ROWS, `${most} rows`)
    await page.getByText(`All ${MANY_WRITTEN} shown`).waitFor()
    await page.locator('[data-scroller]').evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
    const last = page.locator('[data-row]').filter({ hasText: `Entry number ${MANY}` })
    await last.waitFor()
    assert.equal(await last.getAttribute('aria-posinset'), String(MANY))
    assert.equal(await last.getAttribute('aria-setsize'), String(MANY))
    await page.keyboard.press('Home')
    await page.locator('[data-row]').filter({ hasText: 'Entry number 12' }).first().waitFor()
    assert.deepEqual(errors, [])
  },
)

browserTest(
  'counts votes without comments apart from open entries, and Ctrl+Z undoes a change',
  async (browser) => {
    await inbox.fill(6)
    const { database } = inbox.scene.node.node.context
    await database.queries.executeQuery(
      CompiledQuery.raw(
        `INSERT INTO feedback (id, project_id, source, path, helpful)
       SELECT 'fb_v' || n, $1, 'thumbs_only', '/', n % 2 = 0 FROM generate_series(1, 25) AS n`,
        [inbox.projectId],
      ),
    )
    await using looking = await inbox.look(browser, 'editor')
    const { page, errors } = looking
    await page.goto(inbox.at('/feedback'))
    await page.locator('[data-row]').filter({ hasText: 'Entry number 6' }).waitFor()
    assert.equal(await page.locator('[data-row]').count(), 6)
    await page.getByLabel('Select: Entry number 1', { exact: true }).check()
    await page
      .getByRole('region', { name: 'Selected entries' })
      .getByRole('button', { name: 'Resolved' })
      .click()
    await page.getByText('1 entry resolved').waitFor()
    await page.getByLabel('Select: Entry number 2', { exact: true }).check()
    const bar = await page.getByRole('region', { name: 'Selected entries' }).boundingBox()
    const news = await page.getByRole('button', { name: 'Undo' }).boundingBox()
    assert.ok(bar !== null && news !== null && news.y + news.height <= bar.y, 'the news lies above the bar')
    await page.keyboard.press('Control+z')
    await page.getByText('1 change undone').waitFor()
    const { client } = inbox.scene.node
    assert.equal((await client.listFeedback(inbox.projectId, { status: 'resolved' })).feedback.length, 0)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: '25 votes without comments' }).click()
    await until(async () => (await page.locator('[data-row]').count()) === 25, 'the votes')
    await page.goto(inbox.at(''))
    await page.getByRole('link', { name: /^Open\s*6/ }).waitFor()
    assert.deepEqual(errors, [])
  },
)

browserTest(
  'applies a key pressed while the list loads, and selecting a row does not shift the list',
  async (browser) => {
    await inbox.fill(6)
    await using looking = await inbox.look(browser, 'editor')
    const { page, errors } = looking
    const held = Promise.withResolvers<void>()
    await page.route(/\/feedback\?/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(inbox.at('/feedback'))
    await page.getByRole('status', { name: 'Loading feedback' }).first().waitFor()
    await page.keyboard.press('j')
    held.resolve()
    await page.locator('[data-row][aria-posinset="1"] a:focus').waitFor()
    const words = page.locator('[data-row][aria-posinset="2"]').getByText('Entry number')
    const before = await words.boundingBox()
    await page.keyboard.press('x')
    await page.getByRole('region', { name: 'Selected entries' }).waitFor()
    assert.deepEqual(await words.boundingBox(), before)
    assert.deepEqual(errors, [])
  },
)

browserTest('renders hostile feedback as plain text everywhere', async (browser) => {
  const payloads = injectionPayloads(HOSTILE)
  const { database } = inbox.scene.node.node.context
  await database.queries.executeQuery(
    CompiledQuery.raw(
      `INSERT INTO feedback (id, project_id, source, status, path, helpful, reason, comment, contact, code, filename, lang)
       SELECT 'fb_' || lpad((10000 - n)::text, 26, '0'), $1, source, 'pending', '/' || text,
         CASE WHEN source = 'contextual' THEN false END, CASE WHEN source = 'contextual' THEN text END, text,
         CASE WHEN source = 'contextual' THEN text END, CASE WHEN source = 'code_snippet' THEN text END,
         CASE WHEN source = 'code_snippet' THEN text END, CASE WHEN source = 'code_snippet' THEN left(text, 64) END
       FROM (SELECT text, n, (ARRAY['contextual', 'code_snippet', 'agent'])[1 + n % 3] AS source
         FROM unnest($2::text[]) WITH ORDINALITY AS given (text, n)) AS wanted`,
      [inbox.projectId, payloads],
    ),
  )
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors, userId } = looking
  await database.queries.executeQuery(
    CompiledQuery.raw(
      `WITH views AS (INSERT INTO feedback_views (id, project_id, user_id, name, query, is_shared)
         SELECT 'view_' || n, $1, $2, left(text, 100), 'q=' || n, true
         FROM unnest($3::text[]) WITH ORDINALITY AS given (text, n))
       INSERT INTO feedback_changes (feedback_id, actor, note)
       SELECT 'fb_' || lpad((10000 - n)::text, 26, '0'), $2, text
       FROM unnest($4::text[]) WITH ORDINALITY AS given (text, n)`,
      [inbox.projectId, userId, payloads.slice(0, 50), payloads],
    ),
  )
  await page.goto(inbox.at('/feedback'))
  await page.locator('[data-row]').first().waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.locator('[data-entry]').waitFor()
  const seen = await page.evaluate(async (count) => {
    const shown = new Set<string>()
    const end = Date.now() + 600_000
    while (shown.size < count && Date.now() < end) {
      const entry = document.querySelector<HTMLElement>('[data-entry]')
      const isWhole = entry?.textContent?.includes('left a note') && !entry.textContent.includes('Loading')
      if (entry?.dataset.entry && isWhole && !shown.has(entry.dataset.entry)) {
        shown.add(entry.dataset.entry)
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
      }
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return shown.size
  }, payloads.length)
  assert.equal(seen, payloads.length)
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: 'Views' })
    .or(page.getByRole('button', { name: 'All open' }))
    .click()
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await page.goto(inbox.at('?days=7'))
  await page.getByText('Least helpful pages').waitFor()
  assert.equal(await page.evaluate((name) => name in globalThis, HIT), false)
  assert.equal(await page.evaluate((name) => name in Object.prototype, HIT), false)
  assert.deepEqual(errors, [])
})

browserTest(
  'on a phone an entry opens as its own page, and going back restores the scroll position',
  async (browser) => {
    await inbox.fill(80)
    await using looking = await inbox.look(browser, 'editor', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    const { page } = looking
    await page.goto(inbox.at('/feedback?status=any'))
    const [fold, status] = [
      page.getByRole('button', { name: 'Filters: 1' }),
      page.getByRole('button', { name: 'Status: Any status' }),
    ]
    await fold.click()
    await status.waitFor()
    await fold.click()
    await status.waitFor({ state: 'detached' })
    const scrolled = () =>
      page.locator('[data-scroller]').evaluate((element) => {
        element.scrollTo({ top: 1500 })
        return element.scrollTop === 1500
      })
    await until(scrolled, 'the list is long enough')
    const target = row(page, 'Entry number 28')
    await target.getByRole('link').click()
    await detail(page).getByText('Entry number 28').waitFor()
    assert.equal(await page.getByRole('list', { name: 'Feedback' }).isVisible(), false)
    await page.goBack()
    await target.waitFor()
    assert.equal(await page.locator('[data-scroller]').evaluate((element) => element.scrollTop), 1500)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  },
)

browserTest('the inbox with an open entry is accessible at any width', async (browser) => {
  await inbox.fill(40)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at(`/feedback?entry=${idOf(10)}`))
  await detail(page).getByRole('link', { name: 'Open the page' }).waitFor()
  await assertAccessible(page)
})

browserTest(
  'assigns entries to oneself and others, adds a typed label and filters by both',
  async (browser) => {
    await inbox.fill(8)
    await using other = await inbox.look(browser, 'admin')
    await using looking = await inbox.look(browser, 'editor')
    const { page, errors, userId } = looking
    const { client } = inbox.scene.node
    const assigned = async (assignee: string) =>
      (await client.listFeedback(inbox.projectId, { assignee })).feedback.length
    await page.goto(inbox.at('/feedback'))
    await numbered(page, 1).waitFor()

    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await numbered(page, 1).getByTitle('Assigned to The editor').waitFor()
    await page.getByText('1 entry assigned to you').waitFor()
    await page.keyboard.press('l')
    const box = page.getByRole('combobox', { name: 'Labels' })
    await page.getByText('This project has no labels yet').waitFor()
    await box.fill('Typo')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: /Typo.*selected/ }).waitFor()
    await page.keyboard.press('Escape')
    await numbered(page, 1).getByText('Typo').waitFor()

    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    const bar = page.getByRole('region', { name: 'Selected entries' })
    await bar.getByRole('button', { name: 'Assign…' }).click()
    await page.getByRole('combobox', { name: 'Assign 2 entries' }).fill('admin')
    await page.keyboard.press('Enter')
    await page.getByText('2 entries assigned to The admin').waitFor()
    await until(async () => (await assigned(other.userId)) === 2, 'two are the other one’s')
    await page.keyboard.press('Control+z')
    await page.getByText('2 changes undone').waitFor()
    assert.equal(await assigned(other.userId), 0)
    assert.equal(await assigned(userId), 1)

    await page.getByRole('button', { name: 'Assignee: Any assignee' }).click()
    await page.getByRole('checkbox', { name: 'Me', exact: true }).check()
    await page.keyboard.press('Escape')
    await until(async () => (await page.locator('[data-row]').count()) === 1, 'only mine')
    assert.match(page.url(), /assignee=me/)
    await page.getByRole('button', { name: 'Label: Any label' }).click()
    await page.getByRole('checkbox', { name: 'Without labels' }).check()
    await page.getByText('Nothing matches').waitFor()
    const asked = page.waitForRequest(/feedback\/groups\?/)
    await page.goto(inbox.at('/feedback?grouped=yes&assignee=me&label=none'))
    const { searchParams } = new URL((await asked).url())
    assert.deepEqual([searchParams.get('assignee'), searchParams.get('label')], [userId, 'none'])
    await page.getByText('No duplicates').waitFor()
    await page.getByRole('button', { name: 'Assignee: Me' }).waitFor()
    assert.deepEqual(errors, [])
  },
)

browserTest('a label change that fails is reported and can be retried', async (browser) => {
  await inbox.fill(2)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await numbered(page, 1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('l')
  await page.getByRole('combobox', { name: 'Labels' }).fill('Typo')
  await page.getByRole('option', { name: /^Typo$/ }).waitFor()
  // Abort the first change and all later reads, including checks whether the server is back. The retry is sent anyway.
  let tries = 0
  await page.route('**/feedback/work', (route) => (tries++ === 0 ? route.abort() : route.continue()))
  const isRead = (request: Request) => request.method() === 'GET' && tries > 0
  await page.route(/\/(internal|v1)\/.*/, (route) =>
    isRead(route.request()) ? route.abort() : route.fallback(),
  )
  await page.keyboard.press('Enter')
  await page.getByText('Nothing was changed').waitFor()
  await page.getByRole('option', { name: /^Typo$/ }).waitFor()
  assert.equal(await page.getByText('Already done').count(), 0)
  await page.getByRole('option', { name: /^Typo$/ }).click()
  await page.getByText('1 entry labelled “Typo”').waitFor()
})

browserTest(
  'renames and deletes labels, and an entry with labels is accessible at every width',
  async (browser) => {
    await inbox.fill(5)
    await using looking = await inbox.look(browser, 'editor')
    const { page, errors } = looking
    await page.goto(inbox.at('/feedback'))
    await numbered(page, 2).getByRole('link').click()
    await page.getByRole('button', { name: 'Add labels' }).click()
    for (const name of ['A rather long name of a label, truly', 'API', 'Urgent']) {
      await page.getByRole('combobox', { name: 'Labels' }).fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('option', { name: new RegExp(`${name}.*selected`) }).waitFor()
    }
    const risen = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').first()
    await until(async () => !/animate-rise/.test((await risen.getAttribute('class')) ?? ''), 'it rises once')
    await page.keyboard.press('Escape')
    await closeToasts(page)
    await page.getByRole('button', { name: 'Change the labels' }).click()
    await page.getByRole('combobox', { name: 'Labels' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByRole('combobox', { name: 'Assign this entry' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 entry assigned to you').waitFor()
    await closeToasts(page)
    await assertAccessible(page, '', { isAnyImpact: true })
    await page.getByRole('button', { name: 'Change the labels' }).click()
    await page.getByRole('button', { name: 'Rename or delete labels' }).click()
    await page.getByRole('textbox', { name: 'Name of Urgent' }).waitFor()
    assert.deepEqual(await allFaultsInBothSchemes(page), [])
    await page.getByRole('textbox', { name: 'Name of Urgent' }).fill('Now')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name of Now' }).waitFor()
    await page.getByRole('button', { name: 'Delete API' }).click()
    await page.getByRole('button', { name: 'Delete the label' }).click()
    await page.getByText('It was removed from 1 entry.').waitFor()
    await page.keyboard.press('Escape')
    const { feedback } = await inbox.scene.node.client.listFeedback(inbox.projectId, { include: 'labels' })
    await until(async () => (await page.getByText('Now', { exact: true }).count()) > 0, 'the new name')
    assert.deepEqual(feedback.flatMap(({ labels = [] }) => labels.map(({ name }) => name)).length, 2)
    assert.deepEqual(errors, [])
  },
)
