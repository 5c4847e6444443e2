/**
 * Kills server and database with SIGKILL repeatedly while readers vote. Every acknowledged vote is stored exactly once,
 * including votes that are retried until they are acknowledged. OCTAVO_FAULT_ROUNDS sets the number of kills.
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

const server = await openKilledServer({ OCTAVO_LIMIT_SITE_FEEDBACK: '9999999/60' })
after(() => server[Symbol.asyncDispose]())

/** Returns status and id; status 0 means no response. */
async function post(
  ready: Ready,
  agent: Agent,
  body: object,
): Promise<{ status: number; id: string | null }> {
  const octet = () => Math.floor(Math.random() * 256)
  const address = `10.${octet()}.${octet()}.${octet()}`
  const { status, text } = await postAsReader(ready, '/_octavo/feedback', { agent, address, body })
  return { status, id: status === 201 ? (JSON.parse(text) as { id: string }).id : null }
}

test(`${ROUNDS} kills of server and database under load lose no acknowledged vote and duplicate none`, async (t) => {
  const first = await server.start()
  const key = first.adminKey
  assert.ok(key !== null)
  const agent = new Agent({ keepAlive: true })
  const acknowledged: string[] = []
  let [stopped, repeated, afterLoss] = [false, 0, 0]

  const lanes = Array.from({ length: LANES }, async () => {
    while (!stopped) {
      const vote = { id: randomUUID(), path: '/', helpful: true, comment: 'said once' }
      for (let tries = 1; server.ready() !== null || !stopped; tries++) {
        const ready = server.ready()
        const answer = ready === null ? { status: 0, id: null } : await post(ready, agent, vote)
        if (answer.id !== null) {
          acknowledged.push(answer.id)
          if (tries > 1) afterLoss += 1
          break
        }
        assert.ok([0, 500, 503].includes(answer.status), `${answer.status}`)
        repeated += 1
        await sleep(50)
      }
    }
  })
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await sleep(500 + Math.random() * 2000)
      await server.killAll()
      await server.start()
    }
    await sleep(500)
  } finally {
    stopped = true
  }
  await Promise.all(lanes)
  agent.destroy()

  const ready = server.ready()
  assert.ok(ready)
  const response = await fetch(`${ready.url}/v1/analytics/${ready.projectId}/feedback/export`, {
    headers: { Authorization: `Bearer ${key}` },
  })
  assert.equal(response.status, 200)
  const lines = (await response.text()).split('\n').filter(Boolean)
  const kept = lines.map((line) => JSON.parse(line) as { id: string; comment: string })
  assert.equal(new Set(acknowledged).size, acknowledged.length, 'two votes got one id')
  assert.deepEqual(kept.map(({ id }) => id).sort(), acknowledged.sort())
  t.diagnostic(
    `${acknowledged.length} votes, ${repeated} repetitions, ${afterLoss} acknowledged after a loss`,
  )
  assert.ok(afterLoss > 0, 'no kill met a vote')
})
