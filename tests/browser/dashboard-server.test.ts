/** What who runs the server sets on the dashboard: model, previews, mail, providers; tested before it is saved, secrets shown to nobody. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
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

const ofModel = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Language model' }) })

async function fill(page: Page, model: string): Promise<void> {
  await page.getByLabel('Provider').selectOption('openai-compatible')
  await page.getByLabel('Model', { exact: true }).fill(model)
  await page.getByLabel('Address').fill(server.url)
  await page.getByLabel('Key').fill(KEY)
}

browserTest(
  'an operator tests a model, sees what is wrong, saves it, and sees no key again',
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
    await ofModel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('[aria-invalid="true"]').first().waitFor()

    await fill(page, 'harbour-2')
    await ofModel(page).getByRole('button', { name: 'Save', exact: true }).click()
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
    await page.getByRole('status').getByText('and calls tools').waitFor()
    await page.getByLabel('Assistant', { exact: true }).selectOption('same')
    await ofModel(page).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('A key that ends in 7421 is stored').waitFor()
    await page.getByText('Changed').first().waitFor()
    assert.equal(await page.getByLabel('Key').inputValue(), '', 'what is there is not shown')
    await page.reload()
    await page.getByText('A key that ends in 7421 is stored').waitFor()
    await assertAccessible(page)
    const kept = await page.evaluate(() =>
      JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }]),
    )
    assert.equal((kept + answers.join()).includes(KEY), false)
    assert.ok(server.authorizations.every((text) => text === `Bearer ${KEY}`))
    assert.deepEqual(errors, [])
  },
)

browserTest('what is wrong with a model is told in the language of the dashboard', async (browser) => {
  await using looking = await operator(browser, { locale: 'fr-FR' })
  const { page, errors } = looking
  await page.goto(address())
  await page.getByLabel('Fournisseur').selectOption('openai-compatible')
  await page.getByLabel('Modèle', { exact: true }).fill('harbour-2')
  await page.getByLabel('Adresse').fill(server.url)
  await page.getByRole('button', { name: 'Tester' }).first().click()
  const wrong = page.getByRole('alert')
  await wrong.getByText('Le fournisseur n’a pas ce modèle.').waitFor()
  await wrong.getByText('Vérifiez le nom du modèle').waitFor()
  assert.match((await wrong.locator('[lang="en"]').textContent()) ?? '', /no model harbour-2/)
  assert.deepEqual(errors, [])
})

browserTest(
  'an operator names the domain of previews, tested first, and days of retention',
  async (browser) => {
    await using looking = await operator(browser)
    const { page, errors } = looking
    await page.goto(address())
    const section = page.locator('section', { has: page.getByRole('heading', { name: 'Previews' }) })
    const domain = section.getByLabel('Domain')
    await domain.fill('not a domain')
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await section.locator('[aria-invalid="true"]').waitFor()
    // Nobody answers there.
    await domain.fill('nothing.invalid')
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await section.getByRole('alert').getByRole('button', { name: 'Save anyway' }).waitFor()
    await domain.fill('looks.localhost')
    await section.getByRole('button', { name: 'Test', exact: true }).click()
    await section.getByRole('status').getByText('lead to this server').waitFor()
    await section.getByRole('button', { name: 'Save', exact: true }).click()
    await section.getByText('Changed').waitFor()
    assert.equal(await domain.inputValue(), 'looks.localhost')

    await page.getByLabel('Days for: Mails').selectOption('7')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Mails: keep for 7 days?' }).waitFor()
    await dialog.getByRole('button', { name: 'Keep' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.reload()
    await section.getByText('Changed').waitFor()
    assert.equal(await page.getByLabel('Days for: Mails').inputValue(), '7')
    assert.deepEqual(errors, [])
  },
)

browserTest(
  'an organization gets a provider of its own, and people of its domain come by it',
  async (browser) => {
    const { organizationId, url } = scene.octavo
    await using provider = await startOidcProvider(() => [`${url}/auth/callback/${organizationId}`])
    await using looking = await operator(browser)
    const { page } = looking
    await page.goto(address())
    await page.getByRole('button', { name: 'Add a provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Id of the organization').fill(organizationId)
    await dialog.getByLabel('Issuer').fill(provider.issuer)
    await dialog.getByLabel('Client id').fill(provider.clientId)
    await dialog.getByLabel('Client secret').fill('wrong')
    await dialog.getByLabel('Domains').fill('own.example')
    await dialog.getByRole('button', { name: 'Test and save' }).click()
    await dialog.getByRole('alert').getByText('Nobody could sign in with this').waitFor()
    await dialog.getByLabel('Client secret').fill(provider.clientSecret)
    await dialog.getByRole('button', { name: 'Test and save' }).click()
    await page.getByRole('listitem').getByText('own.example').waitFor()
    assert.deepEqual(await seriousFaults(page), [])

    provider.user = { sub: 'own', email: 'own@own.example', name: 'Own Person', email_verified: true }
    await using visiting = await scene.visit(browser)
    await visiting.page.goto(`${url}/sign-in`)
    await visiting.page.getByRole('button', { name: 'Continue with Single sign-on' }).click()
    await visiting.page.getByLabel('Your e-mail address at work').fill('own@own.example')
    await visiting.page.getByRole('button', { name: 'Continue', exact: true }).click()
    await visiting.page.getByRole('button', { name: 'Own Person' }).waitFor()

    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('listitem').getByText('own.example').waitFor({ state: 'detached' })
  },
)

browserTest('a token for git is asked for at its forge before it is saved', async (browser) => {
  await using forge = await startForge()
  // As the operator would say in OCTAVO_FORGES, OCTAVO_GIT_PRIVATE_HOSTS and OCTAVO_GIT_ALLOW_HTTP.
  await using own = await openPeopleScene({
    OCTAVO_FORGES: `${forge.host}=gitea`,
    OCTAVO_GIT_PRIVATE_HOSTS: forge.host,
    OCTAVO_GIT_ALLOW_HTTP: 'true',
  })
  await using looking = await own.enter(browser, 'admin')
  const { page, errors } = looking
  await page.goto(`${own.octavo.url}/o/${own.octavo.organizationId}/git`)
  await page.getByRole('button', { name: 'Add a token' }).first().click()
  await page.getByLabel('Host, optionally with a path').fill(`${forge.host}/acme`)
  const field = page.getByLabel('Token', { exact: true })
  await field.fill('a-wrong-token-of-the-harbour')
  await page.getByRole('button', { name: 'Save the token' }).click()
  await page.getByRole('alert').getByText('refuses the token').waitFor()
  await page.getByRole('button', { name: 'Save anyway' }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await field.fill(GIT_TOKEN)
  await page.getByRole('button', { name: 'Save the token' }).click()
  await page.getByText('The token may write to 1 repository.').waitFor()
  await page
    .getByRole('row', { name: /acme/ })
    .getByText(`…${GIT_TOKEN.slice(-4)}`)
    .waitFor()
  assert.deepEqual(errors, [])
})

const ofMail = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Mail', exact: true }) })

browserTest(
  'an operator sets a mail server, tested first; only then mail is offered anywhere',
  async (browser) => {
    await using looking = await operator(browser)
    const { page, errors } = looking
    const { url, organizationId } = scene.octavo
    await page.goto(`${url}/account`)
    await page.getByLabel('An export is ready', { exact: true }).waitFor()
    assert.equal(await page.getByRole('switch', { name: /^Mail to/ }).count(), 0)

    await page.goto(`${url}/o/${organizationId}/server`)
    await page.getByRole('button', { name: 'Set a mail server' }).click()
    await page.getByLabel('Server').fill('127.0.0.1')
    await ofMail(page).getByLabel('Port').fill(String(mail.port))
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

const GIT_TOKEN = 'token-of-the-harbour-9033'

/** Answers what Gitea does to who looks for repositories. */
async function startForge() {
  const repositories = [
    { full_name: 'acme/docs', permissions: { push: true } },
    { full_name: 'acme/code', permissions: { push: false } },
  ]
  const forge = createServer((request, response) => {
    const isRight = request.headers.authorization === `token ${GIT_TOKEN}`
    response.writeHead(isRight ? 200 : 401, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isRight ? { data: repositories } : { message: 'invalid token' }))
  }).listen(0, '127.0.0.1')
  await once(forge, 'listening')
  return {
    host: `127.0.0.1:${(forge.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      forge.closeAllConnections()
      forge.close()
    },
  }
}
