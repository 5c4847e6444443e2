/** Project settings by keyboard and mouse: webhooks, domains, access and code repositories. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { listProjectDomains } from '../../src/features/projects/domains/domain-checks.ts'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type DnsServer, startDnsServer } from '../kit/dns-server.ts'
import { HIT, injectionPayloads } from '../kit/payloads.ts'
import { publish, until } from '../kit/until.ts'
import { enterAt } from './dashboard-look.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let dns: DnsServer
let scene: PeopleScene
let receiver: Server
/** Request bodies received by the webhook endpoint. */
const received: string[] = []
before(async () => {
  dns = await startDnsServer()
  receiver = createServer(async (message, response) => {
    received.push(Buffer.concat(await message.toArray()).toString())
    response.end(injectionPayloads(12).join('\n'))
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  scene = await openPeopleScene({
    OCTAVO_PROVE_DOMAINS: 'true',
    OCTAVO_DNS_SERVERS: dns.address,
    OCTAVO_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1:*',
  })
})
after(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await scene[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
})

const settings = (path: string) => `${scene.octavo.url}/p/${scene.projectId}/settings/${path}`
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })
const saved = (page: Page) => page.getByText('Saved', { exact: true }).first().waitFor()

browserTest(
  'creates, tests, replays, turns off and deletes a webhook by typing its name',
  async (browser) => {
    await using looking = await scene.enter(browser, 'admin')
    const { page, errors } = looking
    const { port } = receiver.address() as AddressInfo
    await page.goto(settings('webhooks'))
    await page.getByText('No webhook yet').waitFor()
    await page.keyboard.press('c')
    const url = page.getByLabel('URL')
    await url.fill('no address')
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    await until(async () => (await url.getAttribute('aria-invalid')) === 'true', 'the URL is marked')
    await url.fill(`http://127.0.0.1:${port}/hook`)
    await page.getByRole('button', { name: 'Add the webhook' }).click()
    const secret = await page.getByRole('textbox', { name: 'Signing secret' }).inputValue()
    assert.match(secret, /^whsec_/)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    const left = await page.evaluate(() =>
      [
        document.documentElement.outerHTML,
        ...Object.values(localStorage),
        ...Object.values(sessionStorage),
        location.href,
      ].join(),
    )
    assert.equal(left.includes(secret), false)

    await page.getByRole('button', { name: 'Send a test' }).click()
    const delivery = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first()
    await delivery.getByText('Delivered').waitFor()
    await delivery.getByRole('button').first().click()
    await delivery.getByText('"webhook.test"').waitFor()
    assert.equal(await page.evaluate((name) => (globalThis as never)[name], HIT), undefined)
    assert.equal(await page.locator('main :is(img, script, iframe, object, video, style)').count(), 0)
    const before = received.length
    await delivery.getByRole('button', { name: 'Replay' }).click()
    await until(async () => received.length > before, 'it is delivered again')
    assert.equal(received.at(-1), received[before - 1])

    await page.getByRole('switch', { name: 'On' }).click()
    await save(page).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Events that happen while it is off are not delivered later.').waitFor()
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    const list = page.getByRole('list', { name: 'Webhooks' })
    await list.getByText('Off', { exact: true }).waitFor()
    assert.equal(await page.getByText('Octavo turned off this webhook').count(), 0, 'a person did')
    await assertAccessible(page)
    await page.getByRole('button', { name: 'Delete the webhook …' }).click()
    await dialog.getByRole('textbox').fill(`127.0.0.1:${port}`)
    await dialog.getByRole('button', { name: 'Delete the webhook' }).click()
    await page.getByText('No webhook yet').waitFor()
    assert.deepEqual(
      errors.filter((error) => !/status of 40[04]/.test(error)),
      [],
    )
  },
)

function states() {
  const { node, organizationId } = scene.octavo
  return listProjectDomains(node.context.database.queries, { id: scene.projectId, organizationId }, true)
}

browserTest('adds a domain by keyboard, verifies it and removes it by typing its name', async (browser) => {
  await using looking = await scene.enter(browser, 'admin')
  const { page } = looking
  await page.goto(settings('domains'))
  await page.getByText('Confirmed by the operator of this server.').waitFor()
  const add = page.getByRole('button', { name: 'Add a domain' })
  await enterAt(page, add)
  const field = page.getByLabel('Domain 2')
  assert.equal(await field.evaluate((element) => element === document.activeElement), true)
  await page.keyboard.press('Control+s')
  await until(async () => (await field.getAttribute('aria-invalid')) === 'true', 'an empty row is an error')
  assert.equal(await page.getByText('Saved', { exact: true }).count(), 0)
  await page.keyboard.type('taken.localhost')
  await scene.octavo.addSite('taken.localhost', {
    'docs.json': '{"name":"T","navigation":{"pages":[]}}',
  })
  await enterAt(page, add)
  await page.keyboard.type('docs.tea.example.com')
  await page.keyboard.press('Control+s')
  await page.getByText('The domain “taken.localhost” is already in use').waitFor()
  await page.getByRole('button', { name: 'Remove taken.localhost' }).click()
  assert.equal(await page.locator('input[aria-invalid="true"]').count(), 0, 'the error goes with its row')
  await page.keyboard.press('Control+s')
  await page.getByText('not active').waitFor()

  const [, wanted] = await states()
  const shown = (name: string) => page.getByLabel(name).inputValue()
  assert.equal(await shown('Name of the record for docs.tea.example.com'), wanted?.record.name)
  assert.equal(await shown('Value of the record for docs.tea.example.com'), wanted?.record.value)
  await page.getByText('There is no TXT record _octavo-challenge.docs.tea.example.com.').waitFor()
  dns.texts.set(wanted?.record.name ?? '', [wanted?.record.value ?? ''])
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Verified by its TXT record').waitFor()
  assert.equal((await states())[1]?.state, 'served')
  dns.texts.clear()
  await scene.octavo.node.context.database.pool.query(
    `UPDATE project_domains SET check_at = now() WHERE proof = 'dns'`,
  )
  await page.getByText('not verified', { exact: true }).waitFor()
  await page.getByText('an organization that verifies it can take it over').waitFor()
  await page.getByRole('button', { name: 'Remove docs.tea.example.com' }).click()
  await save(page).click()
  const dialog = page.getByRole('dialog', { name: 'Remove this domain?' })
  assert.equal(await dialog.getByRole('button', { name: 'Remove it' }).isDisabled(), true)
  await dialog.getByRole('textbox').fill('docs.tea.example.com')
  await page.keyboard.press('Enter')
  await saved(page)
  assert.equal((await states()).length, 1)
})

