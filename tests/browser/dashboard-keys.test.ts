/** The organization in the dashboard: whose keys and tokens are, how long they live, that nobody reads them; what is stored. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import type { ApiKeyList } from '../../src/features/accounts/operations/organization.ts'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { addPerson, type Browser as Person, signedIn } from '../kit/people.ts'
import { enterAt, isBackAt } from './dashboard-look.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene({ OCTAVO_LIMIT_NEW_KEYS: '100/3600' })
})
after(() => scene[Symbol.asyncDispose]())

const organization = (path: string) => `${scene.octavo.url}/o/${scene.octavo.organizationId}/${path}`

/** A member with these keys, by name, and their texts. */
async function memberWithKeys(name: string, role: 'editor' | 'admin', keys: readonly string[]) {
  const { organizationId, url, node } = scene.octavo
  const email = `${name.toLowerCase()}@example.com`
  await addPerson(node.context.database, { email, name, organizationId, role })
  const person = await signedIn(url, { email, organizationId })
  const texts: string[] = []
  for (const key of keys) {
    const made = await person.post<{ text: string }>('/internal/api-keys', { name: key, expiresInDays: 90 })
    texts.push(made.text)
  }
  return { email, texts }
}

async function statusWith(key: string): Promise<number> {
  const { status } = await fetch(`${scene.octavo.url}/v1/analytics/${scene.projectId}/feedback`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  return status
}

async function owner(): Promise<Person> {
  const { organizationId, url } = scene.octavo
  return signedIn(url, { email: 'owner@example.com', organizationId })
}

async function remove(page: Page, name: string, email: string, choice?: string): Promise<void> {
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`${name} has made`).waitFor()
  if (choice !== undefined) await dialog.getByRole('radio', { name: choice }).check()
  assert.equal(await dialog.getByRole('button', { name: 'Remove' }).isDisabled(), true)
  await dialog.getByRole('textbox').fill(email)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(email).waitFor({ state: 'detached' })
}

browserTest(
  'who removes a member takes their keys over, and they may no more than before',
  async (browser) => {
    await using looking = await scene.enter(browser, 'owner')
    const { page, errors } = looking
    const { email, texts } = await memberWithKeys('Grace', 'editor', ['Nightly report', 'Search of the shop'])
    await page.goto(organization('members'))
    await page.getByRole('button', { name: 'Remove Grace' }).click()
    const dialog = page.getByRole('dialog')
    for (const [index, name] of ['Nightly report', 'Search of the shop'].entries()) {
      await dialog.getByText(name).waitFor()
      await dialog.getByText(`oct_…${texts[index]?.slice(-4)}`).waitFor()
    }
    assert.equal(await dialog.getByRole('radio', { name: 'Revoke them' }).isChecked(), true)
    await page.keyboard.press('Escape')
    await remove(page, 'Grace', email, 'Take them over')
    assert.deepEqual(await Promise.all(texts.map(statusWith)), [200, 200])
    const { keys } = await (await owner()).json<ApiKeyList>('/internal/api-keys')
    const taken = keys.filter(({ name }) => name !== 'test')
    assert.deepEqual(
      taken.map(({ maker, role }) => [maker?.name, role]),
      [
        ['The owner', 'editor'],
        ['The owner', 'editor'],
      ],
    )
    assert.deepEqual(errors, [])
  },
)

browserTest('left to itself the dialog ends the keys with their maker', async (browser) => {
  await using looking = await scene.enter(browser, 'owner')
  const { page } = looking
  const names = Array.from({ length: 6 }, (_, index) => `Key ${index + 1}`)
  const { email, texts } = await memberWithKeys('Alan', 'admin', names)
  await page.goto(organization('members'))
  await page.getByRole('button', { name: 'Remove Alan' }).click()
  // More than can be named one by one are counted.
  await page.getByRole('dialog').getByText('Alan has made 6 API keys that programs may be using.').waitFor()
  await page.keyboard.press('Escape')
  await remove(page, 'Alan', email)
  assert.deepEqual(await Promise.all(texts.map(statusWith)), [401, 401, 401, 401, 401, 401])
})

