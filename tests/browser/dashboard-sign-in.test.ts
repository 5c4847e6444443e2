/** Sign-in by password, invitation, passkey and single sign-on, with and without a second factor. */
import assert from 'node:assert/strict'
import { after, before, beforeEach } from 'node:test'
import type { Page } from 'playwright-core'
import { createSetupLink } from '../../src/app/operator/sign-in.ts'
import { seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type OidcProvider, startOidcProvider } from '../kit/oidc-provider.ts'
import { addPerson, PASSWORD, signedIn } from '../kit/people.ts'
import { nextCode, totpCode } from '../kit/totp.ts'
import { until } from '../kit/until.ts'
import { enterAt, isBackAt, tabTo } from './dashboard-look.ts'
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

browserTest('the setup link creates the owner, signs them in and works once', async (browser) => {
  const link = await createSetupLink(scene.octavo.node.context)
  assert.ok(link)
  await using owner = await scene.visit(browser)
  const { page } = owner
  await page.goto(link)
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Email address').fill('grace@example.com')
  await page.getByLabel('Password', { exact: true }).fill('password1234')
  await page.getByRole('button', { name: 'Create the owner account' }).click()
  await page.getByText('common words').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create the owner account' }).click()
  await page.waitForURL(`**/p/${scene.projectId}`)
  await page.getByRole('button', { name: 'Grace Hopper' }).waitFor()

  await using late = await scene.visit(browser)
  await late.page.goto(link)
  await late.page.getByRole('heading', { name: 'This installation already has an owner' }).waitFor()
  assert.deepEqual(owner.errors, [])
})

browserTest(
  'rejects a wrong password and returns to the requested page after a sign-in by keyboard',
  async (browser) => {
    const { organizationId, url } = scene.octavo
    await addPerson(scene.octavo.node.context.database, { email: 'back@example.com', organizationId })
    await using looking = await scene.visit(browser)
    const { page } = looking
    await page.goto(`${url}/o/${organizationId}/audit?action=member`)
    await page.waitForURL('**/sign-in?to=*')
    await signInAs(page, 'back@example.com', 'not this one at all')
    await page.getByRole('alert').waitFor()
    await page.reload()
    await tabTo(page, page.getByLabel('Email address'))
    await page.keyboard.type('back@example.com')
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/o/${organizationId}/audit?action=member`)
    await page.getByText('signed in').first().waitFor()

    await enterAt(page, page.getByRole('button', { name: 'Ada Lovelace' }).first())
    // Pressed without a wait: the key must reach the list that is opening.
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in')
    await page.goto(`${url}/account`)
    await page.waitForURL('**/sign-in?to=*')
  },
)

browserTest(
  'turns on two-step verification with a code, and a recovery code completes the next sign-in',
  async (browser) => {
    const { organizationId, url } = scene.octavo
    await addPerson(scene.octavo.node.context.database, { email: 'second@example.com', organizationId })
    await using looking = await scene.visit(browser)
    const { page } = looking
    await page.goto(`${url}/account`)
    await page.waitForURL('**/sign-in?to=*')
    await signInAs(page, 'second@example.com')
    await page.getByRole('heading', { name: 'Two-step verification' }).waitFor()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await page.getByText('Can’t scan it?').click()
    const secret = await page.getByLabel('Setup key').inputValue()
    const uri = `otpauth://totp/x?secret=${secret}`
    await page.getByLabel('Code', { exact: true }).fill(totpCode(uri))
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Save these recovery codes' }).waitFor()
    const codes = ((await page.getByRole('dialog').locator('pre').textContent()) ?? '').trim().split('\n')
    assert.ok(codes.length >= 8)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()

    await using again = await scene.visit(browser)
    // A redirect target outside the dashboard is ignored.
    await again.page.goto(`${url}/sign-in?to=${encodeURIComponent('//elsewhere.example/p/')}`)
    await signInAs(again.page, 'second@example.com')
    await again.page.getByRole('button', { name: 'Use a recovery code' }).click()
    await again.page.getByLabel('Recovery code').fill(codes[0] ?? '')
    await again.page.getByRole('button', { name: 'Continue' }).click()
    await again.page.waitForURL(`${url}/p/**`)
  },
)

