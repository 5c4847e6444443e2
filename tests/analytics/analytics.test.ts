import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import { countInbox } from '../../src/features/analytics/intake/count-inbox.ts'
import { limitKeys } from '../../src/features/analytics/intake/limit-keys.ts'
import type { ProjectEvent } from '../../src/features/analytics/intake/tally.ts'
import { retireAnalytics } from '../../src/features/analytics/retire-analytics.ts'
import { publishPages } from '../feedback/feedback-scene.ts'
import { type ApiUnderTest, messagesOf, startApi, withKey } from '../http/api-under-test.ts'
import {
  batchId,
  CHROME,
  countAll,
  GOOGLE,
  GPT,
  makeSite,
  read,
  type Site,
  startAnalytics,
  tell,
  tellTaken,
} from './analytics-scene.ts'

let api: ApiUnderTest
before(async () => {
  api = await startAnalytics()
})
after(() => api[Symbol.asyncDispose]())

const DAY_MS = 86_400_000
const today = () => new Date().toISOString().slice(0, 10)

test('counts views by page and day, for people, AI agents and bots separately', async () => {
  const site = await makeSite(api, 'views')
  await tellTaken(api, site, [{ path: '/a' }, { path: '/a/' }, { path: '/b.html?x#y' }])
  await tellTaken(api, site, [{ path: '/a' }], { userAgent: GPT })
  await tellTaken(api, site, [{ path: '/a' }], { userAgent: GOOGLE })
  await countAll(api)
  assert.deepEqual(await read(api, site, 'views'), {
    totals: { human: 3, ai: 1, bots: 1, total: 4 },
    views: [
      { path: '/a', human: 2, ai: 1, bots: 1, total: 3 },
      { path: '/b', human: 1, ai: 0, bots: 0, total: 1 },
    ],
    hasMore: false,
  })
  assert.deepEqual(await read(api, site, 'views?limit=1&offset=1'), {
    totals: { human: 3, ai: 1, bots: 1, total: 4 },
    views: [{ path: '/b', human: 1, ai: 0, bots: 0, total: 1 }],
    hasMore: false,
  })
  assert.deepEqual(await read(api, site, 'views/by-day?path=/a.html'), {
    totals: { human: 2, ai: 1, bots: 1, total: 3 },
    views: [{ date: today(), human: 2, ai: 1, bots: 1, total: 3 }],
    hasMore: false,
  })
})

test('counts a batch sent repeatedly only once, even when the copies arrive concurrently', async () => {
  const site = await makeSite(api, 'again')
  const from = { id: batchId() }
  await Promise.all(Array.from({ length: 40 }, () => tellTaken(api, site, [{ path: '/a' }], from)))
  await countAll(api)
  await tellTaken(api, site, [{ path: '/a' }], from)
  await tellTaken(api, site, [{ path: '/a' }], { ...from, headers: { 'Idempotency-Key': 'once' } })
  await countAll(api)
  assert.deepEqual((await read(api, site, 'views')).totals, { human: 1, ai: 0, bots: 0, total: 1 })
})

test('concurrent counters count nothing twice', async () => {
  const site = await makeSite(api, 'two-counters')
  for (let batch = 0; batch < 30; batch++) await tellTaken(api, site, [{ path: '/a' }, { path: `/${batch}` }])
  await Promise.all(Array.from({ length: 4 }, () => countInbox(api.database)))
  await countAll(api)
  assert.deepEqual((await read(api, site, 'views')).totals, { human: 60, ai: 0, bots: 0, total: 60 })
})

