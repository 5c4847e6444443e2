import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { createId } from '../../src/base/ids.ts'
import { scheduleStatementCheck } from '../../src/features/statements/schedule-checks.ts'
import { allFaultsInBothSchemes } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { createTestRepository, type TestRepository } from '../kit/git.ts'
import { until } from '../kit/until.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

const CLI = "option('--log-level <level>')\nexport const cacheSize = 512\n"

let scene: PeopleScene
let code: TestRepository
let projectId: string

before(async () => {
  scene = await openPeopleScene()
  code = await createTestRepository({ 'src/cli.ts': CLI })
  const site = await scene.octavo.addSite('code.localhost', {
    'docs.json': JSON.stringify({ name: 'Guide', navigation: { pages: ['guide'] } }),
    'guide.mdx':
      '---\ntitle: Guide\n---\n\nPass `--log-level` to choose.\n\n`cacheSize` is 512 by default.\n\nNothing of `theCode`.\n',
  })
  projectId = site.projectId
})
after(async () => {
  await scene[Symbol.asyncDispose]()
  await code[Symbol.asyncDispose]()
})

const database = () => scene.octavo.node.context.database

async function check(): Promise<void> {
  const checkedAt = async () =>
    (await database().queries.selectFrom('statement_checks').select('checked_at').executeTakeFirst())
      ?.checked_at
  const last = await checkedAt()
  await database().transaction((tx) => scheduleStatementCheck(tx, projectId))
  await until(async () => {
    const now = await checkedAt()
    return now != null && now.getTime() !== last?.getTime()
  }, 'the check')
}

browserTest('counts statements, marks one in doubt after a commit and confirms it', async (browser) => {
  await using editor = await scene.enter(browser, 'editor')
  const { page } = editor
  const address = `${scene.octavo.url}/p/${projectId}/statements`
  await page.goto(address)
  await page.getByText('No code repository').waitFor()

  await database()
    .queries.insertInto('code_repositories')
    .values({
      ...{ id: createId('crp'), organization_id: scene.octavo.organizationId, project_id: projectId },
      ...{ name: 'api', source_kind: 'folder', repository: code.folder, folder_granted: true },
      ...{ ref: 'main', folder: '', made_by: null },
    })
    .execute()
  await check()
  await page.reload()
  const row = page.getByRole('row', { name: /guide\.mdx/ })
  await row.waitFor()
  assert.deepEqual(await row.getByRole('cell').allInnerTexts(), ['guide.mdx', '0', '0', '2', '3'])
  await page.getByRole('radio', { name: 'By file' }).click()
  await page.getByRole('link', { name: 'api/src/cli.ts' }).waitFor()

  await code.commit({ 'src/cli.ts': CLI.replace('512', '1024') })
  await check()
  await page.goto(address)
  await page.getByRole('link', { name: /In doubt/ }).click()
  const statement = page.getByRole('listitem').filter({ hasText: '512 by default' })
  await statement.getByText('+ export const cacheSize = 1024').waitFor()
  assert.deepEqual(await allFaultsInBothSchemes(page), [])
  await page.setViewportSize({ width: 390, height: 844 })
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.equal(await overflow(), 0)
  await statement.getByRole('button', { name: /It still holds/ }).click()
  await page.getByText('No code change contradicts the docs.').waitFor()
  await page.goto(address)
  await page.getByRole('link', { name: /Confirmed/ }).waitFor()
  assert.equal(await overflow(), 0)
  await page.getByRole('link', { name: /Confirmed/ }).click()
  await page.getByRole('button', { name: /Withdraw/ }).click()
  await page.getByText('No statements here are linked to code.').waitFor()
  assert.deepEqual(editor.errors, [])
})
