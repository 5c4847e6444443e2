/** The bell: told as it happens, read, followed; the whole list; what one wants to be told; at each width and by keys. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import type { NotificationKind } from '../../src/features/notifications/operations/notification-kinds.ts'
import { recordNotification } from '../../src/features/notifications/record-notification.ts'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene()
})
after(() => scene[Symbol.asyncDispose]())

async function tell(kind: NotificationKind, facts: { name?: string; reason?: string } = {}): Promise<void> {
  const { projectId } = scene
  const { pool, transaction } = scene.octavo.node.context.database
  await transaction((tx) => recordNotification(tx, { kind, projectId, subject: 'dep_none0', facts }))
  const waiting = 'SELECT FROM notification_events WHERE NOT is_spread'
  await until(async () => (await pool.query(waiting)).rowCount === 0)
}

async function fitsWidth(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth)
}

browserTest('what happens is counted at the bell, read in its list and followed', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  const { page } = admin
  await page.goto(`${scene.octavo.url}/p/${scene.projectId}`)
  const bell = page.getByRole('button', { name: 'Notifications', exact: true })
  await bell.click()
  const popover = page.getByRole('dialog', { name: 'Notifications' })
  await popover.getByText('Nothing yet').waitFor()
  await page.keyboard.press('Escape')
  await popover.waitFor({ state: 'detached' })

  await tell('deployment_failed', { reason: `The folder has no docs.json ${'and no page '.repeat(14)}` })
  await tell('domain_lost', { name: 'docs.example.com' })
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).press('Enter')
  await popover.getByText('The domain docs.example.com went to another project').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await tell('domain_proof_missing', { name: 'www.example.com' })
  await popover.getByText('The DNS record that proves ownership of www.example.com is missing').waitFor()
  await page.getByRole('button', { name: 'Notifications, 3 unread' }).waitFor()

  const lines = popover.getByRole('listitem')
  await lines.filter({ hasText: 'www.example.com' }).getByRole('button', { name: 'Mark as read' }).click()
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor()
  await lines.filter({ hasText: 'went to another' }).getByRole('link').press('Enter')
  await page.waitForURL(/settings\/domains/)
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await popover.getByRole('button', { name: 'Mark all as read' }).click()
  await bell.waitFor()
  assert.deepEqual(admin.errors, [])
})

browserTest('all of them stand on a page, at each width, and unread ones alone', async (browser) => {
  await using admin = await scene.enter(browser, 'admin', { colorScheme: 'dark' })
  const { page } = admin
  await page.goto(scene.octavo.url)
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await page.getByRole('link', { name: 'All notifications' }).click()
  const list = page.getByRole('main').getByRole('list', { name: 'Notifications' })
  await list.getByRole('listitem').nth(2).waitFor()
  await assertAccessible(page)
  await page.getByRole('radio', { name: 'Unread' }).click()
  await page.getByText('You have read everything').waitFor()
  await tell('deployment_failed', { reason: 'Again.' })
  await page.setViewportSize({ width: 390, height: 900 })
  await page.reload()
  await list.getByText('The deployment failed: Again').waitFor()
  await page.getByRole('button', { name: /More\s*1 unread notification/ }).click()
  await page.getByRole('link', { name: /Notifications\s*1 unread/ }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  assert.deepEqual(admin.errors, [])
})

browserTest('in German each says of what kind it is, above the sentence with its names', async (browser) => {
  await using german = await scene.enter(browser, 'admin', { locale: 'de-DE' })
  const { page } = german
  await page.goto(`${scene.octavo.url}/o/${scene.octavo.organizationId}/notifications`)
  const lost = page.getByRole('listitem').filter({ hasText: 'Eine Domain ging verloren' })
  const sentence = lost.locator('[lang=en]')
  await sentence.waitFor()
  assert.equal(await sentence.textContent(), 'The domain docs.example.com went to another project')
  await fitsWidth(page)
  assert.deepEqual(await seriousFaults(page), [])
})

browserTest('what one is told of is chosen in the account', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  const { page } = admin
  await page.goto(`${scene.octavo.url}/account`)
  const failed = page.getByLabel('A deployment failed', { exact: true })
  assert.equal(await failed.inputValue(), 'all')
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await failed.selectOption({ label: 'Off' })
  assert.equal((await saved).status(), 200)
  await page.reload()
  await page.waitForFunction(
    (select) => (select as HTMLSelectElement).value === 'off',
    await failed.elementHandle(),
  )
  await assertAccessible(page)
  assert.deepEqual(admin.errors, [])
})

browserTest(
  'a webhook writes to a chat: its address is hidden, and only what is told is sent',
  async (browser) => {
    await using admin = await scene.enter(browser, 'admin', { colorScheme: 'dark' })
    const { page } = admin
    await page.goto(`${scene.octavo.url}/p/${scene.projectId}/settings/webhooks?new=1`)
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
    await dialog.getByRole('radio', { name: /^A chat/ }).check()
    await dialog.getByRole('checkbox', { name: /A deployment failed/ }).waitFor()
    assert.equal(await dialog.getByText('feedback.created').count(), 0)
    assert.equal(await dialog.getByText('notification.feedback_assigned').count(), 0, 'one person’s')
    await assertAccessible(page)
    await dialog.getByLabel('Address').fill('https://hooks.example.com/services/T0/secret')
    await dialog.getByRole('button', { name: 'Add the webhook' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('list', { name: 'Webhooks' }).getByText('hooks.example.com').waitFor()
    assert.doesNotMatch((await page.getByRole('main').textContent()) ?? '', /T0\/secret/)
    assert.deepEqual(admin.errors, [])
  },
)
