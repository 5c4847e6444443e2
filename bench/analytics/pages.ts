/**
 * Measures reports by page over millions of single views: the duration of the API's function and the dashboard's over a
 * week to a year, and disk space per million views. `node bench/analytics/pages.ts`. The last week of a year is put
 * into the inbox and counted by the code that counts readers' events, at a rate of `OCTAVO_BENCH_VIEWS` (default 4
 * million) a year: every page is viewed on every day, and the other views are distributed in inverse proportion to a
 * page's rank. Each earlier day copies the counts of the same weekday, and weeks and months are sums of days.
 * `OCTAVO_BENCH_EVENTS` (default none) adds rows of single views up to that number. A run stops filling after
 * `OCTAVO_BENCH_FILL_SECONDS` (600); the next one continues from there.
 */
import { sql } from 'kysely'
import { readInsights } from '../../src/features/analytics/insights.ts'
import { countInbox } from '../../src/features/analytics/intake/count-inbox.ts'
import { dropPartitions } from '../../src/features/analytics/intake/partitions.ts'
import { DIMENSIONS } from '../../src/features/analytics/intake/tally.ts'
import { dayOf } from '../../src/features/analytics/intake/visitors.ts'
import { DAY_MS, type Range } from '../../src/features/analytics/range.ts'
import { readReport } from '../../src/features/analytics/reports.ts'
import { ORGANIZATION, openBenchDatabase, percentile, say } from '../feedback/scene.ts'
import { makeProjects } from './scene.ts'

const VIEWS = Number(process.env.OCTAVO_BENCH_VIEWS ?? 4_000_000)
const EVENTS = Number(process.env.OCTAVO_BENCH_EVENTS ?? 0)
const FILL_MS = Number(process.env.OCTAVO_BENCH_FILL_SECONDS ?? 600) * 1000
const ROUNDS = Number(process.env.OCTAVO_BENCH_ROUNDS ?? 200)
const DAYS = 365
/** Days that are counted from single views; earlier days are copies. */
const WEEK = 7
const PAGES = 2000
const [LARGE, SMALL] = ['prj_read_large', 'prj_read_small'] as const
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS

/** Inserts batches of 50 events, as the inbox stores them. Each visitor views three pages. */
const FILL = `
  INSERT INTO analytics_inbox (project_id, events)
    SELECT $1, json_agg(json_build_object('at', ($2::float8 + random() * 86399999)::bigint, 'kind', 'view',
      'audience', audience, 'path', '/guides/section-' || page % 40 || '/page-' || page,
      'subject', CASE WHEN audience = 'human' AND random() < 0.4
        THEN 'site-' || floor(exp(random() * ln(300)))::int || '.example.org' END,
      'detail', CASE audience WHEN 'ai' THEN 'ChatGPT' END, 'results', NULL,
      'device', CASE WHEN random() < 0.7 THEN 'desktop' ELSE 'mobile' END,
      'visitor', CASE WHEN audience <> 'bot' THEN
        encode(substr(decode(md5(($2::float8 + n / 3)::text), 'hex'), 1, 8), 'base64') END))
    FROM (SELECT n, CASE WHEN n < ${PAGES} THEN n + 1 ELSE floor(exp(random() * ln(${PAGES + 1})))::int END AS page,
        CASE WHEN n / 3 % 20 < 17 THEN 'human' WHEN n / 3 % 20 < 19 THEN 'ai' ELSE 'bot' END AS audience
      FROM generate_series(0, $3::int - 1) AS n) AS views
    GROUP BY n / 50`

await using bench = await openBenchDatabase()
const { database } = bench
const { pool, queries } = database
await makeProjects(pool, [LARGE, SMALL])
const began = performance.now()
const { counted, seconds } = await fill()
await fillEvents()
if (counted > 0) {
  say(`${counted} views counted in ${seconds.toFixed(0)} s: ${Math.round(counted / seconds)} a second`)
  await pool.query('VACUUM ANALYZE analytics_counts, analytics_events')
}
await saySizes()

say('| question | days | p50 ms | p99 ms |')
say('|---|---|---|---|')
for (const days of [7, 30, 90, 365]) {
  const range = lastDays(days)
  await measure('views by page', days, (place) =>
    readReport(queries, place, { report: 'views', by: 'page', range }, { limit: 50 }),
  )
  await measure('visitors by page', days, (place) =>
    readReport(queries, place, { report: 'visitors', by: 'page', range }, { limit: 50 }),
  )
  await measure('views by day of one page', days, (place) =>
    readReport(
      queries,
      place,
      { report: 'views', by: 'day', range: { ...range, path: '/guides/section-1/page-1' } },
      {},
    ),
  )
  if (days <= 90)
    await measure('all insights', days, (place) => readInsights(queries, place, { days, audience: 'all' }))
}

/** Fills whole days, newest first, so that the next run can continue where this one stopped. */
async function fill(): Promise<{ counted: number; seconds: number }> {
  let counted = 0
  let copied = 0
  for (let ago = 0; ago < DAYS && performance.now() - began < FILL_MS; ago++) {
    const day = TODAY - ago * DAY_MS
    if ((await countedOf(day)) > 0) continue
    if (ago < WEEK) counted += await countDay(day)
    else copied += await copyDay(day, TODAY - (ago % WEEK) * DAY_MS)
  }
  const seconds = (performance.now() - began) / 1000
  if (counted + copied > 0) await sumDays()
  return { counted, seconds }
}

