/** Single sign-on by the page: the button, the provider, and back; and what is said when it does not work. */
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type OidcProvider, startOidcProvider } from '../kit/oidc-provider.ts'
import { addPerson, PASSWORD, signedIn } from '../kit/people.ts'
import { nextCode, totpCode } from '../kit/totp.ts'
import { openPeopleScene, type PeopleScene, signInAs } from './dashboard-people-scene.ts'

let provider: OidcProvider
let scene: PeopleScene
before(async () => {
  provider = await startOidcProvider(() => [`${scene.octavo.url}/auth/callback/sso`])
  scene = await openPeopleScene({
    OCTAVO_OIDC_ISSUER: provider.issuer,
    OCTAVO_OIDC_CLIENT_ID: provider.clientId,
    OCTAVO_OIDC_CLIENT_SECRET: provider.clientSecret,
    OCTAVO_OIDC_NAME: 'Example Login',
    OCTAVO_OIDC_DOMAIN: 'staff.example',
    OCTAVO_OIDC_ROLE: 'editor',
    OCTAVO_LIMIT_SIGN_INS: '1000/60',
  })
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => {
  provider.spoil = null
  provider.refuses = false
})

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue with Example Login' }).click()

browserTest(
  'the button leads to the provider and back to where one wanted to go, signed in',
  async (browser) => {
    provider.user = { sub: 'grace', email: 'grace@staff.example', name: 'Grace Hopper', email_verified: true }
    const { organizationId, url } = scene.octavo
    await using looking = await scene.visit(browser)
    const { page } = looking
    await page.goto(`${url}/o/${organizationId}/members`)
    await page.waitForURL('**/sign-in?to=*')
    await goOn(page)
    await page.waitForURL(`**/o/${organizationId}/members`)
    await page.getByRole('button', { name: 'Grace Hopper' }).waitFor()
    await page
      .getByRole('row', { name: /grace@staff\.example/ })
      .getByText('Editor')
      .waitFor()
    // No password here, so nothing of the account asks for one.
    await page.goto(`${url}/account`)
    await page.getByText('This session').waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Password' }).count(), 0)
    assert.deepEqual(looking.errors, [])
  },
)

browserTest('the invited come in by the provider too, with the role of the invitation', async (browser) => {
  const { organizationId, url } = scene.octavo
  await addPerson(scene.octavo.node.context.database, { email: 'inviter@example.com', organizationId })
  const inviter = await signedIn(url, { email: 'inviter@example.com', organizationId })
  await inviter.post('/internal/invitations', { email: 'guest@elsewhere.example', role: 'viewer' })
  provider.user = { sub: 'guest', email: 'guest@elsewhere.example', name: 'Guest', email_verified: true }
  await using looking = await scene.visit(browser)
  const { page } = looking
  await page.goto(`${url}/sign-in`)
  await goOn(page)
  await page.waitForURL(`**/p/${scene.projectId}`)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Members' }).waitFor()
  assert.equal(await pages.getByRole('link', { name: 'API keys' }).count(), 0)
})

const REFUSED = [
  {
    who: 'a stranger',
    user: { sub: 'x', email: 'x@elsewhere.example', email_verified: true },
    says: 'No account or invitation here has this address',
  },
  {
    who: 'an address that the provider has not verified',
    user: { sub: 'u', email: 'boss@staff.example', email_verified: false },
    says: 'has not verified your e-mail address',
  },
  {
    who: 'a token that is not the provider’s',
    user: { sub: 'grace', email: 'grace@staff.example', email_verified: true },
    spoil: 'signature',
    says: 'Single sign-on did not work',
  },
] as const
browserTest('whoever is refused is told so in words, and may try again', async (browser) => {
  await using looking = await scene.visit(browser)
  const { page } = looking
  for (const { who, user, says, ...more } of REFUSED) {
    provider.user = { ...user }
    provider.spoil = 'spoil' in more ? more.spoil : null
    await page.goto(`${scene.octavo.url}/sign-in`)
    await goOn(page)
    await page.getByRole('alert').getByText(says).waitFor()
    assert.equal(new URL(page.url()).pathname, '/sign-in', who)
  }
  await assertAccessible(page)
  provider.user = { sub: 'alan', email: 'alan@staff.example', name: 'Alan Kay', email_verified: true }
  provider.spoil = null
  await goOn(page)
  await page
    .getByRole('button', { name: 'Alan Kay' })
    .or(page.getByRole('button', { name: 'More' }))
    .first()
    .waitFor()
})

browserTest(
  'who says no at the provider is told so, and comes back to the same place later',
  async (browser) => {
    provider.user = { sub: 'alan', email: 'alan@staff.example', name: 'Alan Kay', email_verified: true }
    provider.refuses = true
    await using looking = await scene.visit(browser)
    const { page } = looking
    await page.goto(`${scene.octavo.url}/account`)
    await page.waitForURL('**/sign-in?to=*')
    await goOn(page)
    await page.getByRole('alert').getByText('The provider did not let you in').waitFor()
    provider.refuses = false
    await goOn(page)
    await page.waitForURL('**/account')
  },
)

browserTest(
  'an account with a password is connected on its page, and asks for its codes',
  async (browser) => {
    const { organizationId, url, node } = scene.octavo
    const email = 'connected@example.com'
    await addPerson(node.context.database, { email, organizationId })
    const own = await signedIn(url, { email, organizationId })
    const { totpURI } = await own.post<{ totpURI: string }>('/auth/two-factor/enable', { password: PASSWORD })
    provider.user = { sub: 'connected', email, email_verified: true }
    await using looking = await scene.visit(browser)
    const { page } = looking
    await page.goto(`${url}/sign-in?to=/account`)
    await goOn(page)
    await page.getByRole('alert').getByText('An account with this address exists').waitFor()
    await signInAs(page, email)
    await page.getByRole('button', { name: 'Connect Example Login' }).click()
    await page.getByText('Your account is connected to your identity').waitFor()
    await own.post('/auth/two-factor/verify-totp', { code: totpCode(totpURI) })
    await using again = await scene.visit(browser)
    await again.page.goto(`${url}/sign-in?to=/account`)
    await goOn(again.page)
    await again.page.getByLabel('Code').fill(nextCode(totpURI))
    await again.page.waitForURL('**/account')
  },
)

browserTest('with the provider down it is said in words, and a password still opens', async (browser) => {
  const gone = await startOidcProvider(() => [])
  await gone[Symbol.asyncDispose]()
  await using alone = await openPeopleScene({
    OCTAVO_OIDC_ISSUER: gone.issuer,
    OCTAVO_OIDC_CLIENT_ID: gone.clientId,
    OCTAVO_OIDC_CLIENT_SECRET: gone.clientSecret,
    OCTAVO_OIDC_NAME: 'Example Login',
  })
  const { organizationId, url } = alone.octavo
  await addPerson(alone.octavo.node.context.database, { email: 'local@example.com', organizationId })
  await using looking = await alone.visit(browser)
  const { page } = looking
  await page.goto(`${url}/sign-in`)
  await goOn(page)
  await page.getByRole('alert').getByText('The provider of single sign-on cannot be reached').waitFor()
  assert.equal(new URL(page.url()).pathname, '/sign-in')
  await signInAs(page, 'local@example.com')
  await page.waitForURL('**/p/**')
})
