/** A second factor that is required leads people to one, and what is hard to undo asks for the password once more. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser } from 'playwright-core'
import { assertAccessible, seriousFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { addPerson, PASSWORD } from '../kit/people.ts'
import { totpCode } from '../kit/totp.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene()
})
after(() => scene[Symbol.asyncDispose]())

const at = (page: string) => `${scene.octavo.url}/o/${scene.octavo.organizationId}/${page}`
const pool = () => scene.octavo.node.context.database.pool

browserTest(
  'removing a member asks for the password first, by keys alone, and goes on',
  async (browser: Browser) => {
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
  },
)

browserTest('a member without a second factor is led to one, and then goes on', async (browser: Browser) => {
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

browserTest(
  'an owner reads and sets the rules, and an operator those of the server',
  async (browser: Browser) => {
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
  },
)
