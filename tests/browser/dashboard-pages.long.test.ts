/** Checks every dashboard page with content: no axe issues in light or dark mode, and no overflow at any width. */
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { createId } from '../../src/base/ids.ts'
import { A_MONTH, putReading } from '../analytics/reading-history.ts'
import { assertAccessible } from '../kit/axe.ts'
import { browserTest } from '../kit/browser.ts'
import { until } from '../kit/until.ts'
import { type InboxScene, idOf, openInboxScene } from './dashboard-inbox-scene.ts'
import { visit } from './dashboard-look.ts'

const heading = (name: string) => (page: Page) =>
  page.getByRole('heading', { name, exact: true }).last().waitFor()
const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()

/** Paths relative to the project. `o:` paths are relative to the organization, `/account` is absolute. */
const PAGES: Record<string, (page: Page) => Promise<unknown>> = {
  '': text('Least helpful pages'),
  '/feedback': text('Entry number 1'),
  '/feedback?grouped=yes': (page) => page.getByRole('listitem').first().waitFor(),
  [`/feedback?entry=${idOf(10)}`]: (page) => page.getByRole('link', { name: 'Open the page' }).waitFor(),
  '/insights': heading('What to write next'),
  '/insights?show=searches': heading('Searches'),
  '/insights?page=%2Fcode': heading('Outbound links'),
  '/assistant': (page) => page.getByRole('link', { name: /How do I copy/ }).waitFor(),
  '/agent/automations': text('Weekly review'),
  '/agent/automations?new=1': (page) => page.getByLabel('Trigger').waitFor(),
  '/deployments': text('Live'),
  '/statements': (page) => page.getByRole('heading', { level: 1 }).waitFor(),
  '/settings': text('IDs'),
  '/settings/source': text('Docs folder'),
  '/settings/domains': (page) => page.getByRole('button', { name: 'Add a domain' }).waitFor(),
  '/settings/features': text('Client-hosted'),
  '/settings/widgets': text('Was this page helpful?'),
  '/settings/agent': text('Steps'),
  '/settings/webhooks': text('No webhook yet'),
  '/settings/access': (page) => page.getByRole('switch', { name: 'Private site' }).waitFor(),
  '/settings/code': text('https://github.com/acme/api'),
  '/settings/delete': (page) => page.getByRole('button', { name: 'Delete the project' }).waitFor(),
  'o:keys': text('last used'),
  'o:git': text('No tokens yet'),
  'o:plan': text('34.5 MB in 12 objects'),
  'o:members': heading('Members'),
  'o:audit': heading('Audit log'),
  'o:projects/new': heading('New project'),
  'o:notifications': (page) => page.getByRole('radio', { name: 'Unread' }).waitFor(),
  'o:server': heading('Language model'),
  '/account': text('This session'),
}

const SIGNED_OUT = ['/sign-in', '/setup', '/invitation#token=x', '/reset-password#token=x']

let inbox: InboxScene
before(async () => {
  inbox = await openInboxScene({
    OCTAVO_ASSISTANT_MODEL: 'openai-compatible:stand-in',
    OCTAVO_MODEL_URL: 'http://127.0.0.1:9/v1',
  })
  const { node, organizationId, client } = inbox.scene.node
  const { pool, queries } = node.context.database
  await inbox.fill(40)
  await pool.query(`UPDATE feedback SET comment = 'The same words' WHERE source = 'agent'`)
  await putReading(queries, inbox.projectId, A_MONTH)
  await until(async () => (await pool.query('SELECT FROM analytics_inbox LIMIT 1')).rowCount === 0, 'counted')
  const project = { organization_id: organizationId, project_id: inbox.projectId }
  await queries
    .insertInto('assistant_questions')
    .values({
      ...{ id: createId('ask'), project_id: inbox.projectId, thread_id: 'thread-of-code-01', at: new Date() },
      ...{ path: '/code', language: 'en', question: 'How do I copy code?', status: 'unanswered' },
      ...{ claims: '[]', withheld: 2, nearest: '[]', category: null, helpful: null },
    })
    .execute()
  await client.call('createAutomation', {
    params: { projectId: inbox.projectId },
    body: { name: 'Weekly review', trigger: { kind: 'push' }, prompt: 'Review the pages.' },
  })
  await queries
    .insertInto('code_repositories')
    .values({
      ...{ id: 'crp_pages', ...project, name: 'api', ref: null, source_kind: 'git', folder: '' },
      ...{ repository: 'https://github.com/acme/api', folder_granted: false, made_by: null },
    })
    .execute()
  for (const table of ['storage_sweeps', 'storage_use'] as const) await queries.deleteFrom(table).execute()
  await queries
    .insertInto('storage_use')
    .values({ organization_id: organizationId, holder: 'exports', objects: 12, bytes: 34_500_000 })
    .execute()
  await queries
    .insertInto('storage_sweeps')
    .values({ started_at: new Date(), ended_at: new Date() })
    .execute()
})
after(() => inbox[Symbol.asyncDispose]())

browserTest(
  'axe finds no serious violations on any dashboard page with content, at any width',
  async (browser) => {
    await using looking = await inbox.look(browser, 'owner')
    const { page, userId, ask } = looking
    const { node, organizationId, url } = inbox.scene.node
    await node.context.database.queries
      .insertInto('operators')
      .values({ user_id: userId, made_by: 'cli' })
      .execute()
    await ask('POST', '/internal/api-keys', { name: 'Nightly report', expiresInDays: 90 })
    for (const [path, shown] of Object.entries(PAGES)) {
      const address = path.startsWith('o:') ? `${url}/o/${organizationId}/${path.slice(2)}` : inbox.at(path)
      await page.goto(path === '/account' ? url + path : address)
      await shown(page)
      await assertAccessible(page, path)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find anything' }).waitFor()
    await assertAccessible(page, 'palette')
    await using visitor = await visit(browser)
    for (const path of SIGNED_OUT) {
      await visitor.page.goto(url + path)
      await visitor.page.getByRole('heading', { level: 1 }).waitFor()
      await assertAccessible(visitor.page, path)
    }
  },
)
