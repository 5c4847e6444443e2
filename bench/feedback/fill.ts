/**
 * Fills the benchmark database: `node bench/feedback/fill.ts`. Two years of entries over 2,000 pages, a few of which
 * have most entries; old entries are mostly closed, new ones pending; one in a hundred has no time. PostgreSQL
 * generates the rows, oldest first, and builds the indexes afterwards, as an import of this size would.
 */
import { ORGANIZATION, openBenchDatabase, PROJECT, say } from './scene.ts'

await using bench = await openBenchDatabase()
const { pool } = bench.database
const found = await pool.query<{ count: number }>('SELECT count(*) AS count FROM feedback')
if ((found.rows[0]?.count ?? 0) >= bench.entries) {
  say(`${found.rows[0]?.count} entries are there already`)
  process.exit(0)
}

const started = performance.now()
await pool.query(`
  INSERT INTO organizations (id, name, plan) VALUES ('${ORGANIZATION}', 'Bench', 'enterprise') ON CONFLICT DO NOTHING`)
await pool.query(`
  INSERT INTO projects (id, site_id, organization_id, name, source_kind, repository)
  SELECT id, 'site_' || id, '${ORGANIZATION}', id, 'folder', '/nowhere'
  FROM (SELECT '${PROJECT}' AS id UNION ALL SELECT 'prj_small' || lpad(n::text, 21, '0') FROM generate_series(0, 19) AS n) AS wanted
  ON CONFLICT DO NOTHING`)
const indexes = await pool.query<{ name: string; definition: string }>(`
  SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename = 'feedback' AND indexname <> 'feedback_pkey'`)
await pool.query('TRUNCATE feedback CASCADE')
for (const { name } of indexes.rows) await pool.query(`DROP INDEX ${name}`)

const BATCH = 500_000
for (let last = bench.entries - 1; last >= 0; last -= BATCH) {
  const first = Math.max(0, last - BATCH + 1)
  await pool.query(fillStatement(first, last, bench.entries))
  say(`${bench.entries - first} rows after ${seconds(started)} s`)
}
await pool.query(`SET maintenance_work_mem = '1GB'`)
for (const { name, definition } of indexes.rows) {
  await pool.query(definition)
  say(`${name} after ${seconds(started)} s`)
}
await pool.query('VACUUM (ANALYZE) feedback')
const size = await pool.query<{ rows: string; indexes: string }>(
  `SELECT pg_size_pretty(pg_table_size('feedback')) AS rows, pg_size_pretty(pg_indexes_size('feedback')) AS indexes`,
)
say(
  `${bench.entries} entries in ${seconds(started)} s: rows ${size.rows[0]?.rows}, indexes ${size.rows[0]?.indexes}`,
)

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 100) / 10
}

/** `age` is 0 for the newest entry and 1 for the oldest. Hashes replace random numbers, so that runs are alike. */
function fillStatement(first: number, last: number, all: number): string {
  return `
  INSERT INTO feedback (id, project_id, source, status, created_at, path, helpful, reason, comment, contact, code,
    filename, lang, client_hash)
  SELECT
    'fb_' || lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || substr(md5('id' || n), 1, 14),
    CASE WHEN a < 0.9 THEN '${PROJECT}' ELSE 'prj_small' || lpad((n % 20)::text, 21, '0') END,
    source,
    CASE WHEN e < 0.9 - age * 0.8 THEN 'pending' WHEN e < 0.93 - age * 0.8 THEN 'in_progress'
      WHEN c < 0.8 THEN 'resolved' ELSE 'dismissed' END,
    CASE WHEN n % 100 = 7 THEN NULL ELSE at END,
    '/guides/page-' || floor(2000 * d * d * d),
    CASE WHEN source IN ('contextual', 'thumbs_only') THEN c < 0.7 END,
    CASE WHEN source = 'contextual' THEN 'The guide worked as expected' END,
    CASE WHEN source <> 'thumbs_only' THEN 'Entry ' || n || ': ' || repeat(md5(n::text) || ' ', 3) END,
    CASE WHEN source = 'contextual' AND d < 0.2 THEN 'reader' || n || '@example.org' END,
    CASE WHEN source = 'code_snippet' THEN repeat('const value = ' || n || E'\\n', 20) END,
    CASE WHEN source = 'code_snippet' THEN 'example.ts' END,
    CASE WHEN source = 'code_snippet' THEN 'ts' END,
    decode(md5('client' || n), 'hex')
  FROM (
    SELECT n, age, a, b, c, d, e, now() - age * interval '730 days' AS at,
      CASE WHEN b < 0.7 THEN 'thumbs_only' WHEN b < 0.9 THEN 'contextual' WHEN b < 0.97 THEN 'code_snippet'
        ELSE 'agent' END AS source
    FROM (
      SELECT n, n::float8 / ${all} AS age,
        (hashint8(n) & 1048575) / 1048576.0 AS a, (hashint8(n * 7 + 1) & 1048575) / 1048576.0 AS c,
        (hashint8(n * 13 + 2) & 1048575) / 1048576.0 AS d, (hashint8(n * 31 + 3) & 1048575) / 1048576.0 AS b,
        (hashint8(n * 57 + 4) & 1048575) / 1048576.0 AS e
      FROM generate_series(${last}::bigint, ${first}::bigint, -1) AS n
    ) AS chance
  ) AS entry`
}
