/** Checks which controls each role sees. tests/http/access-matrix.test.ts checks that the server refuses the rest. */
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Role } from '../../src/base/api/roles.ts'
import { browserTest } from '../kit/browser.ts'
import { type InboxScene, idOf, openInboxScene } from './dashboard-inbox-scene.ts'

interface Shown {
  /** Path relative to the project, or with `o:` to the organization. */
  path: string
  has: (page: Page) => Locator
  /** Keys to press before `lacks` is checked. */
  keys?: readonly string[]
  /** Elements that must not be on the page. */
  lacks: (page: Page) => Locator
}

const words = (text: string | RegExp) => (page: Page) => page.getByText(text).first()
const buttons = (name: RegExp) => (page: Page) => page.getByRole('button', { name })
const links = (name: string) => (page: Page) => page.getByRole('link', { name })
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name, level: 1 })

const SHOWN: Partial<Record<Role, readonly Shown[]>> = {
  viewer: [
    { path: '/deployments', has: words('Live'), lacks: buttons(/^(?:Publish|Unpin)/) },
    { path: '/site', has: words('Content problems'), lacks: buttons(/Publish/) },
    { path: '/exports', has: words('No export yet'), lacks: buttons(/^(?:New|Start|Export)/) },
    {
      path: '/feedback',
      has: words('Entry number 9'),
      keys: ['j', 'x', 's', 'n', 'Control+a'],
      lacks: (page) =>
        page
          .getByRole('checkbox')
          .or(page.getByRole('dialog'))
          .or(page.getByText(/selected$/)),
    },
    {
      path: '/feedback?grouped=yes',
      has: words('The same words'),
      keys: ['j', 'x', 's', 'Control+a'],
      lacks: (page) =>
        page
          .getByRole('checkbox')
          .or(page.getByRole('dialog'))
          .or(page.getByText(/selected$/)),
    },
    {
      path: '/feedback?entry=ENTRY',
      has: (page) => page.getByRole('region', { name: 'Detail' }).getByText('Entry number 1'),
      lacks: (page) =>
        page
          .getByRole('region', { name: 'Detail' })
          .getByRole('button', { name: /Status/ })
          .or(page.getByLabel('Internal note'))
          .or(page.getByRole('link', { name: 'Ask the agent' })),
    },
    { path: '/agent/automations', has: words('Weekly review'), lacks: buttons(/Run|Pause|Save|Delete|Add/) },
    {
      path: '/settings',
      has: words('Admins and owners can change this.'),
      lacks: (page) =>
        buttons(/^Save/)(page)
          .or(links('Webhooks')(page))
          .or(page.getByLabel('Name').and(page.locator(':enabled'))),
    },
    {
      path: '/settings/code',
      has: words('https://github.com/acme/api'),
      lacks: buttons(/Change|Remove|Add a/),
    },
    {
      path: 'o:members',
      has: heading('Members'),
      lacks: (page) => buttons(/^Invite$/)(page).or(links('Audit log')(page)),
    },
    {
      path: 'o:audit',
      has: words('Only admins and owners can view the audit log'),
      lacks: buttons(/Download/),
    },
    {
      path: 'o:keys',
      has: words('Your role does not allow this'),
      keys: ['c'],
      lacks: (page) => buttons(/New key/)(page).or(page.getByRole('dialog')),
    },
    {
      path: 'o:plan',
      has: words('34.5 MB in 12 objects'),
      lacks: (page) => page.getByRole('combobox').and(page.locator(':enabled')),
    },
    {
      path: 'o:projects/new',
      has: words('Admins and owners of Test can create one'),
      lacks: (page) => page.getByRole('textbox'),
    },
    {
      path: '/../../account',
      has: (page) => page.getByLabel('Feedback was assigned to you'),
      lacks: (page) => page.locator('#notifications').getByRole('combobox').nth(1),
    },
    { path: '/nothing', has: heading('There is no page at this URL'), lacks: buttons(/^Publish/) },
  ],
  editor: [
    { path: 'o:keys', has: heading('API keys'), lacks: links('Git access') },
    { path: 'o:git', has: (page) => page.getByRole('alert'), lacks: buttons(/Save the token/) },
  ],
  admin: [
    {
      path: 'o:keys',
      has: (page) => page.getByLabel('Maximum lifetime of a key'),
      lacks: (page) => page.getByLabel('Maximum lifetime of a key').and(page.locator(':enabled')),
    },
    {
      path: 'o:server',
      has: (page) => page.getByRole('alert'),
      lacks: (page) => links('Server')(page).or(page.getByLabel('Provider')),
    },
  ],
}

let inbox: InboxScene
before(async () => {
  inbox = await openInboxScene()
  const { node, organizationId, client } = inbox.scene.node
  const { queries } = node.context.database
  await inbox.fill(10)
  await queries
    .updateTable('feedback')
    .set({ comment: 'The same words' })
    .where('path', '=', '/')
    .where('comment', 'in', ['Entry number 4', 'Entry number 5'])
    .execute()
  await client.call('createAutomation', {
    params: { projectId: inbox.projectId },
    body: { name: 'Weekly review', trigger: { kind: 'push' }, prompt: 'Look over the pages.' },
  })
  await queries
    .insertInto('code_repositories')
    .values({
      ...{ id: 'crp_roles', organization_id: organizationId, project_id: inbox.projectId, name: 'api' },
      ...{ ref: null, source_kind: 'git', repository: 'https://github.com/acme/api', folder: '' },
      ...{ folder_granted: false, made_by: null },
    })
    .execute()
  for (const table of ['storage_sweeps', 'storage_use'] as const) await queries.deleteFrom(table).execute()
  const use = { organization_id: organizationId, holder: 'exports', objects: 12, bytes: 34_500_000 }
  await queries.insertInto('storage_use').values(use).execute()
  await queries
    .insertInto('storage_sweeps')
    .values({ started_at: new Date(), ended_at: new Date() })
    .execute()
})
after(() => inbox[Symbol.asyncDispose]())

for (const [role, shown] of Object.entries(SHOWN) as [Role, readonly Shown[]][])
  browserTest(
    `${role}: each page shows its content and offers no action that the server refuses`,
    async (browser) => {
      await using looking = await inbox.look(browser, role)
      const { page } = looking
      const { organizationId, url } = inbox.scene.node
      const wrong: string[] = []
      for (const { path, has, keys = [], lacks } of shown) {
        await page.goto(
          path.startsWith('o:')
            ? `${url}/o/${organizationId}/${path.slice(2)}`
            : inbox.at(path.replace('ENTRY', idOf(1))),
        )
        await has(page).waitFor()
        for (const key of keys) await page.keyboard.press(key)
        const offered = await lacks(page).count()
        if (offered > 0) wrong.push(path)
      }
      assert.deepEqual(wrong, [])
      assert.deepEqual(
        looking.errors.filter((error) => !/40[34]/.test(error)),
        [],
      )
    },
  )

browserTest('an unknown URL keeps the navigation of the current project', async (browser) => {
  await using looking = await inbox.look(browser, 'viewer')
  const { page } = looking
  for (const path of ['/p/prj_nothing/feedback', '/o/org_nothing/members']) {
    await page.goto(`${inbox.scene.node.url}${path}`)
    await heading('There is no page at this URL')(page).waitFor()
    const feedback = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Feedback' })
    assert.equal(await feedback.getAttribute('href'), `/p/${inbox.projectId}/feedback`)
  }
})