browserTest(
  'a bound of lifetimes names the keys that end earlier, and new keys keep to it',
  async (browser) => {
    await using looking = await scene.enter(browser, 'owner')
    const { page } = looking
    const { texts } = await memberWithKeys('Edsger', 'editor', ['A long one'])
    await page.goto(organization('keys'))
    await page.getByText('Keys live as long as whoever creates them chooses.').waitFor()
    const select = page.getByLabel('Maximum lifetime of a key')
    await select.selectOption('30')
    const dialog = page.getByRole('dialog', { name: 'Limit keys to 30 days?' })
    await dialog.getByText('A long one').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await select.inputValue(), 'none', 'nothing is set without a word')
    await select.selectOption('30')
    await dialog.getByRole('button', { name: 'Set the limit' }).click()
    await page.getByText('Keys live at most 30 days.').waitFor()
    await page
      .getByRole('row', { name: /A long one/ })
      .getByText('expires in 30 days')
      .waitFor()
    assert.equal(await statusWith(texts[0] ?? ''), 200)

    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New API key' })
    await form.getByText('The organization lets keys live for at most 30 days.').waitFor()
    const offered = form.getByRole('radiogroup', { name: 'Lifetime' }).getByRole('radio')
    assert.equal(await offered.count(), 2)
    await page.keyboard.press('Escape')
    await select.selectOption('none')
    await page.getByRole('dialog').getByText('Keys that a limit has shortened stay that way.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Set the limit' }).click()
    await page.getByText('Keys live as long as whoever creates them chooses.').waitFor()
    await page
      .getByRole('row', { name: /A long one/ })
      .getByText('expires in 30 days')
      .waitFor()
  },
)

browserTest(
  'a key is made for chosen projects and revoked by keys, and the list says which',
  async (browser) => {
    await using looking = await scene.enter(browser, 'owner')
    const { page, errors } = looking
    const outside = await scene.octavo.addSite('outside.localhost', {
      'docs.json': JSON.stringify({ name: 'Outside', navigation: { pages: ['index'] } }),
      'index.mdx': '---\ntitle: Start\n---\n\nHello.\n',
    })
    await page.goto(organization('keys'))
    const button = page.getByRole('button', { name: 'New key' }).first()
    await enterAt(page, button)
    const form = page.getByRole('dialog', { name: 'New API key' })
    await form.waitFor()
    await page.keyboard.type('One site')
    await form.getByRole('radio', { name: 'Only these projects' }).check()
    const create = form.getByRole('button', { name: 'Create the key' })
    assert.equal(await create.isDisabled(), true, 'no project is chosen yet')
    await form.getByRole('group', { name: 'Projects' }).getByRole('checkbox').first().check()
    assert.deepEqual(await seriousFaults(page), [])
    await enterAt(page, create)
    const made = page.getByRole('dialog', { name: 'Copy your key now' })
    const text = await made.getByRole('textbox', { name: 'The new API key' }).inputValue()
    await page.keyboard.press('Escape')
    await made.getByText('Still open').waitFor()
    await enterAt(page, made.getByRole('button', { name: 'I have copied it' }))
    await isBackAt(page, button)
    const name = (await owner()).json<{ projects: { id: string; name: string }[] }>('/internal/projects')
    const first = (await name).projects.find(({ id }) => id === scene.projectId)?.name ?? ''
    await page
      .getByRole('row', { name: /One site/ })
      .getByText(first, { exact: true })
      .waitFor()
    const status = async (projectId: string) =>
      (
        await fetch(`${scene.octavo.url}/v1/analytics/${projectId}/feedback`, {
          headers: { Authorization: `Bearer ${text}` },
        })
      ).status
    assert.deepEqual([await status(scene.projectId), await status(outside.projectId)], [200, 404])
    await enterAt(page, page.getByRole('row', { name: /One site/ }).getByRole('button', { name: 'Revoke' }))
    await page.getByRole('dialog', { name: 'Revoke this key?' }).waitFor()
    await page.keyboard.type('One site')
    await page.keyboard.press('Enter')
    await page
      .getByRole('row', { name: /One site/ })
      .getByText('revoked')
      .waitFor()
    assert.equal(await status(scene.projectId), 401)
    await assertAccessible(page, 'keys')
    assert.deepEqual(errors, [])
  },
)

