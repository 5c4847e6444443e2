import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import { CompiledQuery } from 'kysely'
import type { Page } from 'playwright-core'
import { seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import { type InboxScene, openInboxScene } from './dashboard-inbox-scene.ts'

let inbox: InboxScene
before(async () => {
  inbox = await openInboxScene()
})
after(() => inbox[Symbol.asyncDispose]())
beforeEach(() => inbox.clear())

const SAID = ['Said four times', 'Said three times', 'Said two times'] as const
const groups = (page: Page) => page.getByRole('list', { name: 'Groups of feedback' }).getByRole('listitem')
const group = (page: Page, words: string) => groups(page).filter({ hasText: words })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected entries' })
const idOf = (number: number) => `fb_${String(10_000_000 - number).padStart(26, '0')}`

/** Adds entries 1 to 9, newest first, in groups of four, three and two with the same comment. */
async function fillGroups(): Promise<void> {
  await inbox.fill(9)
  await inbox.scene.node.node.context.database.queries.executeQuery(
    CompiledQuery.raw(
      `UPDATE feedback SET source = 'contextual', helpful = false, path = '/', code = NULL, filename = NULL, lang = NULL,
         comment = ($1::text[])[CASE WHEN id > $2 THEN 1 WHEN id > $3 THEN 2 ELSE 3 END]`,
      [SAID, idOf(5), idOf(8)],
    ),
  )
}

async function statuses(): Promise<string[]> {
  const { feedback } = await inbox.scene.node.client.listFeedback(inbox.projectId, { limit: 100 })
  return feedback.map(({ status }) => status)
}

browserTest('selects groups, sets their status and undoes it by keyboard', async (browser) => {
  await fillGroups()
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/feedback'))
  await page.locator('[data-row]').first().waitFor()
  await page.keyboard.press('d')
  await page.waitForURL(/grouped=yes/)
  await group(page, SAID[2]).waitFor()
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await bar(page).getByText('2 groups, 6 entries').waitFor()
  await page.keyboard.press('s')
  await page.getByRole('dialog').getByText('Set the status of 6 entries').waitFor()
  await page.keyboard.press('r')
  await page.getByText('6 entries resolved').waitFor()
  for (const words of [SAID[0], SAID[2]]) await group(page, words).waitFor({ state: 'detached' })
  await group(page, SAID[1]).waitFor()
  assert.equal(await bar(page).count(), 0)
  const done = ['pending', 'resolved']
  assert.deepEqual(
    await statuses(),
    [4, 3, 2].flatMap((count, index) => Array(count).fill(done[(index + 1) % 2])),
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('6 changes undone').waitFor()
  for (const words of SAID) await group(page, words).waitFor()
  assert.deepEqual(new Set(await statuses()), new Set(['pending']))

  await page.keyboard.press('Control+a')
  await bar(page).getByText('3 groups, 9 entries').waitFor()
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })
  assert.deepEqual(errors, [])
})

browserTest(
  'selects a range of groups by Shift-click, sets a status for all and offers an agent job',
  async (browser) => {
    await fillGroups()
    await using looking = await inbox.look(browser, 'editor')
    const { page, errors } = looking
    await page.goto(inbox.at('/feedback?grouped=yes'))
    await page.getByLabel(`Select the group: ${SAID[0]}`).check()
    await group(page, SAID[2])
      .getByRole('link')
      .click({ modifiers: ['Shift'] })
    await bar(page).getByText('3 groups, 9 entries').waitFor()
    await page.getByLabel(`Select the group: ${SAID[1]}`).uncheck()
    const job = bar(page).getByRole('link', { name: 'Start agent job' })
    const asked = new URLSearchParams((await job.getAttribute('href'))?.split('?')[1]).get('feedback')
    assert.deepEqual(asked?.split(','), [1, 2, 3, 4, 8, 9].map(idOf))
    await bar(page).getByRole('button', { name: 'Dismissed' }).click()
    await page.getByText('6 entries dismissed').waitFor()
    await group(page, SAID[0]).waitFor({ state: 'detached' })
    assert.equal((await statuses()).filter((status) => status === 'dismissed').length, 6)
    assert.deepEqual(errors, [])
  },
)