browserTest('adds a passkey to the account and signs in with it without a password', async (browser) => {
  const { organizationId, url } = scene.octavo
  await addPerson(scene.octavo.node.context.database, { email: 'key@example.com', organizationId })
  await using looking = await scene.visit(browser)
  const { page, context } = looking
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${url}/account`)
  await page.waitForURL('**/sign-in?to=*')
  await signInAs(page, 'key@example.com')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Passkey added').waitFor()
  await page
    .getByText(/Chrome on \w+/)
    .first()
    .waitFor()
  await context.clearCookies()
  await page.goto(`${url}/sign-in`)
  // The browser may offer the passkey by autofill first. The button does the same.
  const button = page.getByRole('button', { name: 'Use a passkey' })
  await Promise.race([page.waitForURL('**/p/**'), button.click().then(() => page.waitForURL('**/p/**'))])
  assert.deepEqual(looking.errors, [])
})

browserTest(
  'creates an invitation by keyboard, shows its link once, and accepting it applies its role',
  async (browser) => {
    const { organizationId, url } = scene.octavo
    await using admin = await scene.enter(browser, 'admin')
    const { page } = admin
    await page.goto(`${url}/o/${organizationId}/members`)
    const invite = page.getByRole('button', { name: 'Invite' })
    const invited = async (email: string) => {
      await enterAt(page, invite)
      await page.getByRole('dialog', { name: 'Invite people' }).waitFor()
      await page.keyboard.type(email)
      await tabTo(page, page.getByRole('radio', { name: /^Editor/ }))
      await page.keyboard.press('ArrowUp')
      assert.ok(await page.getByRole('radio', { name: /^Viewer/ }).isChecked())
      assert.equal(await page.getByRole('radio', { name: /^Owner/ }).count(), 0)
      await page.keyboard.press('Enter')
      const link = await page.getByLabel('Invitation link').inputValue()
      await enterAt(page, page.getByRole('button', { name: 'Done' }))
      await isBackAt(page, invite)
      await page
        .getByRole('row')
        .filter({ hasText: email })
        .getByRole('cell', { name: 'Viewer', exact: true })
        .waitFor()
      return link
    }
    await invited('mistake@example.com')
    const mistake = page.getByRole('row').filter({ hasText: 'mistake@example.com' })
    await enterAt(page, mistake.getByRole('button', { name: 'Withdraw' }))
    const asked = page.getByRole('dialog', { name: 'Withdraw the invitation?' })
    await enterAt(page, asked.getByRole('button', { name: 'Withdraw' }))
    await mistake.waitFor({ state: 'detached' })
    const link = await invited('new@example.com')
    assert.equal((await page.content()).includes(new URL(link).hash), false)
    assert.deepEqual(admin.errors, [])

    await using guest = await scene.visit(browser)
    await guest.page.goto(link)
    await guest.page.getByRole('heading', { name: 'Join Test' }).waitFor()
    await guest.page.getByLabel('Your name').fill('Newcomer')
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await guest.page.getByRole('button', { name: 'Create the account and join' }).click()
    await guest.page.waitForURL(`**/p/${scene.projectId}`)
    const pages = guest.page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Members' }).waitFor()
    assert.equal(await pages.getByRole('link', { name: 'API keys' }).count(), 0)

    await page.reload()
    const role = page.getByLabel('Role of Newcomer')
    await role.selectOption('editor')
    await page.getByText('Newcomer is now an editor').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Newcomer is now an editor').waitFor({ state: 'detached' })
    await until(async () => (await role.inputValue()) === 'viewer', 'it is undone')
  },
)

browserTest('a session ended elsewhere asks to sign in and returns to the same page', async (browser) => {
  const { organizationId, url } = scene.octavo
  await addPerson(scene.octavo.node.context.database, { email: 'two@example.com', organizationId })
  await using first = await scene.visit(browser)
  await using second = await scene.visit(browser)
  for (const { page } of [first, second]) {
    await page.goto(`${url}/account`)
    await page.waitForURL('**/sign-in?to=*')
    await signInAs(page, 'two@example.com')
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
  }
  await second.page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await second.page.getByRole('button', { name: 'Sign out other sessions' }).click()
  await second.page.getByRole('dialog').waitFor({ state: 'detached' })
  // The refused request already shows that the session has ended, so the page must not wait for this slow response.
  await first.page.route('**/internal/session', () => undefined)
  await first.page.getByRole('link', { name: 'Members' }).click()
  await first.page.waitForURL('**/sign-in?*')
  await first.page.getByText('Your session has ended').waitFor()
  await first.page.unroute('**/internal/session')
  await signInAs(first.page, 'two@example.com')
  await first.page.waitForURL(`**/o/${organizationId}/members`)
})

const at = (page: string) => `${scene.octavo.url}/o/${scene.octavo.organizationId}/${page}`
const pool = () => scene.octavo.node.context.database.pool

browserTest('removing a member asks for the password first and then continues', async (browser) => {
  const { organizationId } = scene.octavo
  const { database } = scene.octavo.node.context
  const leaving = await addPerson(database, {
    ...{ email: 'leaving@example.com', name: 'Leaving Soon', organizationId, role: 'viewer' },
  })
  await using looking = await scene.enter(browser, 'owner')
  const { page, errors } = looking
  await page.goto(at('members'))
  await page.getByRole('button', { name: 'Remove Leaving Soon' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('leaving@example.com')
  await pool().query("UPDATE sessions SET proved_at = now() - interval '1 hour'")
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Remove/ })
    .last()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  const password = dialog.getByLabel('Your password')
  await password.waitFor()
  assert.equal(await password.evaluate((field) => field === document.activeElement), true)
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await password.fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove Leaving Soon' }).waitFor({ state: 'detached' })
  const { rows } = await pool().query('SELECT user_id FROM members WHERE user_id = $1', [leaving.id])
  assert.deepEqual(rows, [])
  assert.deepEqual(errors, [])
})

browserTest('a member without a second factor must set one up and then continues', async (browser) => {
  await using looking = await scene.enter(browser, 'editor')
  const { page, errors } = looking
  const { organizationId } = scene.octavo
  const require = (days: number) =>
    pool().query(
      "UPDATE organizations SET second_factor_since = now() - interval '1 minute', second_factor_days = $2 WHERE id = $1",
      [organizationId, days],
    )
  await require(7)
  await page.goto(at('members'))
  await page.getByText('A second factor will be required in').waitFor()
  await require(0)
  await pool().query("UPDATE members SET created_at = now() - interval '1 day'")
  await page.goto(at('members'))
  await page.getByRole('heading', { name: 'A second factor is required' }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Turn on', exact: true }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const answered = page.waitForResponse(/two-factor\/verify-totp/)
  await page.getByText('Can’t scan it?').click()
  const secret = await page.getByLabel('Setup key').inputValue()
  await page.getByLabel('Code', { exact: true }).fill(totpCode(`otpauth://totp/x?secret=${secret}`))
  await page.keyboard.press('Enter')
  assert.equal((await answered).status(), 200)
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Members', exact: true }).waitFor()
  assert.deepEqual(errors, [])
  await pool().query('UPDATE organizations SET second_factor_since = NULL')
})

