/**
 * Kills server and database with SIGKILL repeatedly while pages report views. Every acknowledged view is counted
 * exactly once, for its page and visitor, and so is a batch that is retried until it is acknowledged.
 * OCTAVO_FAULT_ROUNDS sets the number of kills, OCTAVO_FAULT_VIEWS the number of views they are spread over.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { silentLog } from '../../src/base/log.ts'
import { connectionUrl } from '../../src/database/database.ts'
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts'
import { openKilledServer, postAsReader, type Ready } from '../kit/killed-server.ts'
import { until } from '../kit/until.ts'
import { faultRounds } from '../kit/whole-run.ts'

const ROUNDS = faultRounds(1)
/** 0: each kill follows after a short delay, regardless of the number of views. */
const VIEWS = Number(process.env.OCTAVO_FAULT_VIEWS ?? 0)
const LANES = VIEWS === 0 ? 8 : 32
/** Events per project and day up to which visitors are counted exactly (src/features/analytics/single-rows.ts). */
const TOLD_APART = 1_000_000
const PAGES = ['/', '/quickstart', '/guides/export', '/guides/feedback']
const CHROME =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const server = await openKilledServer({
  OCTAVO_LIMIT_PAGE_EVENTS: '9999999/60',
  OCTAVO_LIMIT_SITE_PAGE_EVENTS: '9999999/60',
  OCTAVO_LIMIT_ANALYTICS: '100000/60',
})
after(() => server[Symbol.asyncDispose]())

/** Everything that was acknowledged to the reporting pages. */
interface Ledger {
  views: number
  byPage: Map<string, number>
  searches: number
  networks: Set<string>
  repeated: number
  afterLoss: number
  /** Milliseconds, for batches acknowledged on the first attempt. */
  waits: number[]
}

async function tellUntil(isOver: () => boolean, agent: Agent, ledger: Ledger): Promise<void> {
  while (!isOver()) {
    const network = `10.${octet()}.${octet()}`
    const views = 1 + Math.floor(Math.random() * (VIEWS === 0 ? 8 : 45))
    const path = PAGES[Math.floor(Math.random() ** 2 * PAGES.length)] ?? '/'
    const view = { kind: 'view', path, ago: 0 }
    const search = { kind: 'search', path: '/', ago: 0, query: 'again', results: 0 }
    const body = { id: randomUUID(), events: [...Array.from({ length: views }, () => view), search] }
    for (let tries = 1; ; tries++) {
      const ready = server.ready()
      const since = performance.now()
      const sent = { agent, address: `${network}.7`, body, headers: { 'user-agent': CHROME } }
      const { status, text } =
        ready === null ? { status: 0, text: '' } : await postAsReader(ready, '/_octavo/events', sent)
      if (status === 200) {
        assert.equal((JSON.parse(text) as { recorded: number }).recorded, body.events.length)
        ledger.views += views
        ledger.byPage.set(path, (ledger.byPage.get(path) ?? 0) + views)
        ledger.searches += 1
        ledger.networks.add(network)
        if (tries > 1) ledger.afterLoss += 1
        else ledger.waits.push(performance.now() - since)
        break
      }
      assert.ok([0, 500, 503].includes(status), `${status} ${text}`)
      ledger.repeated += 1
      await sleep(50)
    }
  }
}

const octet = () => Math.floor(Math.random() * 256)