async function statusOfSite(): Promise<number> {
  const { hostname, port } = new URL(scene.octavo.url)
  const headers = { Host: 'docs.localhost', accept: 'text/html' }
  const [answer] = await once(request({ hostname, port, path: '/', headers }).end(), 'response')
  answer.resume()
  return answer.statusCode as number
}

browserTest('makes a site private only after confirmation, and public again', async (browser) => {
  await publish(scene.octavo.client, scene.projectId)
  await until(async () => (await statusOfSite()) === 200, 'the site is public')
  await using looking = await scene.enter(browser, 'admin')
  const { page, errors } = looking
  await page.goto(settings('access'))
  const isPrivate = page.getByRole('switch', { name: 'Private site' })
  await isPrivate.click()
  await save(page).click()
  const dialog = page.getByRole('dialog', { name: 'Make the site private?' })
  await dialog.getByText('docs.localhost').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await statusOfSite(), 200, 'nothing is changed without confirmation')
  await save(page).click()
  await dialog.getByRole('button', { name: 'Make it private' }).click()
  await saved(page)
  await until(async () => (await statusOfSite()) === 401, 'the site is private')

  await isPrivate.click()
  await page.keyboard.press('Control+s')
  await enterAt(page, page.getByRole('button', { name: 'Make it public' }))
  await until(async () => (await statusOfSite()) === 200, 'the site is public again')
  assert.deepEqual(errors, [])
})

async function stored() {
  const { queries } = scene.octavo.node.context.database
  return await queries
    .selectFrom('code_repositories')
    .select(['name', 'repository', 'ref', 'folder'])
    .execute()
}

browserTest('an admin adds, changes and removes a code repository', async (browser) => {
  await using looking = await scene.enter(browser, 'admin')
  const { page, errors } = looking
  await page.goto(settings('code'))
  await page.getByText('No code repositories yet').waitFor()
  await page.getByRole('button', { name: 'Add a repository' }).click()
  await page.getByLabel('Name').fill('api')
  await page.getByLabel('Repository', { exact: true }).fill('https://token@github.com/acme/api')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('contains a password').waitFor()
  await page.getByLabel('Repository', { exact: true }).fill('https://github.com/acme/api')
  await page.getByLabel('Folder').fill('packages/server')
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('default branch · packages/server').waitFor()

  await page.getByRole('button', { name: 'Change api' }).click()
  await page.getByLabel('Branch, tag or commit').fill('next')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('next · packages/server').waitFor()
  assert.deepEqual(await stored(), [
    { name: 'api', repository: 'https://github.com/acme/api', ref: 'next', folder: 'packages/server' },
  ])

  await page.getByRole('button', { name: 'Remove api' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('api')
  await page.getByRole('button', { name: 'Remove it' }).click()
  await page.getByText('No code repositories yet').waitFor()
  assert.deepEqual(await stored(), [])
  assert.deepEqual(
    errors.filter((error) => !/400|409/.test(error)),
    [],
  )
})

browserTest(
  'a chat webhook hides its URL and offers no events that a chat does not receive',
  async (browser) => {
    await using admin = await scene.enter(browser, 'admin', { colorScheme: 'dark' })
    const { page } = admin
    await page.goto(settings('webhooks?new=1'))
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
    await dialog.getByRole('radio', { name: /^A chat/ }).check()
    await dialog.getByRole('checkbox', { name: /A deployment failed/ }).waitFor()
    assert.equal(await dialog.getByText('feedback.created').count(), 0)
    assert.equal(await dialog.getByText('notification.feedback_assigned').count(), 0, 'one person’s')
    assert.deepEqual(await seriousFaults(page), [])
    await dialog.getByLabel('URL').fill('https://hooks.example.com/services/T0/secret')
    await dialog.getByRole('button', { name: 'Add the webhook' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('list', { name: 'Webhooks' }).getByText('hooks.example.com').waitFor()
    assert.doesNotMatch((await page.getByRole('main').textContent()) ?? '', /T0\/secret/)
    assert.deepEqual(admin.errors, [])
  },
)
