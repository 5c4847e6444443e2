/** Code repositories in the settings: none, added with a refusal on the way, changed, removed. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let people: PeopleScene
before(async () => {
  people = await openPeopleScene({})
})
after(() => people[Symbol.asyncDispose]())

const at = (path: string) => `${people.octavo.url}/p/${people.projectId}${path}`

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
