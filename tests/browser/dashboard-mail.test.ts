/** Mail in the dashboard: its server set by an operator, a forgotten password, and what comes by mail. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { findUserByEmail } from '../../src/features/accounts/people/users.ts'
import { assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { MAIL_PASSWORD, MAIL_USER, type MailServer, startMailServer } from '../kit/mail-server.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let server: MailServer
let scene: PeopleScene
before(async () => {
  server = await startMailServer({ asksLogin: true })
  scene = await openPeopleScene({
    OCTAVO_MAIL_CA_FILE: server.caFile,
    OCTAVO_MAIL_PRIVATE_HOSTS: '127.0.0.1',
  })
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const ofMail = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Mail', exact: true }) })

browserTest(
  'an operator sets a mail server, tested first; only then mail is offered anywhere',
  async (browser) => {
    await using looking = await scene.enter(browser, 'owner')
    const { queries } = scene.octavo.node.context.database
    const owner = await findUserByEmail(queries, 'owner@example.com')
    await queries
      .insertInto('operators')
      .values({ user_id: owner?.id ?? '', made_by: 'cli' })
      .execute()
    const { page, errors } = looking
    const { url, organizationId } = scene.octavo
    await page.goto(`${url}/account`)
    await page.getByLabel('An export is ready', { exact: true }).waitFor()
    assert.equal(await page.getByRole('switch', { name: /^Mail to/ }).count(), 0)

    await page.goto(`${url}/o/${organizationId}/server`)
    await page.getByRole('button', { name: 'Set a mail server' }).click()
    await page.getByLabel('Server').fill('127.0.0.1')
    await ofMail(page).getByLabel('Port').fill(String(server.port))
    await page.getByLabel('User').fill(MAIL_USER)
    await page.getByLabel('Password', { exact: true }).fill('not-this-one')
    await ofMail(page).getByRole('button', { name: 'Save', exact: true }).click()
    // The first wrong field.
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Sender').fill('Acme Docs <docs@acme.example.com>')
    await ofMail(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('refused the sign-in').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(MAIL_PASSWORD)
    await page.getByRole('button', { name: 'Send a test mail' }).click()
    await page.getByRole('status').getByText('The server took a mail to owner@example.com').waitFor()
    await ofMail(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('One is stored').waitFor()
    await page.getByText('One is stored').waitFor()
    await assertAccessible(page)
    assert.equal(
      await ofMail(page)
        .getByLabel(/^Password/)
        .inputValue(),
      '',
    )

    await page.goto(`${url}/account`)
    const all = page.getByRole('switch', { name: 'Mail to owner@example.com' })
    await all.waitFor()
    await page.getByLabel('An export is ready: mail').selectOption('daily')
    await page.getByLabel('Hour of the daily mail').selectOption('6')
    await all.waitFor()
    await assertAccessible(page)
    await page.reload()
    await all.waitFor()
    assert.equal(await page.getByLabel('An export is ready: mail').inputValue(), 'daily')
    assert.equal(await page.getByLabel('Hour of the daily mail').inputValue(), '6')
    await all.click()
    await page.getByLabel('An export is ready: mail').waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  },
)

browserTest('who has forgotten the password asks for a link where they sign in', async (browser) => {
  await using context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${scene.octavo.url}/sign-in`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('E-mail address').waitFor()
  await assertAccessible(page)
  await page.getByLabel('E-mail address').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
})