browserTest(
  'a group lists its entries, and only the selected entries go to an agent job',
  async (browser) => {
    await fillGroups()
    await using looking = await inbox.look(browser, 'editor')
    const { page, errors } = looking
    await page.goto(inbox.at('/feedback?grouped=yes'))
    await group(page, SAID[0]).waitFor()
    await page.keyboard.press('ArrowRight')
    const inside = page.getByRole('list', { name: 'Entries of the group' })
    await inside.getByRole('listitem').nth(3).waitFor()
    await inside.getByRole('checkbox').nth(1).check()
    await bar(page).getByText('1 group, 1 entry').waitFor()
    const whole = page.getByLabel(`Select the group: ${SAID[0]}`)
    assert.equal(await whole.evaluate((box: HTMLInputElement) => box.indeterminate), true)
    await whole.uncheck()
    await whole.check()
    await bar(page).getByText('1 group, 4 entries').waitFor()
    await inside.getByRole('checkbox').first().uncheck()
    await inside.getByRole('checkbox').nth(3).uncheck()
    // A new entry in a partly selected group is not selected.
    await inbox.arrive(SAID[0])
    await inside.getByRole('listitem').nth(4).waitFor()
    await bar(page).getByText('1 group, 2 entries').waitFor()
    const job = bar(page).getByRole('link', { name: 'Start agent job' })
    const asked = new URLSearchParams((await job.getAttribute('href'))?.split('?')[1]).get('feedback')
    assert.deepEqual(asked?.split(','), [2, 3].map(idOf))
    assert.deepEqual(await seriousFaults(page), [])
    await inside.getByRole('link').nth(1).click()
    await page.getByRole('region', { name: 'Detail' }).getByText(SAID[0]).waitFor()
    await page.getByRole('button', { name: `Entries of the group: ${SAID[0]}` }).click()
    await inside.waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  },
)

browserTest('a selection stays while entries join a group and other groups leave', async (browser) => {
  await fillGroups()
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback?grouped=yes'))
  await group(page, SAID[1]).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await bar(page).getByText('1 group, 3 entries').waitFor()
  await inbox.arrive(SAID[1])
  await bar(page).getByText('1 group, 4 entries').waitFor()
  await inbox.arrive(SAID[1])
  // The group is now the largest and moves to the top, and keys still act on it.
  await bar(page).getByText('1 group, 5 entries').waitFor()
  assert.match((await groups(page).first().textContent()) ?? '', new RegExp(SAID[1]))
  await inbox.scene.node.client.updateManyFeedback(
    inbox.projectId,
    {},
    { status: 'resolved', ids: [1, 2, 3, 4].map(idOf) },
  )
  await group(page, SAID[0]).waitFor({ state: 'detached' })
  await bar(page).getByText('1 group, 5 entries').waitFor()
  await page.keyboard.press('x')
  await bar(page).waitFor({ state: 'detached' })
  await page.keyboard.press('s')
  await page.getByRole('dialog').getByText('Set the status of 5 entries').waitFor()
})

browserTest('changing a hundred entries or more asks for confirmation', async (browser) => {
  await inbox.fill(120)
  await inbox.scene.node.node.context.database.queries
    .updateTable('feedback')
    .set({ comment: 'The same words' })
    .execute()
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback?grouped=yes'))
  await groups(page).first().waitFor()
  await page.keyboard.press('Control+a')
  await bar(page)
    .getByText(/^2 groups, 1\d\d entries$/)
    .waitFor()
  await bar(page).getByRole('link', { name: 'Start agent job (first 50)' }).waitFor()
  await bar(page).getByRole('button', { name: 'Resolved' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^Set 1\d\d entries to resolved\?$/)
    .waitFor()
  assert.deepEqual(new Set(await statuses()), new Set(['pending']))
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await groups(page).count(), 2)
})

browserTest('reverts a change of a group that the server refuses', async (browser) => {
  await fillGroups()
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback?grouped=yes'))
  await group(page, SAID[0]).waitFor()
  await inbox.scene.node.node.context.database.queries
    .updateTable('members')
    .set({ role: 'viewer' })
    .where('user_id', '=', looking.userId)
    .execute()
  await page.keyboard.press('s')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('3')
  await page.getByText('4 statuses not changed').waitFor()
  await group(page, SAID[0]).waitFor()
  await until(async () => (await statuses()).every((status) => status === 'pending'), 'all are pending')
})

for (const [colorScheme, width] of [
  ['light', 1440],
  ['dark', 390],
] as const) {
  browserTest(
    `selected groups are accessible and do not overflow, ${colorScheme}, ${width} wide`,
    async (browser) => {
      await fillGroups()
      await using looking = await inbox.look(browser, 'editor', {
        colorScheme,
        viewport: { width, height: 844 },
      })
      const { page } = looking
      await page.goto(inbox.at('/feedback?grouped=yes'))
      await group(page, SAID[0]).waitFor()
      await page.keyboard.press('x')
      await bar(page).waitFor()
      assert.deepEqual(await seriousFaults(page), [])
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width)
    },
  )
}
