/**
 * Server and database are killed with SIGKILL, again and again, while pages tell how they are read: every view that was
 * acknowledged is counted exactly once, and so is a batch that is repeated until it is acknowledged. OCTAVO_FAULT_ROUNDS
 * sets the number of kills.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openKilledServer, postAsReader, type Ready } from '../kit/killed-server.ts'
import { faultRounds } from '../kit/whole-run.ts'

const ROUNDS = faultRounds(1)
const LANES = 8
const CHROME =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const server = await openKilledServer({
  OCTAVO_LIMIT_PAGE_EVENTS: '9999999/60',
  OCTAVO_LIMIT_SITE_PAGE_EVENTS: '9999999/60',
  OCTAVO_LIMIT_ANALYTICS: '100000/60',
})
after(() => server[Symbol.asyncDispose]())

/** What a reader's page has been told is safe. */
interface Ledger {
  views: number
  searches: number
  networks: Set<string>
  repeated: number
  afterLoss: number
}

async function tellUntil(isOver: () => boolean, agent: Agent, ledger: Ledger): Promise<void> {
  while (!isOver()) {
    const network = `10.${octet()}.${octet()}`
    const views = 1 + Math.floor(Math.random() * 8)
    const view = { kind: 'view', path: '/', ago: 0 }
    const search = { kind: 'search', path: '/', ago: 0, query: 'again', results: 0 }
    const body = { id: randomUUID(), events: [...Array.from({ length: views }, () => view), search] }
    for (let tries = 1; ; tries++) {
      const ready = server.ready()
      const sent = { agent, address: `${network}.7`, body, headers: { 'user-agent': CHROME } }
      const { status, text } =
        ready === null ? { status: 0, text: '' } : await postAsReader(ready, '/_octavo/events', sent)
      if (status === 200) {
        assert.equal((JSON.parse(text) as { recorded: number }).recorded, body.events.length)
        ledger.views += views
        ledger.searches += 1
        ledger.networks.add(network)
        if (tries > 1) ledger.afterLoss += 1
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

/** Until two looks, with a count in between, are the same. */
async function viewsAtRest(ready: Ready, key: string): Promise<number> {
  for (let before = -1, same = 0; ; ) {
    const { totals } = await read(ready, key, 'views')
    same = totals?.human === before ? same + 1 : 0
    before = totals?.human ?? 0
    if (same === 4) return before
    await sleep(1000)
  }
}

test(`${ROUNDS} kills of server and database under load lose no acknowledged view and count none twice`, async (t) => {
  const key = (await server.start()).adminKey
  assert.ok(key !== null)
  const began = new Date().getUTCDate()
  const agent = new Agent({ keepAlive: true })
  const ledger: Ledger = { views: 0, searches: 0, networks: new Set(), repeated: 0, afterLoss: 0 }
  let isOver = false
  const lanes = Array.from({ length: LANES }, () => tellUntil(() => isOver, agent, ledger))
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(500 + Math.random() * 2000)
      await server.killAll()
      await server.start()
    }
    await sleep(500)
  } finally {
    isOver = true
  }
  await Promise.all(lanes)
  agent.destroy()

  const ready = server.ready()
  assert.ok(ready)
  assert.equal(await viewsAtRest(ready, key), ledger.views)
  assert.equal((await read(ready, key, 'searches')).totalSearches, ledger.searches)
  const { totals } = await read(ready, key, 'visitors')
  // Who is there on both sides of midnight counts on both days.
  if (new Date().getUTCDate() === began) assert.equal(totals?.human, ledger.networks.size)
  const { views, networks, repeated, afterLoss } = ledger
  t.diagnostic(
    `${views} views of ${networks.size} visitors, ${repeated} repetitions, ${afterLoss} batches acknowledged after a loss`,
  )
  assert.ok(afterLoss > 0, 'no kill met a batch')
})
