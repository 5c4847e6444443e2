/** Paths of the dashboard without a mouse: in, a site published and put back, people invited, keys made. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { browserTest } from '../kit/browser.ts'
import { addPerson, PASSWORD } from '../kit/people.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

/** Stops between two places of a page: more of them nobody would take. */
const MOST_STOPS = 40

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene()
})
after(() => scene[Symbol.asyncDispose]())

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)

async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if (await isFocused(target)) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${target} is not within ${MOST_STOPS} stops`)
}

/** Where the focus was before a dialog opened, it is again. */
async function isBackAt(page: Page, target: Locator): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.ok(await isFocused(target), `the focus is back at ${target}`)
}

browserTest('a person signs in and out by keyboard alone', async (browser) => {
  const { organizationId, url, node } = scene.octavo
  await addPerson(node.context.database, { email: 'keys@example.com', organizationId })
  await using looking = await scene.visit(browser)
  const { page, errors } = looking
  await page.goto(`${url}/sign-in`)
  await tabTo(page, page.getByLabel('E-mail address'))
  await page.keyboard.type('keys@example.com')
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/p/${scene.projectId}`)
  const account = page.getByRole('button', { name: 'Ada Lovelace' })
  await tabTo(page, account)
  await page.keyboard.press('Enter')
  // At once: the key is for the list that opens.
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/sign-in')
  assert.deepEqual(errors, [])
})

browserTest('a version is published, put back and released by keyboard alone', async (browser) => {
  await using editor = await scene.enter(browser, 'editor')
  const { page, errors } = editor
  await page.goto(`${scene.octavo.url}/p/${scene.projectId}/deployments`)
  const rows = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem')
  await page.getByText('Nothing published yet').waitFor()
  await page.keyboard.press('c')
  await rows.first().waitFor()
  await rows.first().getByText('Live', { exact: true }).waitFor()
  const file = join(scene.octavo.dataFolder, 'sites', 'docs.localhost', 'index.mdx')
  await writeFile(file, '---\ntitle: Start\n---\n\nAnother text.\n')
  await page.keyboard.press('c')
  await rows.nth(1).waitFor()
  await rows.nth(1).getByText('Ready', { exact: true }).waitFor()

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/deployments/*')
  await tabTo(page, page.getByRole('button', { name: 'Make live' }))
  await page.keyboard.press('Enter')
  await page.getByText('A version is pinned').waitFor()
  await page.keyboard.press('Escape')
  await rows.nth(1).getByText('Live, pinned').waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Release' }))
  await page.keyboard.press('Enter')
  await rows.first().getByText('Live', { exact: true }).waitFor()
  assert.deepEqual(errors, [])
})

browserTest('a wrong address keeps the navigation of the own project', async (browser) => {
  await using viewer = await scene.enter(browser, 'viewer')
  const { page } = viewer
  for (const path of ['/p/prj_nothing/feedback', '/o/org_nothing/members', `/p/${scene.projectId}/nothing`]) {
    await page.goto(`${scene.octavo.url}${path}`)
    await page.getByRole('heading', { name: 'There is nothing at this address', level: 1 }).waitFor()
    const feedback = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Feedback' })
    assert.equal(await feedback.getAttribute('href'), `/p/${scene.projectId}/feedback`)
  }
  assert.deepEqual(viewer.errors, [])
})

browserTest('somebody is invited by keyboard alone, as what is chosen', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  const { page, errors } = admin
  await page.goto(`${scene.octavo.url}/o/${scene.octavo.organizationId}/members`)
  const invite = page.getByRole('button', { name: 'Invite' })
  await tabTo(page, invite)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Invite people' }).waitFor()
  await page.keyboard.type('by-keys@example.com')
  await tabTo(page, page.getByRole('radio', { name: /^Editor/ }))
  await page.keyboard.press('ArrowUp')
  assert.ok(await page.getByRole('radio', { name: /^Viewer/ }).isChecked())
  await page.keyboard.press('Enter')
  await page.getByLabel('Link of the invitation').waitFor()
  await tabTo(page, page.getByRole('button', { name: 'Done' }))
  await page.keyboard.press('Enter')
  await isBackAt(page, invite)
  const row = page.getByRole('row').filter({ hasText: 'by-keys@example.com' })
  await row.getByRole('cell', { name: 'Viewer', exact: true }).waitFor()
  const withdraw = row.getByRole('button', { name: 'Withdraw' })
  await tabTo(page, withdraw)
  await page.keyboard.press('Enter')
  const asked = page.getByRole('dialog', { name: 'Withdraw the invitation?' })
  await tabTo(page, asked.getByRole('button', { name: 'Withdraw' }))
  await page.keyboard.press('Enter')
  await row.waitFor({ state: 'detached' })
  assert.deepEqual(errors, [])
})

browserTest('a key is made and revoked by keyboard alone', async (browser) => {
  await using owner = await scene.enter(browser, 'owner')
  const { page, errors } = owner
  await page.goto(`${scene.octavo.url}/o/${scene.octavo.organizationId}/keys`)
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
  const create = page.getByRole('button', { name: 'New key' }).first()
  await tabTo(page, create)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New API key' }).waitFor()
  await page.keyboard.type('Made by keys')
  await page.keyboard.press('Enter')
  await page.getByLabel('The new API key').waitFor()
  await tabTo(page, page.getByRole('button', { name: 'I have copied it' }))
  await page.keyboard.press('Enter')
  await isBackAt(page, create)
  const row = page.getByRole('row', { name: /Made by keys/ })
  await tabTo(page, row.getByRole('button', { name: 'Revoke' }))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Revoke this key?' }).waitFor()
  await page.keyboard.type('Made by keys')
  await page.keyboard.press('Enter')
  await row.getByText('revoked').waitFor()
  assert.deepEqual(errors, [])
})
