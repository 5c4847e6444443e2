import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { leadingZeroBits } from '../../src/features/feedback/intake/proof-of-work.ts'
import { type ApiUnderTest, messagesOf, startApi } from '../http/api-under-test.ts'
import { clientId, makeSite, readPage, type Site, say, sayAccepted } from './feedback-scene.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({
    limits: { feedback: { count: 8, seconds: 3 }, siteFeedback: { count: 20, seconds: 60 } },
    trustedProxies: 1,
  })
})
after(() => api[Symbol.asyncDispose]())

const from = (address: string) => ({ 'X-Forwarded-For': address })

/** Solves a challenge like the page script. */
function solve(header: string | null): { challenge: string; nonce: string } {
  const [, challenge = '', bits = ''] = /^"([\w-]+)";bits=(\d+)$/.exec(header ?? '') ?? []
  for (let nonce = 0; ; nonce++) {
    const digest = createHash('sha256').update(`${challenge}:${nonce}`).digest()
    if (leadingZeroBits(digest) >= Number(bits)) return { challenge, nonce: String(nonce) }
  }
}

/** Sends entries from different addresses until the site requires proof of work. */
async function flood(site: Site): Promise<Response> {
  for (let i = 0; ; i++) {
    assert.ok(i < 60, 'no work was asked for')
    const response = await say(
      api,
      site,
      { id: clientId(), path: '/a', helpful: true },
      from(`203.0.113.${i}`),
    )
    if (response.status === 429) return response
    assert.equal(response.status, 201)
  }
}

test('a sender over the rate limit gets 429, others are accepted, and a retry after Retry-After succeeds', async () => {
  const site = await makeSite(api, 'sender')
  const body = () => ({ id: clientId(), path: '/a', helpful: true })
  const send = (address: string) => say(api, site, body(), from(address))
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await send('203.0.113.1')).status),
  )
  assert.deepEqual(statuses.sort(), [...Array(8).fill(201), ...Array(4).fill(429)])
  const refused = await send('203.0.113.1')
  assert.equal(refused.headers.get('ratelimit-policy'), '"feedback";q=8;w=3')
  assert.equal(refused.headers.get('octavo-challenge'), null, 'work does not help')
  assert.equal((await send('203.0.113.2')).status, 201)
  await sleep(Number(refused.headers.get('retry-after')) * 1000)
  assert.equal((await send('203.0.113.1')).status, 201)
})

test('addresses of one IPv6 network share a rate limit', async () => {
  const site = await makeSite(api, 'network')
  const send = async (address: string) =>
    (await say(api, site, { id: clientId(), path: '/a', helpful: true }, from(address))).status
  for (let i = 0; i < 8; i++) assert.equal(await send(`2001:db8:1:2::${i}`), 201)
  assert.equal(await send('2001:db8:1:2:ffff::9'), 429)
  assert.equal(await send('2001:db8:1:3::1'), 201)
})

test('a flooded site returns a challenge, and a request with its solution is accepted', async () => {
  const site = await makeSite(api, 'flooded')
  const refused = await flood(site)
  assert.deepEqual(await messagesOf(refused), [
    'Solve the challenge in the header Octavo-Challenge, and send the request again with `/proof`',
  ])
  assert.equal(refused.headers.get('retry-after'), '60')
  assert.equal(refused.headers.get('ratelimit-policy'), '"siteFeedback";q=20;w=60')

  const id = clientId()
  const body = { id, path: '/a', helpful: false, comment: 'Really.' }
  const asked = await say(api, site, body, from('198.51.100.1'))
  assert.equal(asked.status, 429)
  const proof = solve(asked.headers.get('octavo-challenge'))
  const accepted = await say(api, site, { ...body, proof }, from('198.51.100.1'))
  assert.equal(accepted.status, 201)
  const again = await say(api, site, { ...body, proof }, from('198.51.100.1'))
  assert.equal(await again.text(), await accepted.text(), 'the same entry, once')
})

test('a proof is valid only for its entry and site, and must be correct', async () => {
  const [site, other] = [await makeSite(api, 'proven'), await makeSite(api, 'proven-other')]
  await flood(site)
  await flood(other)
  const body = { id: clientId(), path: '/a', helpful: true }
  const sender = from('198.51.100.2')
  const asked = await say(api, site, body, sender)
  const proof = solve(asked.headers.get('octavo-challenge'))
  const status = async (at: Site, given: object) => (await say(api, at, given, sender)).status
  assert.equal(await status(site, { ...body, id: clientId(), proof }), 429)
  assert.equal(await status(other, { ...body, proof }), 429)
  assert.equal(await status(site, { ...body, proof: { ...proof, nonce: 'wrong' } }), 429)
  assert.equal(await status(site, { ...body, proof: { ...proof, challenge: `${proof.challenge}A` } }), 429)
  assert.equal(await status(site, { ...body, proof: { ...proof, challenge: 'AAAA' } }), 429)
  assert.equal(await status(site, { ...body, proof }), 201)
})

test('a request without an id gets no challenge', async () => {
  const site = await makeSite(api, 'no-id')
  await flood(site)
  const refused = await say(api, site, { path: '/a', helpful: true }, from('198.51.100.3'))
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('octavo-challenge'), null)
  assert.deepEqual(await messagesOf(refused), ['Send an `/id`, and solve the challenge that is returned'])
})

test('a flooded site does not affect other sites', async () => {
  const [site, calm] = [await makeSite(api, 'loud'), await makeSite(api, 'calm')]
  await flood(site)
  await sayAccepted(api, calm, { path: '/a', helpful: true })
  assert.equal((await readPage(api, calm)).feedback.length, 1)
})
