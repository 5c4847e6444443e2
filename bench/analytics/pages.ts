/**
 * Counts by page among millions of rows of counts: how long the API's function and the dashboard's take, over a week to a
 * year. `node bench/analytics/pages.ts`. Rows are made by SQL, project after project, until there are
 * `OCTAVO_BENCH_ROWS` (default 5 million) or `OCTAVO_BENCH_FILL_SECONDS` (300) are over; each project has 2,000 pages,
 * a year of days, their weeks and months. `OCTAVO_BENCH_EVENTS` adds so many single events of the first project, over the
 * last 90 days. They stay: the next run measures at once.
 */
import { readInsights } from '../../src/analytics/insights.ts'
import { DAY_MS, type Range } from '../../src/analytics/range.ts'
import { readReport } from '../../src/analytics/reports.ts'
import { ORGANIZATION, openBenchDatabase, percentile, say } from '../feedback/scene.ts'
import { makeProjects } from './scene.ts'

const ROWS = Number(process.env.OCTAVO_BENCH_ROWS ?? 5_000_000)
const FILL_MS = Number(process.env.OCTAVO_BENCH_FILL_SECONDS ?? 300) * 1000
const EVENTS = Number(process.env.OCTAVO_BENCH_EVENTS ?? 0)
const EVENT_DAYS = 90
const ROUNDS = Number(process.env.OCTAVO_BENCH_ROUNDS ?? 200)
const PAGES = 2000

const PERIODS = [
  ['day', 365, `now() - n * interval '1 day'`],
  ['week', 48, `date_trunc('month', now()) - n / 4 * interval '1 month' + n % 4 * interval '8 days'`],
  ['month', 13, `now() - n * interval '1 month'`],
] as const
/** In the order of the primary key. */
const FILL = (period: string, at: string) => `
  INSERT INTO analytics_counts (project_id, dimension, period, starts_at, key, page, human, ai, bots, human_visitors, ai_visitors)
  SELECT $1, 'page', '${period}', date_trunc('${period === 'month' ? 'month' : 'day'}', ${at}, 'UTC'),
    '/guides/section-' || p % 40 || '/page-' || p, '', (p * 7919 + n * 31) % 97, p % 7, p % 5, (p * 31 + n) % 61, p % 3
  FROM generate_series($2::int, 0, -1) AS n, generate_series(1, ${PAGES}) AS p
  ON CONFLICT DO NOTHING`

await using bench = await openBenchDatabase()
const { pool, queries } = bench.database
const began = performance.now()
let [projects, rows] = [0, await rowsInAll()]
while (rows < ROWS && performance.now() - began < FILL_MS) {
  const id = `prj_read_${projects}`
  await makeProjects(pool, [id])
  for (const [period, count, at] of PERIODS) await pool.query(FILL(period, at), [id, count - 1])
  projects += 1
  rows = await rowsInAll()
}
if (projects > 0) await pool.query('VACUUM ANALYZE analytics_counts')
await fillEvents()
const { rows: found } = await pool.query<{ id: string }>(
  `SELECT id FROM projects WHERE id LIKE 'prj_read_%' ORDER BY id`,
)
const { rows: sizes } = await pool.query<{ bytes: number }>(
  `SELECT pg_total_relation_size('analytics_counts')::float8 AS bytes`,
)
const { rows: single } = await pool.query<{ rows: string; bytes: number }>(
  `SELECT (SELECT count(*) FROM analytics_events) AS rows,
    (SELECT coalesce(sum(pg_total_relation_size(relid)), 0)::float8 FROM pg_partition_tree('analytics_events')) AS bytes`,
)
say(`${single[0]?.rows} single events, ${Math.round((single[0]?.bytes ?? 0) / 1e6)} MB`)
say(`${rows} rows of counts of ${found.length} projects, ${Math.round((sizes[0]?.bytes ?? 0) / 1e6)} MB\n`)
say('| question | days | p50 ms | p99 ms |')
say('|---|---|---|---|')
for (const days of [7, 30, 90, 365]) {
  const now = lastDays(days)
  await measure('views by page', days, (place) =>
    readReport(queries, place, { report: 'views', by: 'page', range: now }, { limit: 50 }),
  )
  await measure('views by day of one page', days, (place) =>
    readReport(
      queries,
      place,
      { report: 'views', by: 'day', range: { ...now, path: '/guides/section-1/page-1' } },
      {},
    ),
  )
  if (days <= 90)
    await measure('all insights', days, (place) => readInsights(queries, place, { days, audience: 'all' }))
}

async function measure(
  question: string,
  days: number,
  ask: (place: { organizationId: string; projectId: string }) => Promise<unknown>,
): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const projectId = found[round % found.length]?.id ?? ''
    const before = performance.now()
    await ask({ organizationId: ORGANIZATION, projectId })
    times.push(performance.now() - before)
  }
  say(`| ${question} | ${days} | ${percentile(times, 0.5)} | ${percentile(times, 0.99)} |`)
}

function lastDays(days: number): Range {
  const to = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS
  return { from: to - days * DAY_MS, to, path: null }
}

/** Day by day, each into a table that becomes a partition once it is full and has its index. */
async function fillEvents(): Promise<void> {
  for (let day = 0; EVENTS > 0 && day < EVENT_DAYS; day++) {
    const date = new Date(Date.now() - day * DAY_MS).toISOString().slice(0, 10)
    const next = new Date(Date.now() - (day - 1) * DAY_MS).toISOString().slice(0, 10)
    const name = `analytics_events_${date.replaceAll('-', '')}`
    const { rows: known } = await pool.query('SELECT FROM pg_class WHERE relname = $1', [name])
    if (known.length > 0) continue
    const rows = Math.ceil(EVENTS / EVENT_DAYS)
    await pool.query(`BEGIN; CREATE TABLE ${name} (LIKE analytics_events INCLUDING CONSTRAINTS);
      INSERT INTO ${name} (project_id, at, kind, audience, path, subject, device)
        SELECT 'prj_read_0', '${date}T00:00:00Z'::timestamptz + n * interval '1 day' / ${rows}, 'view', 'human',
          '/guides/section-' || n % 40 || '/page-' || n * 7919 % ${PAGES}, 'example.org', 'desktop'
        FROM generate_series(0::bigint, ${rows - 1}) AS n;
      CREATE INDEX ON ${name} (project_id, at DESC);
      ALTER TABLE analytics_events ATTACH PARTITION ${name}
        FOR VALUES FROM ('${date}T00:00:00Z') TO ('${next}T00:00:00Z'); COMMIT`)
  }
}

async function rowsInAll(): Promise<number> {
  const { rows: all } = await pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM analytics_counts',
  )
  return all[0]?.count ?? 0
}
