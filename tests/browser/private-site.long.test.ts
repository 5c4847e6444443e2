/** Access to a private site by password, signed link and membership, and without any of them. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { allFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { openPeopleScene, type PeopleScene, signInAs } from './dashboard-people-scene.ts'

const PASSWORD = 'reed and river'
const PARTNERS = 'Partners'

let scene: PeopleScene
/** Public URL of the site. */
let site: string
before(async () => {
  scene = await openPeopleScene()
  site = scene.octavo.url.replace(/\/\/[^:]+/, '//docs.localhost')
  await scene.octavo.client.startDeployment(scene.projectId)
})
after(() => scene[Symbol.asyncDispose]())

async function makePrivate(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Private site' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Make it private' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
}

const entranceOf = (page: Page) => page.getByRole('heading', { name: 'docs.localhost is private' })
const startOf = (page: Page) => page.getByRole('heading', { name: 'Start' })

browserTest(
  'an admin makes the site private and adds a password and a signed link, and both let readers in',
  async (browser) => {
    await using admin = await scene.enter(browser, 'admin')
    const { page } = admin
    await page.goto(`${scene.octavo.url}/p/${scene.projectId}/settings/access`)
    await makePrivate(page)
    await page.getByRole('button', { name: 'Add password' }).click()
    await page.getByLabel('For', { exact: true }).fill(PARTNERS)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    assert.deepEqual(await allFaultsInBothSchemes(page), [])
    await page.getByRole('dialog').getByRole('button', { name: 'Add password' }).click()
    const passes = page.getByRole('list', { name: 'Passwords and signed links' })
    await passes.getByText(PARTNERS).waitFor()
    await page.getByRole('button', { name: 'Create signed link' }).click()
    await page.getByLabel('For', { exact: true }).fill('A reviewer')
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByRole('textbox', { name: 'Signed link' }).inputValue()
    await page.getByRole('button', { name: 'Close' }).last().click()
    assert.deepEqual(await allFaultsInBothSchemes(page), [])

    await using reader = await scene.visit(browser)
    await reader.page.goto(`${site}/index`)
    await entranceOf(reader.page).waitFor()
    assert.deepEqual(await allFaultsInBothSchemes(reader.page), [])
    await reader.page.getByLabel('Password').fill('another one')
    await reader.page.keyboard.press('Enter')
    await reader.page.getByRole('alert').waitFor()
    await reader.page.getByLabel('Password').fill(PASSWORD)
    await reader.page.getByRole('button', { name: 'Continue' }).click()
    await startOf(reader.page).waitFor()
    await reader.page.goto(`${site}/_octavo/access`)
    await reader.page.getByRole('button', { name: 'Sign out' }).click()
    await entranceOf(reader.page).waitFor()

    await using reviewer = await scene.visit(browser)
    await reviewer.page.goto(link)
    await startOf(reviewer.page).waitFor()
    await passes
      .getByRole('listitem')
      .filter({ hasText: 'A reviewer' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Delete' })
      .click()
    await passes.getByText('A reviewer').waitFor({ state: 'detached' })
    await reviewer.page.goto(link)
    await reviewer.page.getByText('This link no longer works.').waitFor()
    assert.deepEqual([admin.errors, reader.errors, reviewer.errors], [[], [], []])
  },
)

browserTest('a member signs in to a private site and returns to it', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  await admin.page.goto(`${scene.octavo.url}/p/${scene.projectId}/settings/access`)
  const isPrivate = admin.page.getByRole('switch', { name: 'Private site' })
  await isPrivate.waitFor()
  if ((await isPrivate.getAttribute('aria-checked')) !== 'true') await makePrivate(admin.page)

  await using member = await scene.enter(browser, 'viewer')
  await member.context.clearCookies()
  await member.page.goto(`${site}/index`)
  await member.page.getByRole('link', { name: 'Sign in as a member' }).click()
  await signInAs(member.page, 'viewer@example.com')
  await startOf(member.page).waitFor()
  assert.equal(new URL(member.page.url()).origin, new URL(site).origin)
  assert.deepEqual(member.errors, [])
})
