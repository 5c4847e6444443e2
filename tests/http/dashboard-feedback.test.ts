/** Feedback in the internal API: context, groups, search and saved views. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type {
  FeedbackContext,
  FeedbackGroupList,
  FeedbackView,
  FeedbackViewList,
  SearchedFeedback,
  SearchResult,
} from '../../src/features/feedback/operations/inbox.ts'
import { putRows } from '../feedback/feedback-scene.ts'
import { smallSite } from '../kit/site.ts'
import { type ApiUnderTest, makeTenant, startApi, type Tenant } from './api-under-test.ts'
import { type DashboardScene, openDashboard, publishFolder } from './dashboard-scene.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let count = 0

before(async () => {
  api = await startApi({ poolSize: 20 })
  dashboard = await openDashboard(api)
})
after(() => api[Symbol.asyncDispose]())

const tenant = () => makeTenant(api.database, { name: `inbox-${++count}`, plan: 'enterprise' })
const at = ({ projectId }: Tenant, rest: string) => `/internal/projects/${projectId}/feedback${rest}`

test('matching feedback on one page forms a group, largest first, but not across pages', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const say = (comment: string, path = '/a') => ({ source: 'agent' as const, comment, path })
  const code = { source: 'code_snippet' as const, path: '/a', code: 'run()' }
  const ids = await putRows(api.database, site.projectId, [
    { ...say('It is broken.'), createdAt: '2026-01-01T00:00:00Z' },
    { ...say('it is   BROKEN'), createdAt: '2026-01-03T00:00:00Z' },
    { ...say('It is broken!'), createdAt: '2026-01-02T00:00:00Z', status: 'resolved' },
    say('It is broken', '/b'),
    { ...code, comment: 'fails', createdAt: '2026-01-05T00:00:00Z' },
    { ...code, comment: 'fails here too', createdAt: '2026-01-04T00:00:00Z' },
    say('Something else'),
    { path: '/a' },
    { path: '/a' },
  ])
  const { groups, isMore } = await viewer.json<FeedbackGroupList>(at(site, '/groups'))
  assert.equal(isMore, false)
  assert.deepEqual(
    groups.map(({ kind, count: size, entries }) => [kind, size, entries.map(({ id }) => id)]),
    [
      ['text', 3, [ids[1], ids[2], ids[0]]],
      ['code', 2, [ids[4], ids[5]]],
    ],
  )
  assert.deepEqual(
    groups[0]?.entries.map(({ status }) => status),
    ['pending', 'resolved', 'pending'],
  )
  assert.deepEqual(
    [groups[0]?.newestAt, groups[0]?.oldestAt, groups[1]?.code],
    ['2026-01-03T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'run()'],
  )
  const open = await viewer.json<FeedbackGroupList>(at(site, '/groups?status=pending&limit=1'))
  assert.deepEqual([open.groups.length, open.isMore], [1, true])
  assert.deepEqual(open.groups[0]?.count, 2)
  assert.equal((await viewer.ask(at(site, '/groups?status=lost'))).status, 400)
})

test('the context of an entry has its page, its published code block and its duplicates', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const block = (code: string) => ({ source: 'code_snippet' as const, path: '/page-1', code })
  const [same, twin, alike, other, lost] = await putRows(api.database, site.projectId, [
    block("const page = 'page-1'"),
    block("const page = 'page-1'"),
    block("first()\nconst page = 'page-1'"),
    block('something()\nelse()'),
    { path: '/gone' },
  ])
  const context = (id: string | undefined) => viewer.json<FeedbackContext>(at(site, `/${id}/context`))
  assert.equal((await context(same)).page.url, null)
  await using _published = await publishFolder(api, site, smallSite(2))
  const found = await context(same)
  assert.deepEqual([found.page.title, found.page.url], ['page-1', `https://${site.domain}/page-1`])
  assert.match(found.page.markdown ?? '', /Text of page-1/)
  assert.deepEqual(found.code, {
    text: "const page = 'page-1'",
    lang: 'js',
    title: null,
    heading: 'Section',
    number: 1,
    isSame: true,
  })
  assert.deepEqual(found.duplicates, { count: 1, entries: [{ id: twin, status: 'pending' }] })
  assert.equal((await context(alike)).code?.isSame, false)
  assert.equal((await context(other)).code, null)
  assert.deepEqual((await context(lost)).page, { path: '/gone', title: null, url: null, markdown: null })
  assert.equal((await viewer.ask(at(api.acme, `/${same}/context`))).status, 404)
  assert.equal((await viewer.ask(at(site, '/fb_nothing/context'))).status, 404)
})

test('search finds words in every script, with filters and without gaps between pages', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const rows = Array.from({ length: 30 }, (_, index) => ({
    source: 'agent' as const,
    comment: index % 3 === 0 ? `100% of the Übung ${index}` : `nothing ${index}`,
    status: index % 2 === 0 ? ('pending' as const) : ('resolved' as const),
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
  }))
  const ids = await putRows(api.database, site.projectId, rows)
  await putRows(api.database, site.projectId, [
    { source: 'agent', comment: '検索が壊れています', createdAt: null },
  ])
  const find = (query: string) => viewer.json<SearchedFeedback>(at(site, `/search?${query}`))
  const wanted = ids.filter((_, index) => index % 3 === 0).reverse()
  const seen: string[] = []
  let cursor = ''
  do {
    const page = await find(`q=${encodeURIComponent('100% OF')}&limit=4${cursor}`)
    seen.push(...page.feedback.map(({ id }) => id))
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
    assert.equal(page.hasMore, page.nextCursor !== null)
  } while (cursor !== '')
  assert.deepEqual(seen, wanted)
  assert.equal((await find('q=übung&status=resolved')).feedback.length, 5)
  assert.equal((await find('q=%E6%A4%9C%E7%B4%A2')).feedback.length, 1)
  assert.equal((await find('q=100_')).feedback.length, 0)
  const first = await find('q=nothing&limit=1')
  const refused = await viewer.refused(at(site, `/search?q=other&status=x&cursor=${first.nextCursor}`))
  assert.equal(refused.details.length, 2)
})

test('a view belongs to its creator, and shared views are visible to all and changed by admins', async () => {
  const site = await tenant()
  const [editor, other, admin, viewer] = await Promise.all([
    dashboard.member('editor', site),
    dashboard.member('editor', site),
    dashboard.member('admin', site),
    dashboard.member('viewer', site),
  ])
  const make = (name: string, isShared: boolean) =>
    editor.post<FeedbackView>(at(site, '/views'), { name, query: 'status=pending', isShared })
  const [mine, shared] = [await make('Mine', false), await make('All of us', true)]
  const namesFor = async (member: typeof editor) =>
    (await member.json<FeedbackViewList>(at(site, '/views'))).views.map(({ name, isMine }) => [name, isMine])
  assert.deepEqual(await namesFor(editor), [
    ['All of us', true],
    ['Mine', true],
  ])
  assert.deepEqual(await namesFor(viewer), [['All of us', false]])
  const change = (member: typeof editor, view: FeedbackView) =>
    member.ask(at(site, `/views/${view.id}`), { method: 'PATCH', body: { name: 'Changed' } })
  assert.deepEqual(
    (await Promise.all([change(other, shared), change(admin, mine), change(viewer, shared)])).map(
      (a) => a.status,
    ),
    [404, 404, 403],
  )
  assert.equal((await change(admin, shared)).status, 200)
  assert.equal((await editor.ask(at(site, `/views/${mine.id}`), { method: 'DELETE' })).status, 200)
  assert.deepEqual(await namesFor(editor), [['Changed', true]])
  const bad = await editor.refused(at(site, '/views'), {
    method: 'POST',
    body: { name: '  ', query: '?a=b' },
  })
  assert.equal(bad.details.length, 2)
})

test('the command palette finds pages by title and path, and feedback by its text', async () => {
  const site = await tenant()
  const viewer = await dashboard.member('viewer', site)
  const [id] = await putRows(api.database, site.projectId, [
    { source: 'agent', path: '/page-2', comment: 'Page-1 is\nmissing <script>' },
  ])
  await using _published = await publishFolder(api, site, smallSite(2))
  const { hits } = await viewer.json<SearchResult>(`/internal/projects/${site.projectId}/search?q=page-1`)
  assert.deepEqual(
    hits.map(({ kind, id: found, title }) => [kind, found, title]),
    [
      ['page', '/page-1', 'page-1'],
      ['feedback', id, 'Page-1 is missing <script>'],
    ],
  )
})
