import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { NotificationKind } from '../../src/features/notifications/operations/notification-kinds.ts'
import { recordNotification } from '../../src/features/notifications/record-notification.ts'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { addPerson, signedIn } from '../kit/people.ts'
import { until } from '../kit/until.ts'
import { enterAt, isBackAt } from './dashboard-look.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let forge: Awaited<ReturnType<typeof startForge>>
let scene: PeopleScene
before(async () => {
  forge = await startForge()
  scene = await openPeopleScene({
    OCTAVO_LIMIT_NEW_KEYS: '100/3600',
    OCTAVO_FORGES: `${forge.host}=gitea`,
    OCTAVO_GIT_PRIVATE_HOSTS: forge.host,
    OCTAVO_GIT_ALLOW_HTTP: 'true',
  })
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await forge[Symbol.asyncDispose]()
})

const organization = (path: string) => `${scene.octavo.url}/o/${scene.octavo.organizationId}/${path}`

/** Adds a member who creates API keys with the given names, and returns their texts. */
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

async function statusWith(key: string, projectId: string): Promise<number> {
  const { status } = await fetch(`${scene.octavo.url}/v1/analytics/${projectId}/feedback`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  return status
}

browserTest(
  'creates a key for one project by keyboard, shows it on a phone and revokes it',
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
    await form.getByRole('checkbox', { name: 'docs.localhost' }).check()
    assert.deepEqual(await seriousFaults(page), [])
    await enterAt(page, create)
    const made = page.getByRole('dialog', { name: 'Copy your key now' })
    const text = await made.getByRole('textbox', { name: 'The new API key' }).inputValue()
    await page.keyboard.press('Escape')
    await made.getByText('Save the key first').waitFor()
    await enterAt(page, made.getByRole('button', { name: 'I have copied it' }))
    await isBackAt(page, button)
    assert.deepEqual(
      [await statusWith(text, scene.projectId), await statusWith(text, outside.projectId)],
      [200, 404],
    )

    const row = page.getByRole('row', { name: /One site/ })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    assert.match((await row.textContent()) ?? '', /read · docs\.localhost · last used/)
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
    await enterAt(page, row.getByRole('button', { name: 'Revoke' }))
    await page.getByRole('dialog', { name: 'Revoke this key?' }).waitFor()
    await page.keyboard.type('One site')
    await page.keyboard.press('Enter')
    await row.getByText('revoked', { exact: true }).waitFor()
    assert.equal(await statusWith(text, scene.projectId), 401)
    await assertAccessible(page)
    assert.deepEqual(errors, [])
  },
)

browserTest('removing a member lists their keys, which are revoked or taken over', async (browser) => {
  await using looking = await scene.enter(browser, 'owner')
  const { page, errors } = looking
  const { email, texts } = await memberWithKeys('Grace', 'editor', ['Nightly report', 'Search of the shop'])
  await memberWithKeys(
    'Alan',
    'admin',
    Array.from({ length: 6 }, (_, index) => `Key ${index + 1}`),
  )
  await page.goto(organization('members'))
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Remove Alan' }).click()
  // A long list of keys is shown as a count.
  await dialog.getByText('Alan created 6 API keys that programs may be using.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Remove Grace' }).click()
  for (const [index, name] of ['Nightly report', 'Search of the shop'].entries()) {
    await dialog.getByText(name).waitFor()
    await dialog.getByText(`oct_…${texts[index]?.slice(-4)}`).waitFor()
  }
  assert.equal(await dialog.getByRole('radio', { name: 'Revoke them' }).isChecked(), true)
  await dialog.getByRole('radio', { name: 'Take them over' }).check()
  assert.equal(await dialog.getByRole('button', { name: 'Remove' }).isDisabled(), true)
  await dialog.getByRole('textbox').fill(email)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(email).waitFor({ state: 'detached' })
  assert.deepEqual(await Promise.all(texts.map((text) => statusWith(text, scene.projectId))), [200, 200])
  assert.deepEqual(errors, [])
})

browserTest(
  'a maximum key lifetime lists the keys that expire earlier and applies to new keys',
  async (browser) => {
    await using looking = await scene.enter(browser, 'owner')
    const { page } = looking
    await memberWithKeys('Edsger', 'editor', ['A long one'])
    await page.goto(organization('keys'))
    const select = page.getByLabel('Maximum lifetime of a key')
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await select.selectOption('30')
    await save.click()
    const dialog = page.getByRole('dialog', { name: 'Limit keys to 30 days?' })
    await dialog.getByText('A long one').waitFor()
    await page.keyboard.press('Escape')
    await save.click()
    await dialog.getByRole('button', { name: 'Set the limit' }).click()
    await page
      .getByRole('row', { name: /A long one/ })
      .getByText('expires in 30 days')
      .waitFor()

    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New API key' })
    await form.getByText('The organization limits keys to 30 days.').waitFor()
    const offered = form.getByRole('radiogroup', { name: 'Lifetime' }).getByRole('radio')
    assert.equal(await offered.count(), 2)
  },
)

