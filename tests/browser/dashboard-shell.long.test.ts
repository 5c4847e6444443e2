/** The dashboard shell: shortcuts, command palette, navigation, connection state and organization pages. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { browserTest } from '../kit/browser.ts'
import { addPerson } from '../kit/people.ts'
import { openPeopleScene, type PeopleScene } from './dashboard-people-scene.ts'

let scene: PeopleScene
before(async () => {
  scene = await openPeopleScene()
})
after(() => scene[Symbol.asyncDispose]())

const at = (path: string) => scene.octavo.url + path
const organization = (path: string) => at(`/o/${scene.octavo.organizationId}/${path}`)

browserTest(
  'the palette opens pages by keyboard, shortcuts navigate and the shortcut sheet lists them',
  async (browser) => {
    await using looking = await scene.enter(browser, 'owner')
    const { page } = looking
    await page.goto(organization('members'))
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Find anything' })
    await field.waitFor()
    await page.keyboard.type('plan')
    await page.getByRole('option', { name: /Plan and limits/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/plan')
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.waitForURL('**/keys')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('New API key').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New API key' }).waitFor()
    // Shortcuts are ignored while typing in a field.
    await page.keyboard.type('g m?')
    assert.equal(await page.getByLabel('Name').inputValue(), 'g m?')
    assert.deepEqual(looking.errors, [])
  },
)

browserTest(
  'a new key is shown once, works until it is revoked and is not kept in the page',
  async (browser) => {
    await using looking = await scene.enter(browser, 'owner')
    const { page } = looking
    await page.goto(organization('keys'))
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Nightly report')
    await page.getByLabel('Only from these addresses').fill('not an address')
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByRole('alert').or(page.locator('[aria-invalid]')).first().waitFor()
    await page.getByLabel('Only from these addresses').fill('127.0.0.1\n::1/128')
    await page.getByRole('radio', { name: '30 days', exact: true }).click()
    await page.getByRole('button', { name: 'Create the key' }).click()
    const text = await page.getByLabel('The new API key').inputValue()
    assert.match(text, /^oct_/)
    const answer = await fetch(at(`/v1/analytics/${scene.projectId}/feedback`), {
      headers: { Authorization: `Bearer ${text}` },
    })
    assert.equal(answer.status, 200)

    await page.keyboard.press('Escape')
    await page.getByRole('alert').getByText('Save the key first').waitFor()
    assert.equal(await page.getByLabel('The new API key').inputValue(), text)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    const row = page.getByRole('row', { name: /Nightly report/ })
    await row.getByText('expires in 30 days').waitFor()
    await row.getByText(text.slice(-4)).waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify([
        document.documentElement.outerHTML,
        { ...localStorage },
        { ...sessionStorage },
        location.href,
      ]),
    )
    assert.equal(kept.includes(text), false)

    await row.getByRole('button', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke this key?' })
    assert.equal(await dialog.getByRole('button', { name: 'Revoke the key' }).isDisabled(), true)
    await dialog.getByLabel(/Type/).fill('Nightly report')
    await dialog.getByRole('button', { name: 'Revoke the key' }).click()
    await row.getByText('revoked', { exact: true }).waitFor()
    const refused = await fetch(at(`/v1/analytics/${scene.projectId}/feedback`), {
      headers: { Authorization: `Bearer ${text}` },
    })
    assert.equal(refused.status, 401)
  },
)

browserTest(
  'a role changes at once, can be undone and is restored when the server refuses',
  async (browser) => {
    await using owner = await scene.enter(browser, 'owner')
    await using editor = await scene.enter(browser, 'editor')
    await editor.context.close()
    const { page } = owner
    await page.goto(organization('members'))
    const role = page.getByLabel('Role of The editor')
    await role.selectOption('viewer')
    await page.getByText('The editor is now a viewer').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(() => {
      const select = document.querySelector<HTMLSelectElement>('select[aria-label="Role of The editor"]')
      return select?.value === 'editor'
    })
    // The last owner cannot be demoted.
    await page.getByLabel('Role of The owner').selectOption('admin')
    await page.getByText('The role was not changed').waitFor()
    assert.equal(await page.getByLabel('Role of The owner').inputValue(), 'owner')
  },
)