browserTest('what is stored is shown, and an owner says for how long', async (browser) => {
  const { queries } = scene.octavo.node.context.database
  const row = {
    organization_id: scene.octavo.organizationId,
    holder: 'exports',
    objects: 12,
    bytes: 34_500_000,
  }
  await using looking = await scene.enter(browser, 'owner')
  const { page, errors } = looking
  // On a slow machine the node has swept by now.
  for (const table of ['storage_sweeps', 'storage_use'] as const) await queries.deleteFrom(table).execute()
  await page.goto(organization('plan'))
  await page.getByText('Nothing has been measured yet').waitFor()
  await queries.insertInto('storage_use').values(row).execute()
  await queries
    .insertInto('storage_sweeps')
    .values({ started_at: new Date(), ended_at: new Date() })
    .execute()
  await page.reload()
  await page.getByText('34.5 MB in 12 objects').waitFor()
  const days = page.getByLabel('Days for: Archives of exports')
  await days.selectOption('30')
  const dialog = page.getByRole('dialog', { name: 'Archives of exports: keep for 30 days?' })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await days.inputValue(), 'usual', 'nothing is set without a word')
  await days.selectOption('30')
  await dialog.getByRole('button', { name: 'Keep' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.reload()
  await days.waitFor()
  assert.equal(await days.inputValue(), '30')
  await assertAccessible(page)
  assert.deepEqual(errors, [])
})

browserTest('a token for git is written and replaced, and read nowhere', async (browser) => {
  await using looking = await scene.enter(browser, 'admin')
  const { page, errors } = looking
  const answers: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/internal/')) answers.push(await response.text().catch(() => ''))
  })
  await page.goto(organization('git'))
  await page.getByText('No tokens yet').waitFor()
  await page.getByRole('button', { name: 'Add a token' }).first().click()
  await page.getByLabel('Host, optionally with a path').fill('not a host')
  const first = 'token-one-of-the-harbour-7421'
  await page.getByLabel('Token', { exact: true }).fill(first)
  assert.equal(await page.getByLabel('Token', { exact: true }).getAttribute('type'), 'password')
  await page.getByRole('button', { name: 'Save the token' }).click()
  await page.locator('[aria-invalid="true"]').or(page.getByRole('alert')).first().waitFor()
  await page.getByLabel('Host, optionally with a path').fill('git.example.com/acme')
  await page.getByRole('button', { name: 'Save the token' }).click()
  const row = page.getByRole('row', { name: /git\.example\.com\/acme/ })
  await row.getByText('…7421').waitFor()
  await row.getByText('never').waitFor()
  await row.getByText('by The admin').waitFor()

  const second = 'token-two-of-the-harbour-9033'
  await row.getByRole('button', { name: 'Replace' }).click()
  const field = page.getByLabel('Token', { exact: true })
  assert.equal(await field.inputValue(), '', 'what is there is not shown')
  await field.fill(second)
  await page.getByRole('button', { name: 'Save the token' }).click()
  await row.getByText('…9033').waitFor()
  await page.reload()
  await row.getByText('…9033').waitFor()
  const kept = await page.evaluate(() =>
    JSON.stringify([
      document.documentElement.outerHTML,
      { ...localStorage },
      { ...sessionStorage },
      location.href,
    ]),
  )
  for (const secret of [first, second]) {
    assert.equal(kept.includes(secret), false)
    assert.equal(answers.join().includes(secret), false)
  }

  await row.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete this token?' })
  await dialog.getByRole('textbox').fill('git.example.com/acme')
  await dialog.getByRole('button', { name: 'Delete the token' }).click()
  await page.getByText('No tokens yet').waitFor()
  await assertAccessible(page, 'git access')
  assert.deepEqual(errors, [])
})
