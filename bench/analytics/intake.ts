/**
 * Measures the intake of page events over HTTP from parallel senders on open connections, while the events are counted:
 * batches and events per second, how long a sender waits, whether the counts match the events sent, and disk space per
 * million views. `node bench/analytics/intake.ts`. Each batch is on disk before it is answered.
 */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { silentLog } from '../../src/base/log.ts'
import { countInbox } from '../../src/features/analytics/intake/count-inbox.ts'
import { startCounter } from '../../src/features/analytics/intake/counter.ts'
import { openBenchDatabase, PROJECT, percentile, say } from '../feedback/scene.ts'
import { type BenchServer, spawnServer } from '../feedback/spawn-server.ts'
import { makeProjects } from './scene.ts'

const SECONDS = Number(process.env.OCTAVO_BENCH_SECONDS ?? 15)
/** Views per batch: a short visit to a page sends one, a longer one a few more events. */
const EVENTS = Number(process.env.OCTAVO_BENCH_EVENTS ?? 2)
const PAGES = 2000
const CHROME =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const TABLES = ['counts', 'events', 'visitors', 'batches'] as const

await using bench = await openBenchDatabase()
const { database } = bench
const { pool } = database
await makeProjects(pool, [PROJECT])
await pool.query('DELETE FROM analytics_counts WHERE project_id = $1', [PROJECT])
await pool.query('TRUNCATE analytics_inbox, analytics_events, analytics_visitors, analytics_batches')
let told = 0

say('| senders | batches a second | events a second | p50 ms | p99 ms | refused | server peak MB |')
say('|---|---|---|---|---|---|---|')
{
  await using _counting = startCounter({ database, log: silentLog })
  for (const senders of [1, 8, 32, 64]) {
    const server = await spawnServer(bench.url)
    const agent = new Agent({ keepAlive: true, maxSockets: senders })
    await run(server, agent, senders, 2)
    const { times, refused, seconds } = await run(server, agent, senders, SECONDS)
    agent.destroy()
    const peak = await server.stop()
    const rate = times.length / seconds
    say(
      `| ${senders} | ${Math.round(rate)} | ${Math.round(rate * EVENTS)} | ${percentile(times, 0.5)} | ${percentile(times, 0.99)} | ${refused} | ${peak} |`,
    )
  }
}
const started = performance.now()
const { rows: waiting } = await pool.query('SELECT count(*)::int AS batches FROM analytics_inbox')
while ((await countInbox(database)).mayBeMore) {
  // Repeat until the inbox is empty.
}
const seconds = (performance.now() - started) / 1000
const { rows: sums } = await pool.query(
  `SELECT sum(human)::int AS views FROM analytics_counts WHERE project_id = $1 AND dimension = 'site' AND period = 'day'`,
  [PROJECT],
)
say(
  `\n${told} views told, ${sums[0].views} counted; ${waiting[0].batches} batches waited, counted in ${seconds.toFixed(1)} s.\n`,
)
say('| table | rows a million views | MB a million views |')
say('|---|---|---|')
for (const table of TABLES) {
  const { rows } = await pool.query<{ rows: number; bytes: number }>(
    `SELECT (SELECT count(*)::int FROM analytics_${table}) AS rows,
      (SELECT sum(pg_total_relation_size(relid))::float8 FROM pg_partition_tree('analytics_${table}')) AS bytes`,
  )
  const {
    rows: [plain],
  } = await pool.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('analytics_${table}')::float8 AS bytes`,
  )
  const size = Math.max(rows[0]?.bytes ?? 0, plain?.bytes ?? 0)
  const million = 1_000_000 / told
  say(`| ${table} | ${Math.round((rows[0]?.rows ?? 0) * million)} | ${Math.round((size * million) / 1e6)} |`)
}

async function run(server: BenchServer, agent: Agent, senders: number, forSeconds: number) {
  const times: number[] = []
  let refused = 0
  const began = performance.now()
  const until = began + forSeconds * 1000
  const lanes = Array.from({ length: senders }, async () => {
    while (performance.now() < until) {
      const before = performance.now()
      if ((await tell(server, agent)) === 200) {
        times.push(performance.now() - before)
        told += EVENTS
      } else refused += 1
    }
  })
  await Promise.all(lanes)
  return { times, refused, seconds: (performance.now() - began) / 1000 }
}

function tell({ url, siteId }: BenchServer, agent: Agent): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const octet = () => Math.floor(Math.random() * 256)
  const view = () => ({
    ...{ kind: 'view', ago: 0, path: `/guides/page-${Math.floor(Math.random() ** 2 * PAGES)}` },
    ...(octet() < 100 && { referrer: `site-${octet()}.example.org` }),
  })
  const body = JSON.stringify({ id: randomUUID(), events: Array.from({ length: EVENTS }, view) })
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': CHROME,
    'X-Forwarded-For': `10.${octet()}.${octet()}.${octet()}`,
  }
  const place = `${url}/_octavo/sites/${siteId}/events`
  const sent = request(place, { method: 'POST', agent, headers }, (response) => {
    response.resume()
    response.once('end', () => resolve(response.statusCode ?? 0))
  })
  sent.once('error', reject)
  sent.end(body)
  return promise
}
