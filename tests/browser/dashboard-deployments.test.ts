/** The versions of a site in the dashboard: published, looked at, put back and let go of, and one that fails; and its previews. */
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { createId } from '../../src/base/ids.ts'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { enterAt } from './dashboard-look.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene()
})
after(() => scene[Symbol.asyncDispose]())

const write = (path: string, text: string) =>
  writeFile(join(scene.octavo.dataFolder, 'sites', 'docs.localhost', path), text)

browserTest('a version is published, replaced, put back and released, by keys alone', async (browser) => {
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
  await assertAccessible(page, 'a deployment')
  await page.setViewportSize({ width: 1440, height: 900 })
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
  await assertAccessible(page, 'deployments')
  await enterAt(page, page.getByRole('button', { name: 'Release' }))
  await rows.first().getByText('Live', { exact: true }).waitFor()
  await page.getByText('A version is pinned').waitFor({ state: 'detached' })
  assert.deepEqual(editor.errors, [])
})

browserTest('the folder is watched when an admin wants it', async (browser) => {
  await using admin = await scene.enter(browser, 'admin')
  const { page } = admin
  await page.goto(`${scene.octavo.url}/p/${scene.projectId}/deployments`)
  await page.getByRole('button', { name: 'Automatic' }).click()
  const watch = page.getByRole('switch', { name: 'Watch the folder' })
  await watch.click()
  await page.waitForFunction(() => document.querySelector('[role=switch]')?.ariaChecked === 'true')
  assert.deepEqual(await seriousFaults(page), [])
  // Shown before it is answered, and a page that is closed first takes it along.
  await Promise.all([page.waitForResponse((answer) => answer.request().method() !== 'GET'), watch.click()])
  await page.waitForFunction(() => document.querySelector('[role=switch]')?.ariaChecked === 'false')
  assert.deepEqual(admin.errors, [])
})

browserTest('one that fails says why, and is tried again', async (browser) => {
  await using editor = await scene.enter(browser, 'editor')
  const { page } = editor
  await rm(join(scene.octavo.dataFolder, 'sites', 'docs.localhost', 'docs.json'))
  const failed = await scene.octavo.client.startDeployment(scene.projectId)
  await page.goto(`${scene.octavo.url}/p/${scene.projectId}/deployments/${failed.deploymentId}`)
  await page.getByText('Readers keep the version that was live.').waitFor()
  await write('docs.json', JSON.stringify({ name: 'Guide', navigation: { pages: ['index'] } }))
  await page.getByRole('button', { name: 'Retry' }).click()
  await page.getByText('Another deployment has started').waitFor()
  await page.getByRole('link', { name: 'Deployments' }).first().click()
  const rows = page.getByRole('list', { name: 'Deployments' }).getByRole('listitem')
  await rows.first().getByText('Live', { exact: true }).waitFor()
  // The folder may have been published in between, by its watch of the test before.
  await rows.getByText('Failed', { exact: true }).first().waitFor()
  assert.deepEqual(editor.errors, [])
})

browserTest(
  'in German a failure and a refusal are said in German, with the names as they came',
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

/** As a worker leaves them. */
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

browserTest('previews are listed with what they change, and removed', async (browser) => {
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
  assert.deepEqual(await seriousFaults(page), [])

  await addPreview('feature/region-flag', { error: null })
  await addPreview(`broken-${'long-'.repeat(30)}end`, { error: 'The branch has no docs.json.', isFork: true })
  await page.reload()
  const rows = page.getByRole('list', { name: 'Previews' }).getByRole('listitem')
  await rows.getByText('2 added · 1 changed').waitFor()
  await rows.getByText('The branch has no docs.json.').waitFor()
  await assertAccessible(page)
  const ready = rows.filter({ hasText: 'feature/region-flag' })
  const address = await ready.getByRole('link', { name: 'Open' }).getAttribute('href')
  assert.match(address ?? '', /^http:\/\/\w+\.previews\.localhost:\d+/)
  await ready.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove the preview', exact: true }).click()
  await ready.waitFor({ state: 'detached' })
  assert.deepEqual(editor.errors, [])
})
