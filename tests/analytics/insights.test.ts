import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { InsightRows, Insights } from '../../src/features/analytics/operations/insights.ts'
import { publishPages, putRows } from '../feedback/feedback-scene.ts'
import type { ApiUnderTest } from '../http/api-under-test.ts'
import { type DashboardScene, type MemberUnderTest, openDashboard } from '../http/dashboard-scene.ts'
import { until } from '../kit/until.ts'
import { countAll, makeSite, type Site, startAnalytics } from './analytics-scene.ts'
import { A_MONTH, putReading } from './reading-history.ts'

let api: ApiUnderTest
let dashboard: DashboardScene
let site: Site
let viewer: MemberUnderTest
before(async () => {
  api = await startAnalytics()
  dashboard = await openDashboard(api)
  site = await makeSite(api, 'insights')
  viewer = await dashboard.member('viewer', site)
  await putReading(api.database.queries, site.projectId, A_MONTH)
  await countAll(api)
})
after(() => api[Symbol.asyncDispose]())

const at = (place: Site, rest = '') => `/internal/projects/${place.projectId}/insights${rest}`
const names = (rows: readonly { name: string; now: number }[]) => rows.map(({ name, now }) => [name, now])
const rows = async (query: string) => (await viewer.json<InsightRows>(at(site, `/rows?${query}`))).rows

test('returns figures with those of the previous period and the first rows of each list', async () => {
  const found = await viewer.json<Insights>(at(site))
  assert.deepEqual(
    [found.views, found.visitors, found.searches, found.unfound],
    [
      { now: 75, before: 64 },
      { now: 75, before: 64 },
      { now: 17, before: 0 },
      { now: 12, before: 0 },
    ],
  )
  assert.deepEqual([found.aiViews.now, found.allViews.now, found.hasAny], [10, 75, true])
  assert.equal(found.series.length, 30)
  assert.equal(
    found.series.reduce((sum, { human }) => sum + human, 0),
    65,
  )
  const { lists } = found
  assert.deepEqual(names(lists.pages), [
    ['/code', 50],
    ['/', 25],
  ])
  assert.deepEqual(
    [lists.rising, lists.falling].map((list) => list.map(({ name, now, before }) => [name, now - before])),
    [[['/code', 46]], [['/', -35]]],
  )
  assert.deepEqual(names(lists.unfound), [['single sign-on', 12]])
  assert.deepEqual(names(lists.agents), [['Claude', 10]])
  assert.deepEqual(names(lists.referrers), [
    ['news.example.org', 40],
    ['', 25],
  ])
  assert.deepEqual(names(lists.devices), [
    ['desktop', 60],
    ['mobile', 5],
  ])
  assert.deepEqual([names(lists.outbound), names(lists.copies)], [[['github.com', 7]], [['/code', 9]]])
})

test('filters insights by period and audience', async () => {
  const ofAgents = await viewer.json<Insights>(at(site, '?audience=ai&days=7'))
  assert.deepEqual(
    [ofAgents.views, ofAgents.visitors],
    [
      { now: 10, before: 0 },
      { now: 10, before: 0 },
    ],
  )
  const ofBots = await viewer.json<Insights>(at(site, '?audience=bot'))
  assert.deepEqual([ofBots.views, ofBots.visitors], [{ now: 3, before: 0 }, null])
  const ofPeople = await viewer.json<Insights>(at(site, '?audience=human&days=90'))
  assert.deepEqual(ofPeople.views, { now: 129, before: 0 })
})

test('returns the rows of each figure by name, page and day', async () => {
  assert.deepEqual(names(await rows('list=referrers&name=news.example.org&by=page')), [['/code', 40]])
  assert.deepEqual(names(await rows('list=searches&name=single%20sign-on&by=page')), [['/code', 12]])
  assert.deepEqual(names(await rows('list=clicks&name=first%20steps&by=page')), [['/code', 5]])
  assert.deepEqual(names(await rows('list=outbound&page=/code')), [['github.com', 7]])
  assert.deepEqual(names(await rows('list=devices&name=mobile&by=day')).length, 1)
  assert.deepEqual(names(await rows('list=pages&page=/code&by=day')), [
    [new Date(Date.now() - 86_400_000).toISOString().slice(0, 10), 50],
  ])
  assert.deepEqual(names(await rows('list=visitors&limit=1&offset=1')), [['/', 25]])
  const part = await viewer.json<InsightRows>(at(site, '/rows?list=pages&limit=1'))
  assert.deepEqual([names(part.rows), part.hasMore], [[['/code', 50]], true])
})

test('lists pages with negative votes together with their views', async () => {
  const vote = { source: 'thumbs_only' as const, helpful: false, createdAt: new Date().toISOString() }
  await putRows(api.database, site.projectId, [
    { ...vote, path: '/code' },
    { ...vote, path: '/code' },
    { ...vote, path: '/nobody' },
  ])
  // Poll, because a slow machine caches the response of the previous test for a while as expensive.
  const troubled = await until(async () => {
    const found = await viewer.json<Insights>(at(site, '?days=90'))
    return found.troubled.length > 0 && found.troubled
  })
  assert.deepEqual(
    troubled.map(({ path, thumbsDown, views }) => [path, thumbsDown, views]),
    [
      ['/code', 2, 54],
      ['/nobody', 1, 0],
    ],
  )
})

test('reports whether a site is unpublished, or published with or without the analytics script', async () => {
  const counting = async (place: Site, member: MemberUnderTest) =>
    (await member.json<Insights>(at(place))).counting
  const other = await makeSite(api, 'counting')
  const member = await dashboard.member('admin', other)
  assert.deepEqual(await counting(other, member), {
    ...{ hosted: 'unpublished', bundles: false, countries: false },
  })
  await publishPages(api, other, ['index.html'])
  assert.equal((await counting(other, member)).hosted, 'off')
  await publishPages(api, other, ['index.html', '_octavo/analytics.0123.js'])
  assert.equal((await counting(other, member)).hosted, 'on')
  const project = `/internal/projects/${other.projectId}`
  const { updatedAt } = await member.json(project)
  await member.json(project, { method: 'PATCH', body: { updatedAt, features: { analytics: true } } })
  assert.equal((await counting(other, member)).bundles, true)
})

test('returns 404 to members of other organizations and 400 for invalid queries', async () => {
  const stranger = await dashboard.member('owner', api.other)
  for (const rest of ['', '/rows?list=pages']) assert.equal((await stranger.ask(at(site, rest))).status, 404)
  for (const rest of ['?days=8', '?audience=cats', '/rows', '/rows?list=pages&limit=367', '/rows?list=x'])
    assert.equal((await viewer.ask(at(site, rest))).status, 400, rest)
})