browserTest('finds a member by name among many and opens an audit log row in full', async (browser) => {
  await using looking = await scene.enter(browser, 'owner')
  const { database } = scene.octavo.node.context
  const { organizationId } = scene.octavo
  for (let number = 0; number < 12; number++) {
    const name = number === 7 ? 'محمد بن موسى الخوارزمي' : `Person ${number}`
    await addPerson(database, { email: `many${number}@example.com`, name, organizationId, role: 'viewer' })
  }
  const { page } = looking
  await page.goto(organization('members'))
  await page.getByLabel('Find a member').fill('الخوارزمي')
  const rows = page.getByRole('table').first().getByRole('row')
  await page.waitForFunction(() => document.querySelectorAll('table:first-of-type tbody tr').length === 1)
  await rows.getByText('many7@example.com').waitFor()
  await page.getByLabel('Find a member').fill('nobody at all')
  await page.getByText('No matching members').waitFor()

  await page.goto(organization('audit?action=member'))
  await page
    .getByRole('button', { name: /^Details: .* signed in$/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Audit row' })
  await dialog.getByText('"by": "password"').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  assert.deepEqual(looking.errors, [])
})

browserTest('reports being offline, refuses a change and saves it after reconnecting', async (browser) => {
  await using looking = await scene.enter(browser, 'owner')
  const { page, context } = looking
  await page.goto(at('/account'))
  await page.getByLabel('Name').fill('Another name')
  await context.setOffline(true)
  await page.getByText('You are offline. The page shows the last loaded data').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('You are offline, so this was not sent').waitFor()
  await context.setOffline(false)
  await page.getByText('You are offline. The page shows the last loaded data').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  // Leaving a page with unsaved input asks for confirmation.
  await page.getByLabel('Name').fill('Half')
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
  await page.getByRole('button', { name: 'Stay' }).click()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Half')
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.waitForURL('**/members')
})

browserTest('on a phone the other pages are behind More, and nothing overflows', async (browser) => {
  await using looking = await scene.enter(browser, 'owner', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const { page } = looking
  for (const path of ['keys', 'members', 'plan', 'audit', 'projects/new']) {
    await page.goto(organization(path))
    await page.getByRole('heading', { level: 1 }).waitFor()
    const beyond = await page.evaluate(() => {
      const scroller = document.querySelector('main h1')?.closest('main')?.querySelector('header + div')
      return Math.max(
        document.documentElement.scrollWidth - innerWidth,
        (scroller?.scrollWidth ?? Number.NaN) - (scroller?.clientWidth ?? 0),
      )
    })
    assert.equal(beyond, 0, `${path} is wider than the phone`)
  }
  await page.getByRole('button', { name: 'More' }).tap()
  await page.getByRole('dialog', { name: 'More' }).getByRole('link', { name: 'API keys' }).tap()
  await page.waitForURL('**/keys')
  await page.getByRole('dialog', { name: 'More' }).waitFor({ state: 'detached' })
})

browserTest(
  'applies the chosen color scheme before the first paint, without inline styles or scripts',
  async (browser) => {
    await using looking = await scene.enter(browser, 'owner', { colorScheme: 'light' })
    const { page } = looking
    await page.goto(at('/account'))
    await page
      .getByRole('button', { name: 'The owner' })
      .or(page.getByRole('button', { name: 'Another name' }))
      .first()
      .click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        document.documentElement.dataset.atFirst = getComputedStyle(document.documentElement).colorScheme
      })
    })
    await page.reload()
    assert.equal(await page.getAttribute('html', 'data-at-first'), 'dark')
    const html = await (await fetch(at('/account'), { headers: { accept: 'text/html' } })).text()
    assert.doesNotMatch(html, /<style|style=|<script(?![^>]*src=)/)
    assert.deepEqual(looking.errors, [])
  },
)
