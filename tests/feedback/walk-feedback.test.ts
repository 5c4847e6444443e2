/** Pages through the list during inserts, updates and deletes: no untouched entry is missed or repeated. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCursorCodec } from '../../src/base/signed-cursor.ts'
import { listFeedback, parseListQuery } from '../../src/features/feedback/list-feedback.ts'
import { type ApiUnderTest, startApi } from '../http/api-under-test.ts'
import { makeSite, putRows, readPage, type Site } from './feedback-scene.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({ limits: { analytics: { count: 100_000, seconds: 3600 } }, poolSize: 20 })
})
after(() => api[Symbol.asyncDispose]())

/** Inserts rows of which several share a time, to be ordered by id, and the last tenth has none. */
async function putWalked(site: Site, count: number) {
  const start = Date.UTC(2026, 10, 21)
  const rows = Array.from({ length: count }, (_, i) => ({
    status: (['pending', 'resolved'] as const)[i % 2] as 'pending' | 'resolved',
    createdAt: i < count * 0.9 ? new Date(start - Math.floor(i / 7) * 1000).toISOString() : null,
  }))
  const ids = await putRows(api.database, site.projectId, rows)
  const keys = ids.map((id, i) => ({
    id,
    time: Date.parse(rows[i]?.createdAt ?? '') || Number.NEGATIVE_INFINITY,
    i,
  }))
  keys.sort((a, b) => b.time - a.time || (a.id < b.id ? 1 : -1))
  return keys
}

test('limit=1 returns each entry once, in order', async () => {
  const site = await makeSite(api, 'walked')
  const expected = await putWalked(site, 300)
  const seen: string[] = []
  let cursor = ''
  for (;;) {
    const page = await readPage(api, site, `?limit=1${cursor}`)
    seen.push(...page.feedback.map(({ id }) => id))
    assert.equal(page.hasMore, page.nextCursor !== null)
    if (!page.hasMore) break
    cursor = `&cursor=${page.nextCursor}`
  }
  assert.deepEqual(
    seen,
    expected.map(({ id }) => id),
  )
})

test('pagination returns every untouched entry once and in order during concurrent writes', async () => {
  const site = await makeSite(api, 'busy')
  const rows = await putWalked(site, 600)
  const touched = new Set(rows.filter((_, index) => index % 3 === 0).map(({ id }) => id))
  const untouched = rows.filter(({ id }) => !touched.has(id))
  const stop = new AbortController()
  const writers = Array.from({ length: 10 }, (_, lane) => write(site, [...touched], lane, stop.signal))
  const deps = { cursors: createCursorCodec('walk') }
  const walk = async (query: { limit: number; status?: string; dateFrom?: string }) => {
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { value, faults } = parseListQuery(deps, site.projectId, { ...query, cursor }, [])
      assert.deepEqual(faults, [])
      const page = await listFeedback(deps, api.database.queries, site, value, query.limit)
      seen.push(...page.feedback.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return seen
  }
  try {
    for (const [query, isMatch] of [
      [{ limit: 1 }, () => true],
      [{ limit: 7 }, () => true],
      [{ limit: 1, status: 'pending' }, ({ i }: { i: number }) => i % 2 === 0],
      [{ limit: 1, status: 'pending,dismissed,resolved' }, () => true],
      [{ limit: 3, dateFrom: '2026-11-20' }, ({ time }: { time: number }) => time > 0],
    ] as const) {
      const seen = await walk(query)
      assert.equal(new Set(seen).size, seen.length, 'none is repeated')
      const known = new Set(untouched.map(({ id }) => id))
      assert.deepEqual(
        seen.filter((id) => known.has(id)),
        untouched.filter(isMatch).map(({ id }) => id),
        JSON.stringify(query),
      )
    }
  } finally {
    stop.abort()
    const writes = await Promise.all(writers)
    assert.ok(Math.min(...writes) > 5, `every writer wrote: ${writes}`)
  }
})

/** Writes until aborted and returns the number of writes. Keeps few rows of its own, so that a walk can finish. */
async function write(site: Site, touched: string[], lane: number, signal: AbortSignal): Promise<number> {
  const { queries } = api.database
  let writes = 0
  let own: string[] = []
  while (!signal.aborted) {
    const id = touched[(writes * 10 + lane) % touched.length] as string
    switch ((writes + lane) % 4) {
      case 0:
        if (own.length > 0) await queries.deleteFrom('feedback').where('id', 'in', own).execute()
        own = await putRows(api.database, site.projectId, [
          { source: 'contextual' },
          { createdAt: '2026-11-20T00:00:00Z' },
          { createdAt: null },
        ])
        break
      case 1:
        await queries.updateTable('feedback').set({ status: 'dismissed' }).where('id', '=', id).execute()
        break
      case 2:
        await queries.updateTable('feedback').set({ source: 'contextual' }).where('id', '=', id).execute()
        break
      case 3:
        await queries.deleteFrom('feedback').where('id', '=', id).execute()
        break
    }
    writes += 1
    await sleep(2)
  }
  return writes
}