browserTest(
  'a git token is tested at its forge, saved and replaced, and is never shown again',
  async (browser) => {
    const place = `${forge.host}/acme`
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
    const [first, second] = GIT_TOKENS
    await page.getByLabel('Token', { exact: true }).fill(first)
    assert.equal(await page.getByLabel('Token', { exact: true }).getAttribute('type'), 'password')
    await page.getByRole('button', { name: 'Save the token' }).click()
    await page.locator('[aria-invalid="true"]').or(page.getByRole('alert')).first().waitFor()
    await page.getByLabel('Host, optionally with a path').fill(place)
    await page.getByLabel('Token', { exact: true }).fill('a-wrong-token-of-the-harbour')
    await page.getByRole('button', { name: 'Save the token' }).click()
    await page.getByRole('alert').getByText('rejects the token').waitFor()
    await page.getByRole('button', { name: 'Save anyway' }).waitFor()
    assert.deepEqual(await seriousFaults(page), [])
    await page.getByLabel('Token', { exact: true }).fill(first)
    await page.getByRole('button', { name: 'Save the token' }).click()
    await page.getByText('The token can write to 1 repository.').waitFor()
    const row = page.getByRole('row', { name: place })
    await row.getByText('…7421').waitFor()
    await row.getByText('never').waitFor()
    await row.getByText('by The admin').waitFor()

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
    await dialog.getByRole('textbox').fill(place)
    await dialog.getByRole('button', { name: 'Delete the token' }).click()
    await page.getByText('No tokens yet').waitFor()
    assert.deepEqual(errors, [])
  },
)

const GIT_TOKENS = ['token-one-of-the-harbour-7421', 'token-two-of-the-harbour-9033'] as const

/** Starts a server that responds like the repository list of Gitea. */
async function startForge() {
  const repositories = [
    { full_name: 'acme/docs', permissions: { push: true } },
    { full_name: 'acme/code', permissions: { push: false } },
  ]
  const forge = createServer((request, response) => {
    const isRight = GIT_TOKENS.some((token) => request.headers.authorization === `token ${token}`)
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

async function tell(kind: NotificationKind, facts: { name?: string; reason?: string } = {}): Promise<void> {
  const { projectId } = scene
  const { pool, transaction } = scene.octavo.node.context.database
  await transaction((tx) => recordNotification(tx, { kind, projectId, subject: 'dep_none0', facts }))
  const waiting = 'SELECT FROM notification_events WHERE NOT is_spread'
  await until(async () => (await pool.query(waiting)).rowCount === 0)
}

browserTest('the bell counts notifications, lists them and links to their subject', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  const { page } = admin
  await page.goto(`${scene.octavo.url}/p/${scene.projectId}`)
  const bell = page.getByRole('button', { name: 'Notifications', exact: true })
  await bell.click()
  const popover = page.getByRole('dialog', { name: 'Notifications' })
  await popover.getByText('Nothing yet').waitFor()
  await page.keyboard.press('Escape')
  await popover.waitFor({ state: 'detached' })

  await tell('deployment_failed', { reason: `The folder has no docs.json ${'and no page '.repeat(14)}` })
  await tell('domain_lost', { name: 'docs.example.com' })
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).press('Enter')
  await popover.getByText('The domain docs.example.com moved to another project').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await tell('domain_proof_missing', { name: 'www.example.com' })
  await popover.getByText('The DNS record that proves ownership of www.example.com is missing').waitFor()
  await page.getByRole('button', { name: 'Notifications, 3 unread' }).waitFor()

  const lines = popover.getByRole('listitem')
  await lines.filter({ hasText: 'www.example.com' }).getByRole('button', { name: 'Mark as read' }).click()
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor()
  await lines.filter({ hasText: 'moved to another' }).getByRole('link').press('Enter')
  await page.waitForURL(/settings\/domains/)
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await popover.getByRole('button', { name: 'Mark all as read' }).click()
  await bell.waitFor()
  assert.deepEqual(admin.errors, [])
})

browserTest('the notifications page lists all or only unread ones, also on a phone', async (browser) => {
  await using admin = await scene.enter(browser, 'admin', { colorScheme: 'dark' })
  const { page } = admin
  await page.goto(scene.octavo.url)
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await page.getByRole('link', { name: 'All notifications' }).click()
  const list = page.getByRole('main').getByRole('list', { name: 'Notifications' })
  await list.getByRole('listitem').nth(2).waitFor()
  await page.getByRole('radio', { name: 'Unread' }).click()
  await page.getByText('You have read everything').waitFor()
  await tell('deployment_failed', { reason: 'Again.' })
  await page.setViewportSize({ width: 390, height: 900 })
  await page.reload()
  await list.getByText('The deployment failed: Again').waitFor()
  await page.getByRole('button', { name: /More\s*1 unread notification/ }).click()
  await page.getByRole('link', { name: /Notifications\s*1 unread/ }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  assert.deepEqual(admin.errors, [])
})

browserTest('a German notification shows its kind in German above the English sentence', async (browser) => {
  await using german = await scene.enter(browser, 'admin', { locale: 'de-DE' })
  const { page } = german
  await page.goto(`${scene.octavo.url}/o/${scene.octavo.organizationId}/notifications`)
  const lost = page.getByRole('listitem').filter({ hasText: 'Eine Domain ging verloren' })
  const sentence = lost.locator('[lang=en]')
  await sentence.waitFor()
  assert.equal(await sentence.textContent(), 'The domain docs.example.com moved to another project')
})
