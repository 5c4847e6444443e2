/** Project settings in the dashboard: saving, undoing and resolving conflicts. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { browserTest } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import type { MemberLooking } from './dashboard-look.ts'
import { openWorkScene, type WorkScene } from './dashboard-work-scene.ts'

let work: WorkScene
before(async () => {
  work = await openWorkScene({})
})
after(() => work[Symbol.asyncDispose]())

const settings = async (looking: MemberLooking) =>
  (await (await looking.ask('GET', `/internal/projects/${work.projectId}`)).json()) as {
    name: string
    features: Record<string, boolean>
    agent: Record<string, unknown>
    domains: string[]
    widgets: Record<string, boolean>
    updatedAt: string
  }

browserTest('changes, saves and undoes settings by keyboard', async (browser) => {
  await using looking = await work.look(browser, 'admin')
  const { page, errors } = looking
  await page.goto(work.at('/settings/features'))
  await page.getByRole('switch', { name: 'Search, client-hosted' }).focus()
  await page.keyboard.press('Space')
  await page.getByText('Unsaved changes').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.deepEqual((await settings(looking)).features, { search: false })
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByText('Undone').waitFor()
  assert.deepEqual((await settings(looking)).features, {})

  await page.goto(work.at('/settings/widgets'))
  await page.getByLabel('A link to suggest an edit').selectOption({ label: 'On' })
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.deepEqual((await settings(looking)).widgets, { suggestEdit: true })
  assert.deepEqual(errors, [])
})

browserTest(
  'shows all validation errors at their fields at once and confirms leaving with unsaved changes',
  async (browser) => {
    await using looking = await work.look(browser, 'admin')
    const { page } = looking
    await page.goto(work.at('/settings/agent'))
    await page.getByLabel('Steps').fill('0')
    await page.getByLabel('Minutes').fill('many')
    await page.getByRole('button', { name: 'Save' }).click()
    for (const name of ['Steps', 'Minutes'])
      await until(
        async () => (await page.getByLabel(name).getAttribute('aria-invalid')) === 'true',
        `${name} is marked`,
      )
    assert.deepEqual((await settings(looking)).agent, {})
    await page.getByRole('link', { name: 'Domains' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    assert.equal(await page.getByLabel('Minutes').inputValue(), 'many')
    await page.getByLabel('Steps').fill('12')
    await page.getByLabel('Minutes').fill('')
    await page.keyboard.press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.deepEqual((await settings(looking)).agent, { steps: 12 })

    await page.getByRole('switch', { name: 'Open pull requests as drafts' }).click()
    await page.getByLabel('Reviewers').fill('ann, a b/,c, @dan')
    await page.getByLabel('Labels').fill(' documentation ,, agent')
    await page.getByLabel('Names').fill('PostgreSQL')
    await page.getByRole('button', { name: 'Save' }).click()
    await until(
      async () => (await page.getByLabel('Reviewers').getAttribute('aria-invalid')) === 'true',
      'the list with a name that no forge has is marked',
    )
    await page.getByLabel('Reviewers').fill('ann, acme/docs')
    await page.getByRole('button', { name: 'Save' }).click()
    await until(async () => (await settings(looking)).agent.drafts === true, 'the lists are saved')
    assert.deepEqual((await settings(looking)).agent, {
      steps: 12,
      drafts: true,
      reviewers: ['ann', 'acme/docs'],
      labels: ['documentation', 'agent'],
      names: ['PostgreSQL'],
    })

    await page.getByLabel('Author of commits').fill('Acme Docs')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('A name, then an email address in angle brackets.').waitFor()
    await page.getByRole('button', { name: 'Create a signing key' }).click()
    const shown = page.getByText(/^ssh-ed25519 \S+$/)
    await shown.waitFor()
    const before = await shown.textContent()
    await page.getByRole('button', { name: 'Replace the key' }).click()
    await page.getByRole('button', { name: 'Replace it' }).click()
    await until(async () => (await shown.textContent()) !== before, 'another key is shown')
    await page.getByRole('button', { name: 'Remove the key' }).click()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByRole('button', { name: 'Create a signing key' }).waitFor()
  },
)

browserTest('shows a conflicting change by another user and lets the user choose', async (browser) => {
  await using first = await work.look(browser, 'admin')
  await using second = await work.look(browser, 'admin')
  for (const { page } of [first, second]) {
    await page.goto(work.at('/settings'))
    await page.getByLabel('Name').waitFor()
  }
  await first.page.getByLabel('Name').fill('Mine')
  await second.page.getByLabel('Name').fill('Theirs')
  await second.page.getByRole('button', { name: 'Save' }).click()
  await second.page.getByText('Saved', { exact: true }).waitFor()
  const conflict = first.page.getByRole('alert').filter({ hasText: 'Someone else has changed' })
  await conflict.getByText('Theirs', { exact: true }).last().waitFor()
  assert.equal((await settings(first)).name, 'Theirs')
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await first.page.getByRole('button', { name: 'Save' }).click()
  await first.page.getByText('Saved', { exact: true }).waitFor()
  assert.equal((await settings(first)).name, 'Mine')
  // A page without unsaved input shows the new values right away.
  await until(
    async () => (await second.page.getByLabel('Name').inputValue()) === 'Mine',
    'the newest is shown',
  )
})

browserTest('keeps unsaved input while offline and saves it after reconnecting', async (browser) => {
  await using looking = await work.look(browser, 'admin')
  const { page, context } = looking
  await page.goto(work.at('/settings'))
  await page.getByLabel('Name').fill('Out of the tunnel')
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('alert').getByText('No connection').waitFor()
  await context.setOffline(false)
  await page.getByText('you cannot make changes until the connection is back').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  assert.equal((await settings(looking)).name, 'Out of the tunnel')
})

browserTest('on a phone the settings sections are chosen from a menu', async (browser) => {
  await using looking = await work.look(browser, 'admin', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const { page } = looking
  const chosen = (name: string) =>
    page.getByRole('button', { name: `Settings: ${name}. Choose another`, exact: true })
  await page.goto(work.at('/settings'))
  let before = 'General'
  for (const name of ['Webhooks', 'Features', 'Feedback widgets', 'General', 'Agent', 'Domains']) {
    await chosen(before).tap()
    await page.getByRole('menuitemradio', { name, exact: true }).tap()
    await chosen(name).waitFor()
    before = name
  }
  assert.equal(new URL(page.url()).pathname, new URL(work.at('/settings/domains')).pathname)
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
})
