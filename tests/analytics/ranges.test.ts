import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import type { ProjectEvent } from '../../src/features/analytics/intake/tally.ts'
import { DAY_MS, type RangePart, splitRange } from '../../src/features/analytics/range.ts'
import { retireAnalytics } from '../../src/features/analytics/retire-analytics.ts'
import { limitSingleRows } from '../../src/features/analytics/single-rows.ts'
import type { ApiUnderTest } from '../http/api-under-test.ts'
import { countAll, makeSite, read, startAnalytics, tellTaken } from './analytics-scene.ts'
import { putReading } from './reading-history.ts'

let api: ApiUnderTest
before(async () => {
  api = await startAnalytics()
})
after(() => api[Symbol.asyncDispose]())

const MOST_OF: Record<RangePart['period'], number> = { day: 14, week: 6, month: Number.POSITIVE_INFINITY }
const UNIT_MS: Record<RangePart['period'], number> = { day: DAY_MS, week: 8 * DAY_MS, month: 28 * DAY_MS }
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

test('splits every range of days into few rows, without gaps or overlaps', () => {
  const first = Date.UTC(2023, 11, 20)
  const now = Date.UTC(2030, 0)
  for (let start = 0; start < 100; start += 3)
    for (let length = 1; length < 500; length += 23) {
      const range = { from: first + start * DAY_MS, to: first + (start + length) * DAY_MS, path: null }
      const stretches = splitRange(range, false, now)
      const words = JSON.stringify([dateOf(range.from), dateOf(range.to), stretches])
      assert.equal(stretches[0]?.from, range.from, words)
      assert.equal(stretches.at(-1)?.to, range.to, words)
      for (const [index, { from }] of stretches.slice(1).entries())
        assert.equal(stretches[index]?.to, from, words)
      for (const period of ['day', 'week'] as const) {
        const parts = stretches.filter((stretch) => stretch.period === period)
        const units = parts.reduce((sum, { from, to }) => sum + (to - from) / UNIT_MS[period], 0)
        assert.ok(units <= MOST_OF[period], `${units} ${period}: ${words}`)
      }
    }
})

test('a range up to today includes the current month as a whole', () => {
  const now = Date.UTC(2026, 10, 23, 12)
  const range = { from: Date.UTC(2026, 8, 1), to: Date.UTC(2026, 10, 24), path: null }
  const to = Date.UTC(2026, 11, 1)
  assert.deepEqual(splitRange(range, false, now), [{ period: 'month', from: range.from, to }])
  const toCome = { from: Date.UTC(2027, 0, 1), to: Date.UTC(2027, 0, 2), path: null }
  assert.deepEqual(splitRange(toCome, false, now), [{ period: 'day', from: toCome.from, to: toCome.to }])
})

test('totals of ranges equal the sums of their days, for new counts and after migration 0032', async () => {
  const site = await makeSite(api, 'ranges')
  const reads = Array.from({ length: 80 }, (_, daysAgo) => ({
    daysAgo,
    path: `/p${daysAgo % 3}`,
    times: 1 + (daysAgo % 5),
  }))
  await putReading(api.database.queries, site.projectId, reads)
  await countAll(api)
  await assertSumsOfDays(site)

  const { pool } = api.database
  await pool.query(`DELETE FROM analytics_counts WHERE period = 'week'`)
  const file = join(import.meta.dirname, '../../src/database/migrations/0032_analytics_weeks.sql')
  const [, insert = ''] = (await readFile(file, 'utf8')).split(/(?=^INSERT)/m)
  await pool.query(insert)
  await assertSumsOfDays(site)
})

async function assertSumsOfDays(site: Parameters<typeof read>[1]): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  let weeks = 0
  for (const [start, length] of [
    [1, 1],
    [7, 8],
    [9, 30],
    [31, 31],
    [45, 30],
    [60, 61],
    [79, 80],
    [79, 50],
  ] as const) {
    const range = { from: today - start * DAY_MS, to: today - (start - length) * DAY_MS, path: null }
    weeks += splitRange(range, false).filter(({ period }) => period === 'week').length
    const asked = `dateFrom=${dateOf(range.from)}&dateTo=${dateOf(range.to)}`
    const pages = (await read(api, site, `views?${asked}`)) as Totals
    const days = (await read(api, site, `views/by-day?limit=250&${asked}`)) as Totals
    assert.equal(pages.totals.total, sumOf(days), asked)
    assert.equal(sumOf(pages), sumOf(days), asked)
    const visitors = (await read(api, site, `visitors?${asked}`)) as Totals
    assert.equal(visitors.totals.total, pages.totals.total, asked)
  }
  assert.ok(weeks > 0)
}

interface Totals {
  [name: string]: unknown
  totals: { total: number }
  views: { total: number }[]
}

function sumOf({ views }: Totals): number {
  return views.reduce((sum, { total }) => sum + total, 0)
}

test('counts all events of a flooded site, but keeps single rows only up to the daily limit', async () => {
  const [flooded, beside] = [await makeSite(api, 'flooded-rows'), await makeSite(api, 'beside-flooded')]
  const event = (projectId: string, daysAgo: number): ProjectEvent => ({
    ...{ projectId, at: Date.now() - daysAgo * DAY_MS, kind: 'view', audience: 'human', path: '/' },
    ...{ subject: null, detail: null, results: null, device: null, visitor: 'AAAAAAAAAAE=' },
  })
  await tellTaken(api, flooded, [{ path: '/' }, { path: '/', kind: 'copy' }])
  await countAll(api)
  const { counted, accepted: kept } = await api.database.transaction((tx) =>
    limitSingleRows(
      tx,
      [...[0, 0, 0, 1].map((ago) => event(flooded.projectId, ago)), event(beside.projectId, 0)],
      3,
    ),
  )
  assert.deepEqual(
    counted.map(({ visitor }) => visitor !== null),
    [true, false, false, true, true],
  )
  assert.deepEqual(kept, [counted[0], counted[3], counted[4]])
})

test('purges expired counts and those of deleted projects in batches', async () => {
  const site = await makeSite(api, 'over')
  await putReading(api.database.queries, site.projectId, [
    { daysAgo: 400, path: '/old', times: 3 },
    ...Array.from({ length: 20 }, (_, page) => ({ daysAgo: 400, path: `/old-${page}` })),
    { daysAgo: 100, path: '/hours' },
    { daysAgo: 1, path: '/new' },
  ])
  await putReading(
    api.database.queries,
    'prj_gone',
    Array.from({ length: 9 }, () => ({ daysAgo: 1 })),
  )
  await countAll(api)
  await retireAnalytics(api.database.queries, { ...DEFAULT_RETENTION, analyticsCounts: 365 }, Date.now(), 4)
  const { rows } = await api.database.pool.query(
    `SELECT key, array_agg(DISTINCT period ORDER BY period) AS periods FROM analytics_counts
      WHERE project_id = $1 AND dimension IN ('page', 'site') GROUP BY key ORDER BY key`,
    [site.projectId],
  )
  assert.deepEqual(rows, [
    { key: '', periods: ['day', 'hour', 'month', 'week'] },
    { key: '/hours', periods: ['day', 'month', 'week'] },
    { key: '/new', periods: ['day', 'month', 'week'] },
  ])
  for (const table of ['counts', 'events', 'visitors']) {
    const gone = await api.database.pool.query(`SELECT FROM analytics_${table} WHERE project_id = 'prj_gone'`)
    assert.equal(gone.rowCount, 0, table)
  }
})
