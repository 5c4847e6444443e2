/** Feedback as work, in a browser: assigned and labelled by keys and by hand, filtered, taken back. */
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { allFaultsInBothSchemes, assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import { type InboxScene, openInboxScene } from './dashboard-inbox-scene.ts'

let inbox: InboxScene
before(async () => {
  inbox = await openInboxScene()
})
after(() => inbox[Symbol.asyncDispose]())
beforeEach(() => inbox.clear())

const row = (page: Page, number: number) =>
  page.locator('[data-row]').filter({ hasText: new RegExp(`Entry number ${number}(?!\\d)`) })

/** While they rise they have next to no colour. */
async function closeToasts(page: Page): Promise<void> {
  const close = page.getByRole('list', { name: 'Notifications' }).getByRole('button', { name: 'Close' })
  while ((await close.count()) > 0) await close.last().click()
}

browserTest(
  'work is handed out by keys: to me, to others, with labels typed as they come',
  async (browser) => {
    await inbox.fill(8)
    await using other = await inbox.look(browser, 'admin')
    await using looking = await inbox.look(browser, 'editor')
    const { page, errors, userId } = looking
    const { client } = inbox.scene.node
    const assigned = async (assignee: string) =>
      (await client.listFeedback(inbox.projectId, { assignee })).feedback.length
    await page.goto(inbox.at('/feedback'))
    await row(page, 1).waitFor()

    await page.keyboard.press('j')
    await page.keyboard.press('a')
    await row(page, 1).getByTitle('Assigned to The editor').waitFor()
    await page.getByText('1 entry assigned to you').waitFor()
    await page.keyboard.press('l')
    const box = page.getByRole('combobox', { name: 'Labels' })
    await page.getByText('This project has no labels yet').waitFor()
    await box.fill('Typo')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: /Typo.*chosen/ }).waitFor()
    await page.keyboard.press('Escape')
    await row(page, 1).getByText('Typo').waitFor()

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

browserTest('what was refused is said once, and shown as it is', async (browser) => {
  await inbox.fill(2)
  await using looking = await inbox.look(browser, 'editor')
  const { page } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('l')
  await page.getByRole('combobox', { name: 'Labels' }).fill('Typo')
  // The first try finds nobody, nor does any look whether the server is back; the second try is sent all the same.
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

browserTest('labels are renamed and deleted, and stand with an entry at every width', async (browser) => {
  await inbox.fill(5)
  await using looking = await inbox.look(browser, 'editor')
  const { page, errors } = looking
  await page.goto(inbox.at('/feedback'))
  await row(page, 2).getByRole('link').click()
  await page.getByRole('button', { name: 'Add labels' }).click()
  for (const name of ['A rather long name of a label, truly', 'API', 'Urgent']) {
    await page.getByRole('combobox', { name: 'Labels' }).fill(name)
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: new RegExp(`${name}.*chosen`) }).waitFor()
  }
  const risen = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem').first()
  await until(async () => !/animate-rise/.test((await risen.getAttribute('class')) ?? ''), 'it rises once')
  await page.keyboard.press('Escape')
  await closeToasts(page)
  await page.getByRole('button', { name: 'Change the labels' }).click()
  await page.getByRole('combobox', { name: 'Labels' }).waitFor()
  assert.deepEqual(await allFaultsInBothSchemes(page), [])
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
  await page.getByText('1 entry carried it.').waitFor()
  await page.keyboard.press('Escape')
  const { feedback } = await inbox.scene.node.client.listFeedback(inbox.projectId, { include: 'labels' })
  await until(async () => (await page.getByText('Now', { exact: true }).count()) > 0, 'the new name')
  assert.deepEqual(feedback.flatMap(({ labels = [] }) => labels.map(({ name }) => name)).length, 2)
  assert.deepEqual(errors, [])
})
