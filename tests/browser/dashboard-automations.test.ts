import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { assertAccessible, seriousFaults } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene()
})
after(() => scene[Symbol.asyncDispose]())

const address = () => `${scene.octavo.url}/p/${scene.projectId}/agent/automations`

browserTest(
  'creates an automation from a template, dry-runs, edits, pauses and deletes it',
  async (browser) => {
    await using editor = await scene.enter(browser, 'editor')
    const { page } = editor
    await page.goto(`${scene.octavo.url}/p/${scene.projectId}/agent`)
    await page.getByRole('link', { name: 'Automations' }).click()
    await page.getByText('No automations yet').waitFor()
    await page.getByRole('button', { name: 'Review the docs every week' }).click()
    assert.equal(await page.getByLabel('Name').inputValue(), 'Weekly review')
    await page.getByRole('switch', { name: 'Dry run' }).click()
    await page.getByLabel('Time zone').fill('Europe/Atlantis')
    await page.getByRole('button', { name: 'Add the automation' }).click()
    await page.getByText(/not a time zone/).waitFor()
    await page.getByLabel('Time zone').fill('Europe/Berlin')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Weekly review' }).waitFor()

    await page.getByRole('button', { name: 'Dry run now' }).click()
    const runs = page.getByRole('list', { name: 'Runs' }).getByRole('listitem')
    await runs.first().getByText('Dry run').waitFor()
    await runs.first().getByText('Prompt', { exact: true }).click()
    await runs
      .first()
      .getByText(/Review the pages/)
      .waitFor()

    await page.getByLabel('Name').fill('Look '.repeat(20))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    await page.getByRole('button', { name: 'Delete the automation …' }).click()
    await page.getByRole('button', { name: 'Delete the automation', exact: true }).click()
    await page.getByText('No automations yet').waitFor()
    assert.deepEqual(editor.errors, [])
  },
)

browserTest('shows the URL of a webhook trigger after creating it and after changing it', async (browser) => {
  await using editor = await scene.enter(browser, 'editor', { colorScheme: 'dark' })
  const { page } = editor
  await page.goto(`${address()}?new=1`)
  await page.getByLabel('Name').fill('Releases')
  await page.getByLabel('Trigger').selectOption({ label: 'An external message' })
  await page.getByLabel('Prompt').fill('Tell of the release.')
  await page.getByRole('button', { name: 'Add the automation' }).click()
  const dialog = page.getByRole('dialog', { name: 'The URL' })
  await dialog.waitFor()
  assert.match(await dialog.getByLabel('Address').inputValue(), /\/hooks\/automations\/aut_/)
  assert.deepEqual(await seriousFaults(page), [])
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: 'Change the URL' }).click()
  await page.getByRole('dialog', { name: 'The URL' }).waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(editor.errors, [])
})

browserTest(
  'comment and pull request triggers have their own fields, and a missing value marks its field',
  async (browser) => {
    await using editor = await scene.enter(browser, 'editor')
    const { page } = editor
    await page.goto(`${address()}?new=1`)
    await page.getByLabel('Name').fill('Called by people')
    await page.getByLabel('Trigger').selectOption({ label: 'A mention in a comment' })
    await page.getByLabel('Prompt').fill('Do what the comment asks for.')
    await page.getByRole('button', { name: 'Add the automation' }).click()
    const people = page.getByLabel('Who may use it')
    await page.waitForFunction(
      (field) => field?.getAttribute('aria-invalid') === 'true',
      await people.elementHandle(),
    )
    await people.fill('anna\nben')
    await page.getByLabel('Tokens').fill('200000')
    await page.getByLabel('Model').fill('anthropic:claude-haiku-4-5')
    await page.getByRole('button', { name: 'Add the automation' }).click()
    await page.getByRole('heading', { name: 'Called by people' }).waitFor()
    await page.getByText('a comment that mentions @octavo').first().waitFor()
    await page.reload()
    assert.equal(await people.inputValue(), 'anna\nben')
    assert.equal(await page.getByLabel('Tokens').inputValue(), '200000')
    assert.equal(await page.getByLabel('Model').inputValue(), 'anthropic:claude-haiku-4-5')
    await page.goto(`${address()}?new=template-6`)
    await page.getByLabel('Repository').fill('acme/api')
    await page.getByLabel('When').selectOption({ label: 'It was opened' })
    await page.getByRole('button', { name: 'Add the automation' }).click()
    await page.getByText('a pull request opened in acme/api').first().waitFor()
    assert.deepEqual(
      editor.errors.filter((error) => !/400/.test(error)),
      [],
    )
  },
)

browserTest(
  "the code push trigger offers the project's code repositories and reports when there are none",
  async (browser) => {
    await using editor = await scene.enter(browser, 'editor', { colorScheme: 'dark' })
    const { page } = editor
    await page.goto(`${address()}?new=1`)
    await page.getByLabel('Name').fill('Changed code')
    await page.getByLabel('Prompt').fill('Bring the pages up to date.')
    const kind = page.getByLabel('Trigger')
    const add = page.getByRole('button', { name: 'Add the automation' })
    await kind.selectOption({ label: 'A pull request' })
    await page.getByLabel('Repository').fill('no name')
    await add.click()
    await page.locator('[aria-invalid="true"]').waitFor()
    assert.equal(await page.getByLabel('Repository').getAttribute('aria-invalid'), 'true')
    await kind.selectOption({ label: 'A push to code' })
    await page.getByText('This project has no code repository yet.').waitFor()
    await add.click()
    await page.locator('form p.text-danger').filter({ hasText: /./ }).first().waitFor()
    const { database } = scene.octavo.node.context
    await database.queries
      .insertInto('code_repositories')
      .values({
        ...{ id: 'crp_form', organization_id: scene.octavo.organizationId, project_id: scene.projectId },
        ...{ name: 'api', ref: null, source_kind: 'git', repository: 'https://forge.example/acme/api' },
        ...{ folder_granted: false, folder: '', made_by: null },
      })
      .execute()
    await page.goto(`${address()}?new=template-7`)
    const repository = page.getByLabel('Code repository')
    await page.waitForFunction(
      (field) => (field as HTMLSelectElement).value === 'api',
      await repository.elementHandle(),
    )
    await page.getByLabel('Only these files').fill('src/**')
    await assertAccessible(page)
    await add.click()
    await page.getByText('a push to api').first().waitFor()
    assert.deepEqual(editor.errors, [])
  },
)
