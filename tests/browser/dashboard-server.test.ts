/** Server pages of the dashboard: settings are tested before they are saved, and secrets are never shown. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { MAIL_PASSWORD, MAIL_USER, type MailServer, startMailServer } from '../kit/mail-server.ts'
import { type ModelServer, refuses, replies, startModelServer } from '../kit/model-server.ts'
import { startOidcProvider } from '../kit/oidc-provider.ts'
import type { Looking } from './dashboard-look.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

const KEY = 'sk-of-the-harbour-7421'
const READY = replies({ toolCalls: [{ name: 'ready', input: { word: 'ready' } }] })

let scene: PeopleScene
let server: ModelServer
let mail: MailServer
before(async () => {
  mail = await startMailServer({ asksLogin: true })
  scene = await openPeopleScene({
    OCTAVO_MAIL_CA_FILE: mail.caFile,
    OCTAVO_MODEL_PRIVATE_HOSTS: '127.0.0.1',
    OCTAVO_OIDC_PRIVATE_HOSTS: '127.0.0.1,localhost',
    OCTAVO_MAIL_PRIVATE_HOSTS: '127.0.0.1',
  })
  server = await startModelServer(({ model }) =>
    model === 'harbour-1' ? READY : refuses(404, `no model ${model}`),
  )
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

const address = () => `${scene.octavo.url}/o/${scene.octavo.organizationId}/server`

async function operator(browser: Browser, options = {}): Promise<Looking> {
  const looking = await scene.enter(browser, 'owner', options)
  const { queries } = scene.octavo.node.context.database
  const { id } = await queries
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'owner@example.com')
    .executeTakeFirstOrThrow()
  await queries
    .insertInto('operators')
    .values({ user_id: id, made_by: 'cli' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return looking
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

const ofModel = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Language model' }) })

async function fill(page: Page, model: string): Promise<void> {
  await page.getByLabel('Provider').selectOption('openai-compatible')
  await page.getByLabel('Model', { exact: true }).fill(model)
  await page.getByLabel('URL').fill(server.url)
  await page.getByLabel(/^Key/).fill(KEY)
}

browserTest(
  'an operator tests a model, sees its errors and saves it, and the key is never shown again',
  async (browser) => {
    await using looking = await operator(browser)
    const { page, errors } = looking
    const answers: string[] = []
    page.on('response', async (response) => {
      if (response.url().includes('/internal/')) answers.push(await response.text().catch(() => ''))
    })
    await page.goto(address())
    await page.getByRole('link', { name: 'Server' }).first().waitFor()
    await page.getByLabel('Provider').selectOption('openai-compatible')
    await save(page)
    await page.locator('[aria-invalid="true"]').first().waitFor()
    await page.getByText('Enter the name of a model at this provider.').waitFor()

    await fill(page, 'harbour-2')
    await save(page)
    const wrong = page.getByRole('alert')
    await wrong.getByText('Check the name of the model').waitFor()
    await wrong.getByRole('button', { name: 'Save anyway' }).waitFor()
    assert.equal(
      scene.octavo.node.context.models.current().model,
      null,
      'nothing is stored that does not answer',
    )

    await fill(page, 'harbour-1')
    await ofModel(page).getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByRole('status').getByText('and can call tools').waitFor()
    await page.getByLabel('Assistant', { exact: true }).selectOption('same')
    await save(page)
    await page.getByText('Stored, ends in 7421').waitFor()
    await page.getByText('Changed').first().waitFor()
    assert.equal(await page.getByLabel(/^Key/).inputValue(), '', 'what is there is not shown')
    await page.reload()
    await page.getByText('Stored, ends in 7421').waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }]),
    )
    assert.equal((kept + answers.join()).includes(KEY), false)
    assert.ok(server.authorizations.every((text) => text === `Bearer ${KEY}`))
    assert.deepEqual(errors, [])
  },
)

browserTest('shows model errors in the dashboard language', async (browser) => {
  await using looking = await operator(browser, { locale: 'fr-FR' })
  const { page, errors } = looking
  await page.goto(address())
  await page.getByLabel('Fournisseur').selectOption('openai-compatible')
  await page.getByLabel('Modèle', { exact: true }).fill('harbour-2')
  await page.getByLabel('URL').fill(server.url)
  await page.getByRole('button', { name: 'Tester' }).first().click()
  const wrong = page.getByRole('alert')
  await wrong.getByText('Le fournisseur n’a pas ce modèle.').waitFor()
  await wrong.getByText('Vérifiez le nom du modèle').waitFor()
  assert.match((await wrong.locator('[lang="en"]').textContent()) ?? '', /no model harbour-2/)
  assert.deepEqual(errors, [])
})

browserTest('an operator sets the preview domain after a test, and the retention period', async (browser) => {
  await using looking = await operator(browser)
  const { page, errors } = looking
  await page.goto(address())
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Previews' }) })
  const domain = section.getByLabel('Domain')
  await domain.fill('not a domain')
  await save(page)
  await section.locator('[aria-invalid="true"]').waitFor()
  // This domain does not resolve.
  await domain.fill('nothing.invalid')
  await save(page)
  await section.getByRole('alert').getByRole('button', { name: 'Save anyway' }).waitFor()
  await domain.fill('looks.localhost')
  await section.getByRole('button', { name: 'Test', exact: true }).click()
  await section.getByRole('status').getByText('resolve to this server').waitFor()
  await save(page)
  await section.getByText('Changed').waitFor()
  assert.equal(await domain.inputValue(), 'looks.localhost')

  await page.getByLabel('Emails', { exact: true }).selectOption('7')
  await save(page)
  const dialog = page.getByRole('dialog', { name: 'Delete older data?' })
  await dialog.getByText('Emails: older than 7 days').waitFor()
  await dialog.getByRole('button', { name: 'Save and delete' }).click()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
  await page.reload()
  await section.getByText('Changed').waitFor()
  assert.equal(await page.getByLabel('Emails', { exact: true }).inputValue(), '7')
  assert.deepEqual(errors, [])
})

browserTest(
  'an organization gets its own identity provider, and people of its domain sign in through it',
  async (browser) => {
    const { organizationId, url } = scene.octavo
    await using provider = await startOidcProvider(() => [`${url}/auth/callback/${organizationId}`])
    await using looking = await operator(browser)
    const { page } = looking
    await page.goto(address())
    const sso = page.getByRole('switch', { name: 'Single sign-on', exact: true })
    await sso.click()
    await page.getByLabel('Issuer').fill('http://127.0.0.1:9')
    await page.getByLabel('Client ID').fill('octavo')
    await page.getByLabel('Client secret').fill('of the harbour')
    await page.getByLabel('Email domains whose users join without an invitation').fill('example.com')
    await page.locator('section', { has: sso }).getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('Nobody could sign in with these settings').waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Add a provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Organization ID').fill(organizationId)
    await dialog.getByLabel('Issuer').fill(provider.issuer)
    await dialog.getByLabel('Client ID').fill(provider.clientId)
    await dialog.getByLabel('Client secret').fill('wrong')
    await dialog.getByLabel('Domains').fill('own.example')
    await dialog.getByRole('button', { name: 'Test and save' }).click()
    await dialog.getByRole('alert').getByText('Nobody could sign in with these settings').waitFor()
    await dialog.getByLabel('Client secret').fill(provider.clientSecret)
    await dialog.getByRole('button', { name: 'Test and save' }).click()
    await page.getByRole('listitem').getByText('own.example').waitFor()

    provider.user = { sub: 'own', email: 'own@own.example', name: 'Own Person', email_verified: true }
    await using visiting = await scene.visit(browser)
    await visiting.page.goto(`${url}/sign-in`)
    await visiting.page.getByRole('button', { name: 'Continue with Single sign-on' }).click()
    await visiting.page.getByLabel('Your work email address').fill('own@own.example')
    await visiting.page.getByRole('button', { name: 'Continue', exact: true }).click()
    await visiting.page.getByRole('button', { name: 'Own Person' }).waitFor()

    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('listitem').getByText('own.example').waitFor({ state: 'detached' })
  },
)

const ofMail = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Email', exact: true }) })

browserTest(
  'an operator sets a mail server after a test, and email options appear only then',
  async (browser) => {
    await using looking = await operator(browser)
    const { page, errors } = looking
    const { url, organizationId } = scene.octavo
    await page.goto(`${url}/account`)
    await page.getByLabel('An export is ready', { exact: true }).waitFor()
    assert.equal(await page.getByRole('switch', { name: /^Email to/ }).count(), 0)

    await page.goto(`${url}/o/${organizationId}/server`)
    await page.getByLabel('Server').fill('127.0.0.1')
    await ofMail(page).getByLabel('Port').fill(String(mail.port))
    await page.getByLabel('User').fill(MAIL_USER)
    await page.getByLabel('Password', { exact: true }).fill('not-this-one')
    await save(page)
    // Validation marks the first invalid field.
    await page.locator('[aria-invalid="true"]').waitFor()
    await page.getByLabel('Sender').fill('Acme Docs <docs@acme.example.com>')
    await save(page)
    await page.getByRole('alert').getByText('rejected the sign-in').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(MAIL_PASSWORD)
    await page.getByRole('button', { name: 'Send a test email' }).click()
    await page.getByRole('status').getByText('The server accepted an email to owner@example.com').waitFor()
    await save(page)
    await page.getByText('Stored, set').waitFor()
    await assertAccessible(page)
    assert.equal(
      await ofMail(page)
        .getByLabel(/^Password/)
        .inputValue(),
      '',
    )

    await page.goto(`${url}/account`)
    const all = page.getByRole('switch', { name: 'Email to owner@example.com' })
    await all.waitFor()
    await page.getByLabel('An export is ready: email').selectOption('daily')
    await page.getByLabel('Time of the daily email').selectOption('6')
    await save(page)
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.reload()
    await all.waitFor()
    assert.equal(await page.getByLabel('An export is ready: email').inputValue(), 'daily')
    assert.equal(await page.getByLabel('Time of the daily email').inputValue(), '6')
    await all.click()
    await page.getByLabel('An export is ready: email').waitFor({ state: 'detached' })
    assert.deepEqual(errors, [])
  },
)

browserTest('requests a password reset link from the sign-in page', async (browser) => {
  await using context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${scene.octavo.url}/sign-in`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('Email address').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
})
