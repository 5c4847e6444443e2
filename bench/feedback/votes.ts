/**
 * Measures votes over HTTP from parallel senders on open connections: votes per second, and how long a sender waits.
 * `node bench/feedback/votes.ts`. Each vote is on disk before it is answered.
 */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { openBenchDatabase, percentile, say } from './scene.ts'
import { type BenchServer, spawnServer } from './spawn-server.ts'

const SECONDS = Number(process.env.OCTAVO_BENCH_SECONDS ?? 15)

await using bench = await openBenchDatabase()
const { pool } = bench.database
await pool.query('DROP TABLE IF EXISTS bench_rows')
await pool.query('CREATE TABLE bench_rows (id text, at timestamptz)')

say('| senders | votes a second | p50 ms | p99 ms | refused | server peak MB | bare commits a second |')
say('|---|---|---|---|---|---|---|')
for (const senders of [1, 8, 32, 64]) {
  const server = await spawnServer(bench.url)
  const agent = new Agent({ keepAlive: true, maxSockets: senders })
  await run(server, agent, senders, 2)
  const { times, refused, seconds } = await run(server, agent, senders, SECONDS)
  agent.destroy()
  const peak = await server.stop()
  const rate = Math.round(times.length / seconds)
  const bare = await bareCommits(senders)
  say(
    `| ${senders} | ${rate} | ${percentile(times, 0.5)} | ${percentile(times, 0.99)} | ${refused} | ${peak} | ${bare} |`,
  )
}
await pool.query('DROP TABLE bench_rows')

/** Measures the baseline of disk and driver, in commits per second: one row of two columns each, without an index. */
async function bareCommits(lanes: number): Promise<number> {
  let commits = 0
  const until = performance.now() + 3000
  const work = async () => {
    while (performance.now() < until) {
      await pool.query('INSERT INTO bench_rows VALUES ($1, now())', [randomUUID()])
      commits += 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(lanes, 16) }, work))
  return Math.round(commits / 3)
}

async function run(server: BenchServer, agent: Agent, senders: number, forSeconds: number) {
  const times: number[] = []
  let refused = 0
  const started = performance.now()
  const until = started + forSeconds * 1000
  const lanes = Array.from({ length: senders }, async () => {
    while (performance.now() < until) {
      const before = performance.now()
      if ((await vote(server, agent)) === 201) times.push(performance.now() - before)
      else refused += 1
    }
  })
  await Promise.all(lanes)
  return { times, refused, seconds: (performance.now() - started) / 1000 }
}

function vote({ url, siteId }: BenchServer, agent: Agent): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const octet = () => Math.floor(Math.random() * 256)
  const body = JSON.stringify({ id: randomUUID(), path: `/guides/page-${octet()}`, helpful: octet() > 80 })
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Forwarded-For': `10.${octet()}.${octet()}.${octet()}`,
  }
  const sent = request(
    `${url}/_octavo/sites/${siteId}/feedback`,
    { method: 'POST', agent, headers },
    (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    },
  )
  sent.once('error', reject)
  sent.end(body)
  return promise
}
