import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { createId } from '../../src/base/ids.ts'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { createTestRepository, type GitServer, startGitServer, type TestRepository } from '../kit/git.ts'
import { enterAt } from './dashboard-look.ts'
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

const write = (path: string, text: string) =>
  writeFile(join(scene.octavo.dataFolder, 'sites', 'docs.localhost', path), text)

browserTest('publishes a version, makes an earlier one live and unpins it by keyboard', async (browser) => {
  await using editor = await scene.enter(browser, 'editor')
  const { page } = editor
  await page.goto(`${scene.octavo.url}/p/${scene.projectId}/deployments`)
  await page.getByText('Nothing published yet').waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  const rows = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem')
  await rows.first().getByText('Live', { exact: true }).waitFor()

  await write('index.mdx', '---\ntitle: Start\n---\n\nAnother text.\n')
  await page.keyboard.press('c')
  await rows.nth(1).getByText('Ready', { exact: true }).waitFor()
  await rows.first().getByText('Live', { exact: true }).waitFor()
  await rows.first().getByText('/ changed', { exact: true }).waitFor()
  await rows.nth(1).getByText('First version', { exact: true }).waitFor()
  await rows.first().getByRole('link').click()
  await page.getByText('1 changed', { exact: true }).waitFor()
  await page.getByText('Published: 1 changed').waitFor()
  await page.goBack()

  await rows.nth(1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/deployments/*')
  await enterAt(page, page.getByRole('button', { name: 'Make live' }))
  await page.getByText('A version is pinned').waitFor()
  await page.keyboard.press('Escape')
  await rows.nth(1).getByText('Live, pinned').waitFor()
  await assertAccessible(page)
  await enterAt(page, page.getByRole('button', { name: 'Unpin' }))
  await rows.first().getByText('Live', { exact: true }).waitFor()
  await page.getByText('A version is pinned').waitFor({ state: 'detached' })
  assert.deepEqual(editor.errors, [])
})

browserTest('an admin turns watching the folder on and off', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  const { page } = admin
  await page.goto(`${scene.octavo.url}/p/${scene.projectId}/deployments`)
  await page.getByRole('button', { name: 'Automatic' }).click()
  const watch = page.getByRole('switch', { name: 'Watch the folder' })
  await watch.click()
  await page.waitForFunction(() => document.querySelector('[role=switch]')?.ariaChecked === 'true')
  // The switch changes before the server responds, and closing the page earlier would cancel the request.
  await Promise.all([page.waitForResponse((answer) => answer.request().method() !== 'GET'), watch.click()])
  await page.waitForFunction(() => document.querySelector('[role=switch]')?.ariaChecked === 'false')
  assert.deepEqual(admin.errors, [])
})

browserTest(
  'a failed deployment says that readers keep the live version and can be retried',
  async (browser) => {
    await using editor = await scene.enter(browser, 'editor')
    const { page } = editor
    await rm(join(scene.octavo.dataFolder, 'sites', 'docs.localhost', 'docs.json'))
    const failed = await scene.octavo.client.startDeployment(scene.projectId)
    await page.goto(`${scene.octavo.url}/p/${scene.projectId}/deployments/${failed.deploymentId}`)
    await page
      .getByText('Readers continue to see the version that was live before, if there was one.')
      .waitFor()
    await write('docs.json', JSON.stringify({ name: 'Guide', navigation: { pages: ['index'] } }))
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('Another deployment has started').waitFor()
    await page.getByRole('link', { name: 'Deployments' }).first().click()
    const rows = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem')
    await rows.first().getByText('Live', { exact: true }).waitFor()
    // The folder watch of the previous test may have published a version in between.
    await rows.getByText('Failed', { exact: true }).first().waitFor()
    assert.deepEqual(editor.errors, [])
  },
)

browserTest(
  "shows a failure and a refusal in German, with the server's message in English",
  async (browser) => {
    const { client, dataFolder, organizationId, url } = scene.octavo
    await rm(join(dataFolder, 'sites', 'docs.localhost', 'docs.json'))
    const { deploymentId } = await client.startDeployment(scene.projectId)
    await using german = await scene.enter(browser, 'viewer', { locale: 'de-DE' })
    const { page, errors } = german
    await page.goto(`${url}/p/${scene.projectId}/deployments/${deploymentId}`)
    await page.getByText('Der Docs-Ordner ließ sich nicht als Website lesen.').waitFor()
    const { error } = await client.getDeployment(scene.projectId, deploymentId)
    assert.equal(await page.locator('p[lang=en]').textContent(), error)
    await page.goto(`${url}/o/${organizationId}/server`)
    await page.getByText('Ihre Rolle erlaubt das nicht.').waitFor()
    assert.deepEqual(errors, [])
  },
)

/** Inserts a preview like a worker. */
async function addPreview(branch: string, more: { error: string | null; isFork?: boolean }): Promise<void> {
  const { queries } = scene.octavo.node.context.database
  const id = createId('pv')
  const of = { organization_id: scene.octavo.organizationId, project_id: scene.projectId }
  const isReady = more.error === null
  const manifest_key = isReady ? 'manifests/none' : null
  await queries
    .insertInto('previews')
    .values({
      ...{ id, ...of, ref: `refs/heads/${branch}`, branch, pull_request: 7, is_fork: more.isFork ?? false },
      ...{ label: id.slice(3), manifest_key, expires_at: new Date(Date.now() + 9 * 86_400_000) },
    })
    .execute()
  const changes = { comparedWith: 'dep_1', added: 2, changed: 1, removed: 0, pages: [] }
  await queries
    .insertInto('deployments')
    .values({
      ...{ id: createId('dep'), ...of, preview_id: id, status: isReady ? 'published' : 'failed' },
      ...{ manifest_key, error: more.error, error_code: isReady ? null : 'source_unreadable' },
      ...{ page_count: 12, changes: isReady ? JSON.stringify(changes) : null },
    })
    .execute()
}

browserTest('lists previews with their changes and removes one', async (browser) => {
  await using editor = await scene.enter(browser, 'editor')
  const { page } = editor
  const deployments = `${scene.octavo.url}/p/${scene.projectId}/deployments`
  await page.goto(deployments)
  await page.getByRole('button', { name: 'Automatic' }).waitFor()
  const link = page.getByRole('link', { name: 'Previews' })
  assert.equal(await link.count(), 0, 'a folder has no branches')

  await scene.octavo.node.context.database.queries
    .updateTable('all_projects')
    .set({ source_kind: 'git', repository: 'https://git.example/docs.git' })
    .where('id', '=', scene.projectId)
    .execute()
  await page.goto(deployments)
  await link.click()
  await page.getByText('No previews').waitFor()

  await addPreview('feature/region-flag', { error: null })
  await addPreview(`broken-${'long-'.repeat(30)}end`, { error: 'The branch has no docs.json.', isFork: true })
  await page.reload()
  const rows = page.getByRole('list', { name: 'Previews' }).getByRole('listitem')
  await rows.getByText('2 added · 1 changed').filter({ visible: true }).waitFor()
  await rows.getByText('The branch has no docs.json.').filter({ visible: true }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  const ready = rows.filter({ hasText: 'feature/region-flag' })
  const address = await ready.getByRole('link', { name: 'Open' }).getAttribute('href')
  assert.match(address ?? '', /^http:\/\/\w+\.previews\.localhost:\d+/)
  await ready.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove the preview', exact: true }).click()
  await ready.waitFor({ state: 'detached' })
  assert.deepEqual(editor.errors, [])
})

const addressOf = (name: string) => `${server.url}/${name}`
/** Page count of the published version. */
const pageCount = (page: Page) => page.locator('dt').filter({ hasText: 'Pages' }).locator('+ dd')
const form = (page: Page) => ({
  name: page.getByLabel('Name', { exact: true }),
  domain: page.getByLabel('Host name'),
  repository: page.getByLabel('URL of the repository'),
  branch: page.getByLabel('Branch'),
  folder: page.getByLabel('Docs folder'),
  make: page.getByRole('button', { name: 'Create and publish' }),
})

async function openForm(page: Page): Promise<ReturnType<typeof form>> {
  await page.goto(`${scene.octavo.url}/o/${scene.octavo.organizationId}/projects/new`)
  await page.getByRole('heading', { name: 'New project', level: 1 }).waitFor()
  return form(page)
}

browserTest('creates a project from a repository URL and shows its first deployment', async (browser) => {
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
  await page.getByText('Kettle is created').waitFor()
  await pageCount(page).getByText('2', { exact: true }).waitFor()
  await page.getByText(/not\/there/).waitFor()
  await page
    .getByRole('link', { name: /kettle\.localhost/ })
    .first()
    .waitFor()
  // The sidebar now shows the new project.
  await page.getByRole('button', { name: 'Kettle' }).waitFor()
  assert.deepEqual(admin.errors, [])
})

browserTest('shows all validation errors at their fields at once', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  const { page } = admin
  const fields = await openForm(page)
  await fields.name.fill('Twice')
  await fields.domain.fill('https://docs.example.com/')
  await fields.repository.fill('-oProxyCommand=touch /tmp/x')
  await fields.branch.fill('no..branch')
  await fields.folder.fill('../up')
  await fields.make.click()
  const wrong = {
    domain: /host name/,
    repository: /not the URL/,
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
  // The first invalid field has the focus.
  assert.equal(await fields.domain.evaluate((element) => element === document.activeElement), true)
  assert.equal(await fields.name.getAttribute('aria-invalid'), null)

  await fields.domain.fill('docs.localhost')
  await fields.repository.fill(addressOf(basename(repository.folder)))
  await fields.branch.fill('')
  await fields.folder.fill('docs')
  await fields.make.click()
  await page.getByText('The domain “docs.localhost” is already in use').waitFor()
  assert.equal(await fields.domain.getAttribute('aria-invalid'), 'true')
  await fields.domain.fill('twice.localhost')
  await fields.make.click()
  await page.waitForURL('**/p/prj_*/site')
})

browserTest(
  'a project with an unreachable repository says why and links to its source settings',
  async (browser) => {
    await using admin = await scene.enter(browser, 'admin')
    const { page } = admin
    const fields = await openForm(page)
    await fields.name.fill('Gone')
    await fields.domain.fill('gone.localhost')
    await fields.repository.fill(addressOf('nobody-has-this'))
    await fields.make.click()
    const alert = page.getByRole('alert').filter({ hasText: 'The repository cannot be read' })
    await alert.getByText(/nobody-has-this.*does not exist/).waitFor()
    // A changed repository or branch is tested again.
    await fields.repository.fill(addressOf(basename(repository.folder)))
    await fields.branch.fill('no-such-branch')
    await fields.make.click()
    await alert.getByText(/no branch, tag or commit "no-such-branch"/).waitFor()
    await fields.branch.fill('')
    await fields.repository.fill(addressOf('nobody-has-this'))
    await fields.make.click()
    await alert.getByText(/nobody-has-this/).waitFor()
    await page.getByRole('button', { name: 'Create anyway' }).click()
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

browserTest('shows validation errors and a refusal in German', async (browser) => {
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
  // The alert is translated by error code, so the English message must not appear.
  const error = 'Projects of the year 2020 are archived.'
  await page.route('**/internal/projects', (route) =>
    route.fulfill({ status: 409, json: { error, code: 'project_archived' } }),
  )
  await make.click()
  const alert = page.getByRole('alert').filter({ hasText: 'Das Projekt ist archiviert' })
  assert.equal((await alert.textContent())?.includes(error), false)
})