async function countDay(day: number): Promise<number> {
  const isFree = [0, 6].includes(new Date(day).getUTCDay())
  const views = Math.round((VIEWS / DAYS / (5 / 7 + (2 / 7) * 0.4)) * (isFree ? 0.4 : 1))
  for (const [project, share] of [
    [LARGE, 0.9],
    [SMALL, 0.1],
  ] as const)
    await pool.query(FILL, [project, day, Math.round(views * share)])
  while ((await countInbox(database)).mayBeMore) {
    // Repeat until the inbox is empty.
  }
  // The sweeper does this at the end of a day.
  await dropPartitions(queries, 'analytics_visitors', '9999-12-31')
  return views
}

async function copyDay(day: number, like: number): Promise<number> {
  const { rowCount } = await pool.query(
    `INSERT INTO analytics_counts SELECT project_id, dimension, period, $1::timestamptz, key, page, human, ai, bots,
        human_visitors, ai_visitors, empty, last_at
      FROM analytics_counts WHERE project_id = ANY($3) AND dimension = ANY($4) AND period = 'day' AND starts_at = $2`,
    [new Date(day), new Date(like), [LARGE, SMALL], DIMENSIONS],
  )
  return rowCount ?? 0
}

/** Sums days into weeks and months, which the counter otherwise does while it counts. */
async function sumDays(): Promise<void> {
  await pool.query(`DELETE FROM analytics_counts WHERE period IN ('week', 'month')`)
  const month = `date_trunc('month', starts_at, 'UTC')`
  const week = `${month} + ((extract(day FROM starts_at AT TIME ZONE 'UTC')::integer - 1) & ~7) * interval '1 day'`
  for (const [period, start] of Object.entries({ week, month }))
    await pool.query(
      `INSERT INTO analytics_counts SELECT project_id, dimension, $1, ${start}, key, page, sum(human), sum(ai), sum(bots),
        sum(human_visitors), sum(ai_visitors), sum(empty), max(last_at)
        FROM analytics_counts WHERE period = 'day' AND dimension <> 'event' GROUP BY 1, 2, 4, 5, 6`,
      [period],
    )
}

/** Fills day by day, each into a table that becomes a partition once it is full and indexed. */
async function fillEvents(): Promise<void> {
  const ofDay = Math.ceil(EVENTS / DAYS)
  for (let ago = DAYS; EVENTS > 0 && ago < 2 * DAYS && performance.now() - began < FILL_MS; ago++) {
    const [day, next] = [dayOf(TODAY - ago * DAY_MS), dayOf(TODAY - (ago - 1) * DAY_MS)]
    const name = `analytics_events_${day.replaceAll('-', '')}`
    const { rows: known } = await pool.query('SELECT FROM pg_class WHERE relname = $1', [name])
    if (known.length > 0) continue
    await pool.query(`BEGIN; CREATE TABLE ${name} (LIKE analytics_events INCLUDING CONSTRAINTS);
      INSERT INTO ${name} (project_id, at, kind, audience, path, subject, device)
        SELECT '${LARGE}', '${day}T00:00:00Z'::timestamptz + n * interval '1 day' / ${ofDay}, 'view', 'human',
          '/guides/section-' || n % 40 || '/page-' || n * 7919 % ${PAGES}, 'example.org', 'desktop'
        FROM generate_series(0::bigint, ${ofDay - 1}) AS n;
      CREATE INDEX ON ${name} (project_id, at DESC);
      ALTER TABLE analytics_events ATTACH PARTITION ${name}
        FOR VALUES FROM ('${day}T00:00:00Z') TO ('${next}T00:00:00Z'); COMMIT`)
  }
}

async function countedOf(day: number): Promise<number> {
  const { rows } = await sql<{ views: number }>`
    SELECT coalesce(sum(human + ai + bots), 0)::integer AS views FROM analytics_counts
    WHERE project_id = ${LARGE} AND dimension = 'event' AND period = 'day' AND starts_at = ${new Date(day)}`.execute(
    queries,
  )
  return rows[0]?.views ?? 0
}

async function saySizes(): Promise<void> {
  const { rows } = await pool.query<{ name: string; rows: number; bytes: number }>(`
    SELECT 'single views' AS name, (SELECT count(*)::float8 FROM analytics_events) AS rows,
      (SELECT sum(pg_total_relation_size(relid))::float8 FROM pg_partition_tree('analytics_events')) AS bytes
    UNION ALL
    SELECT 'counts', (SELECT count(*)::float8 FROM analytics_counts),
      (SELECT sum(pg_total_relation_size(relid))::float8 FROM pg_partition_tree('analytics_counts'))
    UNION ALL
    SELECT 'counts of ' || dimension || ' by ' || period, count(*)::float8, NULL FROM analytics_counts
      GROUP BY dimension, period HAVING count(*) > 100000`)
  const views = rows[0]?.rows ?? 0
  say('| table | rows | MB | rows a million views | MB a million views |')
  say('|---|---|---|---|---|')
  for (const { name, rows: count, bytes } of rows) {
    const sizes = [bytes, bytes && (bytes / views) * 1e6].map((size) =>
      size === null ? '' : Math.round(size / 1e6),
    )
    say(`| ${name} | ${count} | ${sizes[0]} | ${Math.round((count / views) * 1e6)} | ${sizes[1]} |`)
  }
  say('')
}

async function measure(
  question: string,
  days: number,
  ask: (place: { organizationId: string; projectId: string }) => Promise<unknown>,
): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now()
    await ask({ organizationId: ORGANIZATION, projectId: LARGE })
    times.push(performance.now() - before)
  }
  say(`| ${question} | ${days} | ${percentile(times, 0.5)} | ${percentile(times, 0.99)} |`)
}

function lastDays(days: number): Range {
  const to = TODAY + DAY_MS
  return { from: to - days * DAY_MS, to, path: null }
}