test('counts the sites of other partitions while one partition is locked', async () => {
  const sites: Site[] = []
  for (let index = 0; index < 8; index++) sites.push(await makeSite(api, `part-${index}`))
  for (const site of sites) await tellTaken(api, site, [{ path: '/a' }])
  const partOf = async ({ projectId }: Site) =>
    (await api.database.pool.query('SELECT hashtext($1) & 15 AS part', [projectId])).rows[0]?.part
  const parts = await Promise.all(sites.map(partOf))
  await api.database.transaction(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(720539144, ${parts[0]})`.execute(tx)
    await countAll(api)
  })
  for (const [index, site] of sites.entries())
    assert.equal(
      ((await read(api, site, 'views')).totals as { total: number }).total,
      parts[index] === parts[0] ? 0 : 1,
    )
  await countAll(api)
  for (const site of sites)
    assert.equal(((await read(api, site, 'views')).totals as { total: number }).total, 1)
})

test('counts unique daily visitors by page and in total', async () => {
  const site = await makeSite(api, 'visitors')
  for (let reader = 0; reader < 25; reader++) {
    const from = { address: `198.51.${reader}.9` }
    await tellTaken(api, site, [{ path: '/a' }, { path: '/a' }], from)
    if (reader % 5 === 0) await tellTaken(api, site, [{ path: '/b' }], from)
  }
  await tellTaken(api, site, [{ path: '/a' }], { address: '198.51.3.200' }) // the same network and browser
  await tellTaken(api, site, [{ path: '/a' }], { address: '198.51.3.9', userAgent: `${CHROME} Edg/142` })
  await tellTaken(api, site, [{ path: '/b' }], { userAgent: GPT })
  await countAll(api)
  assert.deepEqual(await read(api, site, 'visitors'), {
    totals: { human: 26, ai: 1, total: 27 },
    visitors: [
      { path: '/a', human: 26, ai: 0, total: 26 },
      { path: '/b', human: 5, ai: 1, total: 6 },
    ],
    hasMore: false,
  })
  assert.deepEqual((await read(api, site, 'visitors/by-day')).visitors, [
    { date: today(), human: 26, ai: 1, total: 27 },
  ])
})

test('counts events of yesterday on their day and rejects older ones', async () => {
  const site = await makeSite(api, 'yesterday')
  const ago = DAY_MS - 1000
  const yesterday = new Date(Date.now() - ago).toISOString().slice(0, 10)
  await tellTaken(api, site, [{ path: '/a', ago }, { path: '/a' }])
  await countAll(api)
  const { views } = (await read(api, site, 'views/by-day')) as { views: { date: string }[] }
  assert.deepEqual(
    views.map(({ date }) => date),
    [today(), yesterday],
  )
  assert.deepEqual((await read(api, site, 'visitors')).totals, { human: 2, ai: 0, total: 2 })
  assert.deepEqual((await read(api, site, `views?dateTo=${today()}`)).totals, {
    human: 1,
    ai: 0,
    bots: 0,
    total: 1,
  })
  assert.equal((await tell(api, site, [{ path: '/a', ago: DAY_MS + 1 }])).status, 400)
})

test('stores no events from readers with DNT or Sec-GPC, without an error', async () => {
  const site = await makeSite(api, 'refusing')
  assert.equal(await tellTaken(api, site, [{ path: '/a' }], { headers: { DNT: '1' } }), 0)
  assert.equal(await tellTaken(api, site, [{ path: '/a' }], { headers: { 'Sec-GPC': '1' } }), 0)
  await countAll(api)
  assert.deepEqual((await read(api, site, 'views')).views, [])
})

test('reports searches with their results, click-through rate and top clicked page', async () => {
  const site = await makeSite(api, 'searches')
  const search = (query: string, results: number, target?: string) => ({
    ...{ path: '/', kind: 'search' as const, query, results },
    ...(target === undefined ? {} : { target }),
  })
  await tellTaken(api, site, [
    search('Web  Hooks', 3, '/hooks'),
    search('web hooks', 3, '/hooks'),
    search('web hooks', 3, '/api'),
    search('WEB HOOKS', 0),
    search('sso', 0),
    search('me@example.org', 0),
  ])
  await countAll(api)
  const { searches, totalSearches, nextCursor } = (await read(api, site, 'searches?limit=2')) as {
    searches: Record<string, unknown>[]
    totalSearches: number
    nextCursor: string | null
  }
  assert.equal(totalSearches, 6)
  const [first] = searches
  assert.deepEqual(
    { ...first, lastSearchedAt: null },
    {
      searchQuery: 'web hooks',
      hits: 4,
      withoutResults: 1,
      ctr: 0.75,
      topClickedPage: '/hooks',
      lastSearchedAt: null,
    },
  )
  assert.ok(Math.abs(Date.parse(String(first?.lastSearchedAt)) - Date.now()) < 60_000)
  const rest = (await read(api, site, `searches?limit=2&cursor=${nextCursor}`)) as {
    searches: { searchQuery: string }[]
    nextCursor: null
  }
  const words = [...searches, ...rest.searches].map(({ searchQuery }) => searchQuery)
  assert.deepEqual([words.sort(), rest.nextCursor], [['sso', 'web hooks', '…'], null])
  const empty = (await read(api, site, 'searches?results=none')) as { searches: { searchQuery: string }[] }
  assert.equal(empty.searches.length, 3)
  assert.deepEqual((await read(api, site, 'searches/by-page')).searches, [
    { path: '/', hits: 6, withoutResults: 3 },
  ])
})

test('reports referrers as hosts of other sites, by page and by day', async () => {
  const site = await makeSite(api, 'referrers')
  await tellTaken(api, site, [
    { path: '/a', referrer: 'www.example.org' },
    { path: '/a', referrer: 'example.org' },
    { path: '/b', referrer: 'news.example.com' },
    { path: '/b', referrer: 'no host, but a text' },
    { path: '/b' },
  ])
  await countAll(api)
  assert.deepEqual((await read(api, site, 'referrers')).referrers, [
    { referrer: null, views: 2 },
    { referrer: 'example.org', views: 2 },
    { referrer: 'news.example.com', views: 1 },
  ])
  assert.deepEqual((await read(api, site, 'referrers/by-page?path=/a')).referrers, [
    { path: '/a', referrer: 'example.org', views: 2 },
  ])
  assert.deepEqual((await read(api, site, 'referrers/by-day')).referrers, [{ date: today(), views: 3 }])
})

test('CSV exports contain every row and escape formulas', async () => {
  const site = await makeSite(api, 'csv')
  await tellTaken(api, site, [{ path: '/a' }, { path: '/a', kind: 'search', query: '=cmd()', results: 0 }])
  await countAll(api)
  const lines = async (rest: string) => {
    const response = await api.fetch(`/v1/analytics/${site.projectId}/${rest}`, withKey(site.key))
    assert.equal(response.status, 200)
    return (await response.text()).trim().split('\r\n')
  }
  assert.deepEqual(await lines('views/export'), ['path,human,ai,bots,total', '/a,1,0,0,1'])
  assert.deepEqual(await lines('visitors/export?by=day'), ['date,human,ai,total', `${today()},1,0,1`])
  assert.deepEqual(await lines('searches/export'), ['searchQuery,hits,withoutResults', "'=cmd(),1,1"])
  assert.deepEqual(await lines('referrers/export?by=page'), ['path,referrer,views', '/a,,1'])
})

test('reports all errors of a batch or query at once', async () => {
  const site = await makeSite(api, 'wrong')
  const batch = await tell(api, site, [
    { path: '/a', kind: 'search', query: 'x' },
    { path: '/a', kind: 'outbound' },
    { path: '', ago: -1 },
  ])
  assert.equal(batch.status, 400)
  assert.ok((await messagesOf(batch)).length >= 4)
  const query = await api.fetch(
    `/v1/analytics/${site.projectId}/views?dateFrom=2026-02-30&limit=251&offset=-1`,
    withKey(site.key),
  )
  assert.equal(query.status, 400)
  assert.equal((await messagesOf(query)).length, 3)
  const foreign = await api.fetch(`/v1/analytics/${site.projectId}/views`, withKey(api.other.key))
  assert.equal(foreign.status, 404)
})

test('pages that the published site does not have are not counted', async () => {
  const site = await makeSite(api, 'published')
  await publishPages(api, site, ['index.html', 'a.html'])
  assert.equal(await tellTaken(api, site, [{ path: '/a' }, { path: '/nowhere' }, { path: '/' }]), 2)
})

test('rejects events over the limits of a sender and of a site with 429 and Retry-After', async () => {
  await using small = await startApi({
    beside: api,
    limits: { pageEvents: { count: 2, seconds: 60 }, sitePageEvents: { count: 35, seconds: 60 } },
    trustedProxies: 1,
  })
  const site = await makeSite(api, 'flooded')
  const statuses: number[] = []
  for (let time = 0; time < 3; time++) statuses.push((await tell(small, site, [{ path: '/a' }])).status)
  const other = { address: '192.0.2.1' }
  const many = Array.from({ length: 15 }, () => ({ path: '/a' }))
  statuses.push((await tell(small, site, many, other)).status)
  // Rejected, because a batch counts as at least ten events: 10 + 10 + 15 reach the limit of the site.
  const refused = await tell(small, site, [{ path: '/a' }], other)
  assert.deepEqual([...statuses, refused.status], [200, 200, 429, 200, 429])
  assert.ok(Number(refused.headers.get('Retry-After')) > 0)
})

test('counts new paths and referrers over the daily limit as (other)', async () => {
  const site = await makeSite(api, 'folded')
  const event = (path: string, subject: string | null): ProjectEvent => ({
    ...{ projectId: site.projectId, at: Date.now(), kind: 'view', audience: 'human', path, subject },
    ...{ detail: null, results: null, device: null, visitor: null },
  })
  await tellTaken(api, site, [{ path: '/known', referrer: 'known.example.org' }])
  await countAll(api)
  const most = { page: 2, referrer: 2, search: 2, click: 2, outbound: 2 }
  const folded = await api.database.transaction((tx) =>
    limitKeys(
      tx,
      [event('/known', 'a.example'), event('/new', null), event('/newer', 'known.example.org')],
      most,
    ),
  )
  assert.deepEqual(
    folded.map(({ path, subject }) => [path, subject]),
    [
      ['/known', 'a.example'],
      ['/new', null],
      ['(other)', '(other)'],
    ],
  )
})

test('an overlong path does not block counting, for its own site or another', async () => {
  const [site, other] = [await makeSite(api, 'long'), await makeSite(api, 'beside-long')]
  // No repetition, so that the index cannot compress the path.
  const characters = Array.from({ length: 1000 }, (_, place) => 0x4e00 + ((place * 7919) % 20_000))
  const long = `/${String.fromCodePoint(...characters)}`
  await publishPages(api, site, ['a.html', `${long.slice(1)}.html`])
  const search = { kind: 'search', path: '/a', query: 'x', results: 1, target: long } as const
  assert.equal(await tellTaken(api, site, [{ path: long, referrer: 'a.example.org' }, search]), 2)
  await tellTaken(api, other, [{ path: '/a' }])
  await countAll(api)
  assert.deepEqual((await read(api, site, 'views')).views, [
    { path: '(other)', human: 1, ai: 0, bots: 0, total: 1 },
  ])
  assert.deepEqual((await read(api, other, 'views')).views, [
    { path: '/a', human: 1, ai: 0, bots: 0, total: 1 },
  ])
})

test('stores no IP address or user agent, and deletes the salts and visitor hashes of past days', async () => {
  const site = await makeSite(api, 'private')
  await tellTaken(api, site, [{ path: '/a' }], { address: '203.0.113.77' })
  await countAll(api)
  for (const table of ['analytics_events', 'analytics_visitors', 'analytics_counts', 'analytics_batches']) {
    const { rows } = await api.database.pool.query(`SELECT t::text AS row FROM ${table} AS t`)
    assert.ok(
      rows.every(({ row }) => !/203\.0\.113|Mozilla|Chrome/.test(row)),
      table,
    )
  }
  const salts = () => api.database.pool.query('SELECT * FROM analytics_salts')
  const visitors = () => api.database.pool.query('SELECT * FROM analytics_visitors')
  assert.ok((await salts()).rowCount)
  await retireAnalytics(api.database.queries, DEFAULT_RETENTION, Date.now() + 2 * DAY_MS)
  assert.deepEqual([(await salts()).rowCount, (await visitors()).rowCount], [0, 0])
  assert.deepEqual((await read(api, site, 'visitors')).totals, { human: 1, ai: 0, total: 1 })
})
