/** A project made through its page, of a repository that is really fetched; and what is said when that cannot be. */
import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { browserTest } from '../kit/browser.ts'
import { createTestRepository, type GitServer, startGitServer, type TestRepository } from '../kit/git.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

const PAGES = {
  'docs/docs.json': JSON.stringify({ name: 'Kettle', navigation: { pages: ['index', 'boil'] } }),
  'docs/index.mdx': '---\ntitle: Kettle\n---\n\nWater goes in.\n',
  'docs/boil.mdx': '---\ntitle: Boil\n---\n\n[Nowhere](/not/there)\n',
}

let scene: PeopleScene
let repository: TestRepository
let server: GitServer
before(async () => {
  repository = await createTestRepository(PAGES)
  server = await startGitServer({ folder: dirname(repository.folder) })
  scene = await openPeopleScene({ OCTAVO_GIT_ALLOW_HTTP: 'true', OCTAVO_GIT_PRIVATE_HOSTS: '127.0.0.1:*' })
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await repository[Symbol.asyncDispose]()
})

const addressOf = (name: string) => `${server.url}/${name}`
/** Of the published version. */
const pageCount = (page: Page) => page.locator('dt').filter({ hasText: 'Pages' }).locator('+ dd')
const form = (page: Page) => ({
  name: page.getByLabel('Name', { exact: true }),
  domain: page.getByLabel('Host name'),
  repository: page.getByLabel('Address of the repository'),
  branch: page.getByLabel('Branch'),
  folder: page.getByLabel('Docs folder'),
  make: page.getByRole('button', { name: 'Create and publish' }),
})

async function openForm(page: Page): Promise<ReturnType<typeof form>> {
  await page.goto(`${scene.octavo.url}/o/${scene.octavo.organizationId}/projects/new`)
  await page.getByRole('heading', { name: 'New project', level: 1 }).waitFor()
  return form(page)
}

browserTest(
  'a repository’s address is enough: the project is made, and its first version comes in before one’s eyes',
  async (browser) => {
    await using admin = await scene.enter(browser, 'admin')
    const { page } = admin
    await page.goto(scene.octavo.url)
    await page.getByRole('button', { name: /docs\.localhost/ }).click()
    await page.getByRole('menuitem', { name: 'New project' }).click()
    const fields = form(page)
    await fields.name.fill('Kettle')
    await fields.domain.fill('Kettle.Localhost')
    await fields.repository.fill(addressOf(basename(repository.folder)))
    await fields.folder.fill('/docs/')
    await fields.make.click()
    await page.waitForURL('**/p/prj_*/site')
    await page.getByText('Kettle is made').waitFor()
    await pageCount(page).getByText('2', { exact: true }).waitFor()
    await page.getByText(/not\/there/).waitFor()
    await page
      .getByRole('link', { name: /kettle\.localhost/ })
      .first()
      .waitFor()
    // The rail is about it from now on.
    await page.getByRole('button', { name: 'Kettle' }).waitFor()
    assert.deepEqual(admin.errors, [])
  },
)

browserTest('everything that is wrong stands at its field at once', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  const { page } = admin
  const fields = await openForm(page)
  await fields.name.fill('Wrong in every way')
  await fields.domain.fill('https://docs.example.com/')
  await fields.repository.fill('-oProxyCommand=touch /tmp/x')
  await fields.branch.fill('no..branch')
  await fields.folder.fill('../up')
  await fields.make.click()
  const wrong = {
    domain: /host name/,
    repository: /not the address/,
    branch: /branch/,
    folder: /below the root/,
  }
  for (const [name, says] of Object.entries(wrong)) {
    const field = fields[name as keyof typeof wrong]
    await field.and(page.locator('[aria-invalid]')).waitFor()
    const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ')
    const words = await page.locator(ids.map((id) => `[id="${id}"]`).join()).allTextContents()
    assert.match(words.join(' '), says)
  }
  // The first of them has the focus.
  assert.equal(await fields.domain.evaluate((element) => element === document.activeElement), true)
  assert.equal(await fields.name.getAttribute('aria-invalid'), null)
  // Nothing was made.
  await page
    .getByRole('button', { name: /docs\.localhost|Kettle/ })
    .first()
    .click()
  assert.equal(await page.getByRole('menuitemradio', { name: 'Wrong in every way' }).count(), 0)
})

browserTest('a host name that is taken is said at its field, and another one goes', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  const { page } = admin
  const fields = await openForm(page)
  await fields.name.fill('Twice')
  await fields.domain.fill('docs.localhost')
  await fields.repository.fill(addressOf(basename(repository.folder)))
  await fields.folder.fill('docs')
  await fields.make.click()
  await page.getByText('The domain “docs.localhost” is already in use').waitFor()
  assert.equal(await fields.domain.getAttribute('aria-invalid'), 'true')
  await fields.domain.fill('twice.localhost')
  await fields.make.click()
  await page.waitForURL('**/p/prj_*/site')
})

browserTest(
  'a repository that cannot be reached leaves a project that says why, and leads to its source',
  async (browser) => {
    await using admin = await scene.enter(browser, 'admin')
    const { page } = admin
    const fields = await openForm(page)
    await fields.name.fill('Gone')
    await fields.domain.fill('gone.localhost')
    await fields.repository.fill(addressOf('nobody-has-this'))
    await fields.make.click()
    await page.waitForURL('**/p/prj_*/site')
    await page.getByText('The first deployment failed').waitFor()
    await page.getByText(/nobody-has-this.*does not exist/).waitFor()
    await page.getByRole('link', { name: 'Source settings' }).click()
    await page.waitForURL('**/settings/source')
    await form(page).repository.fill(addressOf(basename(repository.folder)))
    await form(page).folder.fill('docs')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Site', exact: true }).first().click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await pageCount(page).getByText('2', { exact: true }).waitFor()
  },
)

browserTest(
  'in German faults are German at their fields, and a refusal too, before its own words',
  async (browser) => {
    await using admin = await scene.enter(browser, 'admin', { locale: 'de-DE' })
    const { page } = admin
    await page.goto(`${scene.octavo.url}/o/${scene.octavo.organizationId}/projects/new`)
    const make = page.getByRole('button', { name: 'Erstellen und veröffentlichen' })
    await page.getByLabel('Name', { exact: true }).fill('Falsch')
    await page.getByLabel('Hostname').fill('https://docs.localhost')
    await page.getByLabel('Adresse des Repositorys').fill(addressOf(basename(repository.folder)))
    await make.click()
    await page.getByText('„https://docs.localhost“ ist eine URL: Geben Sie nur den Hostnamen an').waitFor()
    await page.getByLabel('Hostname').fill('docs.localhost')
    await make.click()
    await page.getByText('Die Domain „docs.localhost“ wird bereits verwendet').waitFor()
    // The code is known, what the answer says of it is not.
    const error = 'Projects of the year 2020 are archived.'
    await page.route('**/internal/projects', (route) =>
      route.fulfill({ status: 409, json: { error, code: 'project_archived' } }),
    )
    await make.click()
    const alert = page.getByRole('alert').filter({ hasText: 'Das Projekt ist archiviert' })
    assert.equal(await alert.locator('[lang=en]').textContent(), error)
  },
)
