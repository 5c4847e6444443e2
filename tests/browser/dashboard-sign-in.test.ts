/** Coming in, by every way there is, in a real browser at a real node; and the second factor that is asked for. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { createSetupLink } from '../../src/app/operator/sign-in.ts'
import { assertAccessible, seriousFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { addPerson, PASSWORD } from '../kit/people.ts'
import { totpCode } from '../kit/totp.ts'
import { enterAt, isBackAt, tabTo } from './dashboard-look.ts'
import { openPeopleScene, type PeopleScene, signInAs } from './dashboard-people-scene.ts'

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene()
})
after(() => scene[Symbol.asyncDispose]())

browserTest(
  'the link of the first start makes the owner, who is in at once; it works once',
  async (browser) => {
    const link = await createSetupLink(scene.octavo.node.context)
    assert.ok(link)
    await using owner = await scene.visit(browser)
    const { page } = owner
    await page.goto(link)
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('E-mail address').fill('grace@example.com')
    await page.getByLabel('Password', { exact: true }).fill('password1234')
    await page.getByRole('button', { name: 'Create the owner account' }).click()
    await page.getByText('tried first').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create the owner account' }).click()
    await page.waitForURL(`**/p/${scene.projectId}`)
    await page.getByRole('button', { name: 'Grace Hopper' }).waitFor()

    await using late = await scene.visit(browser)
    await late.page.goto(link)
    await late.page.getByRole('heading', { name: 'This installation has its owner' }).waitFor()
    assert.deepEqual(owner.errors, [])
  },
)

browserTest(
  'a wrong password is refused in words; the right one, by keys alone, leads to where one wanted to go',
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
    await tabTo(page, page.getByLabel('E-mail address'))
    await page.keyboard.type('back@example.com')
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/o/${organizationId}/audit?action=member`)
    await page.getByText('signed in').first().waitFor()

    await enterAt(page, page.getByRole('button', { name: 'Ada Lovelace' }).first())
    // At once: the key is for the list that opens.
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/sign-in')
    await page.goto(`${url}/account`)
    await page.waitForURL('**/sign-in?to=*')
  },
)

browserTest('a target outside of the dashboard is not gone to', async (browser) => {
  const { organizationId, url } = scene.octavo
  await addPerson(scene.octavo.node.context.database, { email: 'safe@example.com', organizationId })
  await using looking = await scene.visit(browser)
  await looking.page.goto(`${url}/sign-in?to=${encodeURIComponent('//elsewhere.example/p/')}`)
  await signInAs(looking.page, 'safe@example.com')
  await looking.page.waitForURL(`${url}/p/**`)
})

browserTest(
  'the second step is turned on with a code, asked for at the next sign-in, and a recovery code serves once',
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
    await page.getByRole('img', { name: 'Picture of the secret, for the app' }).waitFor()
    await page.getByText('I cannot scan it').click()
    const secret = await page.getByLabel('Setup key').inputValue()
    const uri = `otpauth://totp/x?secret=${secret}`
    await page.getByLabel('Code', { exact: true }).fill(totpCode(uri))
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('heading', { name: 'Save these recovery codes' }).waitFor()
    const codes = ((await page.getByRole('dialog').locator('pre').textContent()) ?? '').trim().split('\n')
    assert.ok(codes.length >= 8)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByRole('button', { name: 'Turn off' }).waitFor()

    for (const [isUsed, code] of [
      [false, codes[0] ?? ''],
      [true, codes[0] ?? ''],
    ] as const) {
      await using again = await scene.visit(browser)
      await again.page.goto(`${url}/sign-in`)
      await signInAs(again.page, 'second@example.com')
      await again.page.getByRole('button', { name: 'Use a recovery code' }).click()
      await again.page.getByLabel('Recovery code').fill(code)
      await again.page.getByRole('button', { name: 'Continue' }).click()
      if (isUsed) await again.page.getByRole('alert').waitFor()
      else await again.page.waitForURL('**/p/**')
    }
  },
)

browserTest('a passkey is added to the account and signs in without a password', async (browser) => {
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
  // The browser may propose it by itself, among the proposals of the field; the button does the same.
  const button = page.getByRole('button', { name: 'Use a passkey' })
  await Promise.race([page.waitForURL('**/p/**'), button.click().then(() => page.waitForURL('**/p/**'))])
  assert.deepEqual(looking.errors, [])
})

browserTest(
  'an invitation, made by keys, makes an account with its role; its link is shown once',
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
      const link = await page.getByLabel('Link of the invitation').inputValue()
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
  },
)

browserTest(
  'a session that is ended elsewhere asks to sign in, and comes back to the same page',
  async (browser) => {
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
    // Nobody is asked who is signed in: the refusal said it, and the answer may be long in coming.
    await first.page.route('**/internal/session', () => undefined)
    await first.page.getByRole('link', { name: 'Members' }).click()
    await first.page.waitForURL('**/sign-in?*')
    await first.page.getByText('Your session has ended').waitFor()
    await first.page.unroute('**/internal/session')
    await signInAs(first.page, 'two@example.com')
    await first.page.waitForURL(`**/o/${organizationId}/members`)
  },
)

const at = (page: string) => `${scene.octavo.url}/o/${scene.octavo.organizationId}/${page}`
const pool = () => scene.octavo.node.context.database.pool

browserTest('removing a member asks for the password first, by keys alone, and goes on', async (browser) => {
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

browserTest('a member without a second factor is led to one, and then goes on', async (browser) => {
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
  await page.getByText('A second factor is required here in').waitFor()
  await require(0)
  await pool().query("UPDATE members SET created_at = now() - interval '1 day'")
  await page.goto(at('members'))
  const heading = page.getByRole('heading', { name: 'A second factor is required' })
  await heading.waitFor()
  assert.deepEqual(await seriousFaultsInBothSchemes(page, () => heading.waitFor()), [])
  await page.getByRole('button', { name: 'Turn on', exact: true }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const answered = page.waitForResponse(/two-factor\/verify-totp/)
  await page.getByText('I cannot scan it').click()
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

browserTest('an owner reads and sets the rules, and an operator those of the server', async (browser) => {
  await using looking = await scene.enter(browser, 'owner')
  const { page, errors } = looking
  await pool().query(
    "INSERT INTO operators (user_id, made_by) SELECT id, 'cli' FROM users WHERE email = 'owner@example.com' ON CONFLICT DO NOTHING",
  )
  await page.goto(at('members'))
  const rule = page.getByRole('switch', { name: 'Require a second factor' })
  await rule.click()
  await page.getByLabel('E-mail domains that may join').fill('example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('You need a second factor yourself').first().waitFor()
  await page.goto(at('server'))
  const sso = page.getByRole('switch', { name: 'Single sign-on', exact: true })
  await sso.click()
  await page.getByLabel('Issuer').fill('http://127.0.0.1:9')
  await page.getByLabel('Client id').fill('octavo')
  await page.getByLabel('Client secret').fill('of the harbour')
  await page.getByLabel('Domains that join').fill('example.com')
  const section = page.locator('section', {
    has: page.getByRole('switch', { name: 'Single sign-on', exact: true }),
  })
  await section.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText('Nobody could sign in with this').waitFor()
  await assertAccessible(page)
  assert.deepEqual(errors, [])
})
