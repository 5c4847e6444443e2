/** Previews in the dashboard: none, one that is ready, one that has failed, and what gets one by itself. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { createId } from '../../src/base/ids.ts'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene()
})
after(() => scene[Symbol.asyncDispose]())

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
