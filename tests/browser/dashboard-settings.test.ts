/** Settings of a project in the dashboard: proofs of domains, and code repositories. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { listProjectDomains } from '../../src/features/projects/domains/domain-checks.ts'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { type DnsServer, startDnsServer } from '../kit/dns-server.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let dns: DnsServer
let people: PeopleScene
before(async () => {
  dns = await startDnsServer()
  people = await openPeopleScene({ OCTAVO_PROVE_DOMAINS: 'true', OCTAVO_DNS_SERVERS: dns.address })
})
after(async () => {
  await people[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
})

const at = (path: string) => `${people.octavo.url}/p/${people.projectId}${path}`

function states() {
  const { node, organizationId } = people.octavo
  return listProjectDomains(node.context.database.queries, { id: people.projectId, organizationId }, true)
}

browserTest('a domain says what to create, and is served when that is seen', async (browser) => {
  await using looking = await people.enter(browser, 'admin')
  const { page, errors } = looking
  await page.goto(at('/settings/domains'))
  await page.getByText('The operator of this server vouches for it.').waitFor()
  await page.getByRole('button', { name: 'Add a domain' }).click()
  await page.getByLabel('Domain 2').fill('docs.tea.example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('not served').waitFor()
  const field = (name: string) => page.getByLabel(name).inputValue()
  const [, wanted] = await states()
  assert.equal(await field('Name of the record for docs.tea.example.com'), wanted?.record.name)
  assert.equal(await field('Value of the record for docs.tea.example.com'), wanted?.record.value)
  await page.getByText('There is no TXT record _octavo-challenge.docs.tea.example.com.').waitFor()
  await page.getByText('File', { exact: true }).click()
  assert.equal(await field('Address of the file for docs.tea.example.com'), wanted?.file.url)
  assert.equal(await field('Content of the file for docs.tea.example.com'), wanted?.file.content)

  await page.goto(at('/site'))
  await page.getByText('waiting for its proof').waitFor()
  await page.goto(at('/settings/domains'))
  dns.texts.set(wanted?.record.name ?? '', [wanted?.record.value ?? ''])
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByText('Proved by its TXT record').waitFor()
  assert.deepEqual((await states())[1]?.state, 'served')
  assert.equal(await page.getByRole('button', { name: 'Check now' }).count(), 0)
  assert.deepEqual(errors, [])
})

browserTest('a proof that is gone is told, with the day from which it costs the domain', async (browser) => {
  await using looking = await people.enter(browser, 'admin')
  const { page } = looking
  dns.texts.clear()
  const { pool } = people.octavo.node.context.database
  await pool.query(`UPDATE project_domains SET check_at = now() WHERE proof = 'dns'`)
  await page.goto(at('/settings/domains'))
  await page.getByText('no proof', { exact: true }).waitFor()
  await page.getByText('an organization that proves the domain may take it').waitFor()
  await page.getByRole('button', { name: 'Check now' }).waitFor()
  await assertAccessible(page)
  await using viewer = await people.enter(browser, 'viewer')
  await viewer.page.goto(at('/settings/domains'))
  await viewer.page.getByRole('button', { name: 'Check now', disabled: true }).waitFor()
})

browserTest('what is wrong with a domain stands at that one, wherever it moves', async (browser) => {
  await people.octavo.addSite('taken.localhost', { 'docs.json': '{"name":"T","navigation":{"pages":[]}}' })
  await using looking = await people.enter(browser, 'admin')
  const { page } = looking
  await page.goto(at('/settings/domains'))
  const add = page.getByRole('button', { name: 'Add a domain' })
  await add.waitFor()
  const saved = await page.getByLabel('Domains').getByRole('listitem').count()
  const field = (place: number) => page.getByLabel(`Domain ${saved + place}`)
  for (const [index, name] of ['', 'fine.example.com', 'taken.localhost'].entries()) {
    await add.click()
    await field(index + 1).fill(name)
  }
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The domain “taken.localhost” is already in use').waitFor()
  const invalid = () =>
    page
      .locator('input[aria-invalid="true"]')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
  assert.deepEqual(await invalid(), ['taken.localhost'])
  await page.getByRole('button', { name: 'Remove fine.example.com' }).click()
  assert.deepEqual(await invalid(), ['taken.localhost'])
  await field(2).fill('free.example.com')
  assert.deepEqual(await invalid(), [])
})

async function stored() {
  const { queries } = people.octavo.node.context.database
  return await queries
    .selectFrom('code_repositories')
    .select(['name', 'repository', 'ref', 'folder'])
    .execute()
}

browserTest('an admin adds, changes and removes a repository', async (browser) => {
  await using looking = await people.enter(browser, 'admin')
  const { page, errors } = looking
  await page.goto(at('/settings/code'))
  await page.getByText('No code yet').waitFor()
  await assertAccessible(page, 'without code')
  await page.getByRole('button', { name: 'Add a repository' }).click()
  await page.getByLabel('Name').fill('api')
  await page.getByLabel('Repository', { exact: true }).fill('https://token@github.com/acme/api')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('password in it').waitFor()
  await page.getByLabel('Repository', { exact: true }).fill('https://github.com/acme/api')
  await page.getByLabel('Folder').fill('packages/server')
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('default branch · packages/server').waitFor()
  await assertAccessible(page, 'with a repository')

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
  await page.getByText('No code yet').waitFor()
  assert.deepEqual(await stored(), [])
  assert.deepEqual(
    errors.filter((error) => !/400|409/.test(error)),
    [],
  )
})