async function read(
  ready: Ready,
  key: string,
  report: string,
): Promise<Record<string, Record<string, number>>> {
  const response = await fetch(`${ready.url}/v1/analytics/${ready.projectId}/${report}`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  assert.equal(response.status, 200)
  return (await response.json()) as Record<string, Record<string, number>>
}

/** Polls until the view count stops changing, long enough for pending events to be counted. */
async function viewsAtRest(ready: Ready, key: string): Promise<number> {
  for (let before = -1, same = 0; ; ) {
    const { totals } = await read(ready, key, 'views')
    same = totals?.human === before ? same + 1 : 0
    before = totals?.human ?? 0
    if (same === 4) return before
    await sleep(1000)
  }
}

/** Waits for the time of this kill: after a short delay, or once its share of the views has been sent. */
async function untilKill(round: number, ledger: Ledger): Promise<void> {
  if (VIEWS === 0) return sleep(500 + Math.random() * 2000)
  const views = (VIEWS * (round + Math.random())) / ROUNDS
  await until(() => ledger.views >= views)
}

/** Rows and bytes of each web analytics table, including partitions. */
async function tableSizes(): Promise<string> {
  await using postgres = await startEmbeddedPostgres({
    dataDir: server.dataFolder,
    log: silentLog,
  })
  const client = new pg.Client({ connectionString: connectionUrl(postgres.connection) })
  await client.connect()
  try {
    const sizes: string[] = []
    for (const table of ['batches', 'inbox', 'events', 'visitors', 'counts']) {
      const { rows } = await client.query<{ rows: string; bytes: string }>(
        `SELECT (SELECT count(*) FROM analytics_${table}) AS rows, (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
          WHERE relkind = 'r' AND relname LIKE 'analytics\\_${table}%') AS bytes`,
      )
      sizes.push(`${table} ${rows[0]?.rows} rows ${Number(rows[0]?.bytes) >> 10} KiB`)
    }
    return sizes.join(', ')
  } finally {
    await client.end()
  }
}

test(`${ROUNDS} kills of server and database under load lose no acknowledged view and count none twice`, async (t) => {
  const key = (await server.start()).adminKey
  assert.ok(key !== null)
  const began = new Date().getUTCDate()
  const agent = new Agent({ keepAlive: true })
  const ledger: Ledger = {
    ...{ views: 0, searches: 0, repeated: 0, afterLoss: 0, waits: [] },
    byPage: new Map(),
    networks: new Set(),
  }
  let isOver = false
  const lanes = Array.from({ length: LANES }, () => tellUntil(() => isOver, agent, ledger))
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await untilKill(round, ledger)
      await server.killAll()
      await server.start()
    }
    do await sleep(500)
    while (ledger.views < VIEWS)
  } finally {
    isOver = true
  }
  await Promise.all(lanes)
  agent.destroy()

  const ready = server.ready()
  assert.ok(ready)
  assert.equal(await viewsAtRest(ready, key), ledger.views)
  const { views: pages } = await read(ready, key, 'views')
  assert.deepEqual(
    new Map((pages as unknown as { path: string; human: number }[]).map(({ path, human }) => [path, human])),
    new Map([...ledger.byPage].sort(([, one], [, other]) => other - one)),
  )
  assert.equal((await read(ready, key, 'searches')).totalSearches, ledger.searches)
  const { totals } = await read(ready, key, 'visitors')
  const human = totals?.human ?? 0
  // Visitor counts are approximate above the daily event limit, and a visitor seen across midnight UTC counts twice.
  if (new Date().getUTCDate() === began) {
    if (ledger.views + ledger.searches <= TOLD_APART) assert.equal(human, ledger.networks.size)
    else assert.ok(human <= ledger.networks.size && human > ledger.networks.size * 0.9, String(human))
  }
  const { views, networks, repeated, afterLoss } = ledger
  t.diagnostic(
    `${views} views of ${networks.size} visitors (${human} told apart), ${repeated} repetitions, ${afterLoss} batches acknowledged after a loss`,
  )
  const waits = ledger.waits.sort((one, other) => one - other)
  const [p50, p99] = [0.5, 0.99].map((part) => waits[Math.floor(waits.length * part)]?.toFixed(1))
  t.diagnostic(
    `${waits.length} batches by ${LANES} senders: p50 ${p50} ms, p99 ${p99} ms; ${await tableSizes()}`,
  )
  assert.ok(afterLoss > 0, 'no kill met a batch')
})
