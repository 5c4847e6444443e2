/**
 * Measures a page of 50 with each filter, first and deep, alternating between the query function of the API and the
 * same SQL through the bare driver. `node bench/feedback/pages.ts`, after `fill.ts`.
 */
import { createCursorCodec } from '../../src/base/signed-cursor.ts'
import { countFeedbackByPage, parsePageQuery } from '../../src/features/feedback/by-page.ts'
import { listScope, parseFilters } from '../../src/features/feedback/filters.ts'
import { listFeedback, parseListQuery } from '../../src/features/feedback/list-feedback.ts'
import { FEEDBACK_EXTRAS, type FeedbackQuery } from '../../src/features/feedback/operations/feedback.ts'
import { type Position, pageStatement } from '../../src/features/feedback/page-sql.ts'
import { ORGANIZATION, openBenchDatabase, PROJECT, percentile, say } from './scene.ts'

const ROUNDS = Number(process.env.OCTAVO_BENCH_ROUNDS ?? 300)
const deps = { cursors: createCursorCodec('a secret of the measurements') }
await using bench = await openBenchDatabase()
const { pool, queries } = bench.database

const place = { organizationId: ORGANIZATION, projectId: PROJECT }
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
const FILTERS: Record<string, FeedbackQuery> = {
  none: {},
  'source=agent': { source: 'agent' },
  'source=thumbs_only': { source: 'thumbs_only' },
  'status=pending': { status: 'pending' },
  'status=resolved': { status: 'resolved' },
  'status=pending,in_progress': { status: 'pending,in_progress' },
  'three statuses': { status: 'pending,in_progress,dismissed' },
  'source, status': { source: 'contextual', status: 'in_progress' },
  'source, two statuses': { source: 'code_snippet', status: 'resolved,dismissed' },
  'a month': { dateFrom: day(400), dateTo: day(370) },
  'a month, source, status': { dateFrom: day(400), dateTo: day(370), source: 'agent', status: 'resolved' },
  'a busy page': { path: '/guides/page-0' },
  'a quiet page, status': { path: '/guides/page-1500', status: 'pending' },
}

say(`${bench.entries} entries, pages of 50, ${ROUNDS} rounds, milliseconds\n`)
say('| filter | depth | API p50 | driver p50 | API p99 | driver p99 | p50 ratio |')
say('|---|---|---|---|---|---|---|')
for (const [name, query] of Object.entries(FILTERS)) {
  const { value: filters } = parseFilters(query)
  for (const depth of ['first', 'deep'] as const) {
    const after = depth === 'first' ? null : await positionDeep(query)
    if (depth === 'deep' && after === null) continue
    const cursor =
      after === null
        ? {}
        : {
            cursor: deps.cursors.encode(listScope('feedback', PROJECT, filters), [after.createdAt, after.id]),
          }
    const asked = { ...query, limit: 50, ...cursor }
    const { text, values } = pageStatement(place, filters, { after, limit: 51 })
    const times: { api: number[]; driver: number[] } = { api: [], driver: [] }
    for (let round = -20; round < ROUNDS; round++) {
      const api = await timed(() => {
        const { value } = parseListQuery(deps, PROJECT, asked, FEEDBACK_EXTRAS)
        return listFeedback(deps, queries, place, value, asked.limit)
      })
      const driver = await timed(() => pool.query(text, values))
      if (round < 0) continue
      times.api.push(api)
      times.driver.push(driver)
    }
    const [api50, driver50] = [percentile(times.api, 0.5), percentile(times.driver, 0.5)]
    const [api99, driver99] = [percentile(times.api, 0.99), percentile(times.driver, 0.99)]
    const ratio = Math.round((api50 / driver50) * 100) / 100
    say(`| ${name} | ${depth} | ${api50} | ${driver50} | ${api99} | ${driver99} | ${ratio} |`)
  }
}

say('\nCounts by page, the first 50, milliseconds\n')
say('| filter | first call | best of 3 |')
say('|---|---|---|')
for (const query of [{}, { source: 'contextual' as const }, { dateFrom: day(30) }]) {
  const times = []
  for (let round = 0; round < 4; round++)
    times.push(
      await timed(() =>
        countFeedbackByPage(deps, queries, place, parsePageQuery(deps, PROJECT, query).value),
      ),
    )
  const name = Object.entries(query).map((pair) => pair.join('='))[0] ?? 'none'
  say(`| ${name} | ${Math.round(times[0] ?? 0)} | ${Math.round(Math.min(...times.slice(1)))} |`)
}

/** Returns the position after about nine tenths of the matches, estimated by date; null if no match is that old. */
async function positionDeep(query: FeedbackQuery): Promise<Position | null> {
  const from = query.dateFrom === undefined ? 730 : 400
  const to = query.dateTo === undefined ? 0 : 370
  const at = new Date(Date.now() - (from - (from - to) * 0.1) * 86_400_000).getTime()
  const { text, values } = pageStatement(place, parseFilters(query).value, {
    after: { createdAt: at, id: 'fb_' },
    limit: 1,
  })
  const row = (await pool.query<{ id: string; created_at: Date | null }>(text, values)).rows[0]
  return row === undefined ? null : { createdAt: row.created_at?.getTime() ?? null, id: row.id }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