browserTest('signing in through the provider returns to the requested page', async (browser) => {
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
  // Users of single sign-on have no password, so the account page has no password section.
  await page.goto(`${url}/account`)
  await page.getByText('This session').waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Password' }).count(), 0)
  assert.deepEqual(looking.errors, [])
})

const REFUSED = [
  {
    who: 'a stranger',
    user: { sub: 'x', email: 'x@elsewhere.example', email_verified: true },
    says: 'There is no account or invitation for this address',
  },
  {
    who: 'an address that the provider has not verified',
    user: { sub: 'u', email: 'boss@staff.example', email_verified: false },
    says: 'has not verified your email address',
  },
  {
    who: 'a token that is not the provider’s',
    user: { sub: 'grace', email: 'grace@staff.example', email_verified: true },
    spoil: 'signature',
    says: 'Single sign-on did not work',
  },
  {
    who: 'a person who says no there',
    user: { sub: 'grace', email: 'grace@staff.example', email_verified: true },
    refuses: true,
    says: 'The provider did not let you in',
  },
] as const
browserTest('shows why the provider refused a sign-in and allows another try', async (browser) => {
  await using looking = await scene.visit(browser)
  const { page } = looking
  for (const { who, user, says, ...more } of REFUSED) {
    provider.user = { ...user }
    provider.spoil = 'spoil' in more ? more.spoil : null
    provider.refuses = 'refuses' in more
    await page.goto(`${scene.octavo.url}/sign-in?to=/account`)
    await goOn(page)
    await page.getByRole('alert').getByText(says).waitFor()
    assert.equal(new URL(page.url()).pathname, '/sign-in', who)
  }
  provider.user = { sub: 'alan', email: 'alan@staff.example', name: 'Alan Kay', email_verified: true }
  provider.spoil = null
  provider.refuses = false
  await goOn(page)
  await page.waitForURL('**/account')
})

browserTest(
  'connects an account that has a password to the provider and still asks for its code',
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
