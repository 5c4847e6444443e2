/**
 * The inbox with very many entries, with votes beside them, with hostile ones, and on a phone. OCTAVO_FAULT_ROUNDS
 * above 1 takes a hundred thousand, and five hundred hostile texts.
 */
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { CompiledQuery } from 'kysely'
import { assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { HIT, injectionPayloads } from '../kit/payloads.ts'
import { until } from '../kit/until.ts'
import { IS_WHOLE } from '../kit/whole-run.ts'
import { detail, type InboxScene, idOf, openInboxScene, row } from './dashboard-inbox-scene.ts'

const MANY = IS_WHOLE ? 100_000 : 2_000
const HOSTILE = IS_WHOLE ? 500 : 40
const MANY_WRITTEN = MANY.toLocaleString('en')
/** Of the rows in the document at once: what fits on the screen, and some beyond its edges. */
const MOST_ROWS = 80

let inbox: InboxScene
before(async () => {
  inbox = await openInboxScene()
})
after(() => inbox[Symbol.asyncDispose]())
beforeEach(() => inbox.clear())

browserTest(
  `${MANY_WRITTEN} entries are all reached, with a screenful of rows at a time`,
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
  'votes without words are counted and nobody’s work, and keys take a change back',
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
    await page.getByRole('link', { name: '25 votes without words' }).click()
    await until(async () => (await page.locator('[data-row]').count()) === 25, 'the votes')
    await page.goto(inbox.at(''))
    await page.getByRole('link', { name: /^Open\s*6/ }).waitFor()
    assert.deepEqual(errors, [])
  },
)

browserTest(
  'a key that is pressed while the list is on its way counts, and a chosen row stays in its place',
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

browserTest('hostile texts are shown everywhere as the texts they are', async (browser) => {
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
  await page.getByText('Pages that helped least').waitFor()
  assert.equal(await page.evaluate((name) => name in globalThis, HIT), false)
  assert.equal(await page.evaluate((name) => name in Object.prototype, HIT), false)
  assert.deepEqual(errors, [])
})

browserTest(
  'on a phone an entry is a page of its own, and the way back leads to the same place',
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

browserTest("nothing in the inbox stands in anybody's way, at any width", async (browser) => {
  await inbox.fill(40)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 'Entry number 1').first().waitFor()
  await assertAccessible(page, 'the list')
  await page.goto(inbox.at(`/feedback?entry=${idOf(10)}`))
  await detail(page).getByRole('link', { name: 'Open the page' }).waitFor()
  await assertAccessible(page, 'an entry')
  await page.goto(inbox.at('/feedback?grouped=yes'))
  await page.getByRole('listitem').first().waitFor()
  await assertAccessible(page, 'groups')
})
