/** Open connections and requests: stalled ones are closed, and each address and organization has a limit. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { ARRIVAL_TIMEOUTS } from '../../src/http/open-requests.ts'
import { until } from '../kit/until.ts'
import { type ApiUnderTest, startApi, startJob } from './api-under-test.ts'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())

interface Crowd {
  socket: Socket
  /** Returns everything received so far. */
  said(): string
  /** Resolves with the received text after the first data, or when the connection closes. */
  answered: Promise<string>
  closed: Promise<unknown>
}

async function open(api: ApiUnderTest, text: string, localAddress = '127.0.0.1'): Promise<Crowd> {
  const socket = connect({ port: api.port, host: '127.0.0.1', localAddress })
  opened.defer(() => void socket.destroy())
  let said = ''
  const answered = Promise.withResolvers<string>()
  socket.on('data', (part) => {
    said += String(part)
    answered.resolve(said)
  })
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.on('close', resolve))
  void closed.then(() => answered.resolve(said))
  await once(socket, 'connect')
  socket.write(text)
  return { socket, said: () => said, answered: answered.promise, closed }
}

const HALF_OPEN = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: '
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
const WHOLE = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n'
const slowBody = (key: string, from = '') =>
  `POST /v1/static-export/jobs HTTP/1.1\r\nHost: localhost\r\n${from}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"domain":"`
const forwarded = (address: string) => `X-Forwarded-For: ${address}\r\n`
const statusOf = (said: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0)

const stream = (key: string, job: string, from = '') =>
  `GET /v1/static-export/jobs/${job}/events HTTP/1.1\r\nHost: localhost\r\n${from}Authorization: Bearer ${key}\r\n\r\n`

test('slow headers, slow bodies and idle connections end with 408, even when bytes trickle in', async () => {
  assert.ok(ARRIVAL_TIMEOUTS.requestTimeout + ARRIVAL_TIMEOUTS.connectionsCheckingInterval < 10_000)
  const api = opened.use(await startApi({ trustedProxies: 1, openBounds: { byAddress: 3 } }))
  const from = forwarded('203.0.113.7')
  const bodies = await Promise.all([1, 2, 3, 4].map(() => open(api, slowBody(api.acme.key, from))))
  const others = await Promise.all([HALF_OPEN, '', `${HEALTH}${HALF_OPEN}`].map((text) => open(api, text)))
  const drip = setInterval(() => {
    for (const { socket } of [...bodies, ...others.slice(0, 1)]) if (socket.writable) socket.write('x')
  }, 200)
  await Promise.all([...bodies, ...others].map(({ closed }) => closed))
  clearInterval(drip)
  for (const { said } of others) assert.match(said(), /HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/)
  // Four slow bodies came from one address behind the proxy, one more than allowed.
  assert.deepEqual(bodies.map(({ said }) => statusOf(said())).sort(), [408, 408, 408, 429])
})

test('limits open connections per address, independently of other addresses, and frees a slot when one closes', async () => {
  const api = opened.use(await startApi({ openBounds: { byAddress: 3 } }))
  const mine = await Promise.all([1, 2, 3].map(() => open(api, HEALTH, '127.0.0.2')))
  for (const { answered } of mine) assert.equal(statusOf(await answered), 200)
  const ask = async (from: string) => (await open(api, `${WHOLE}\r\n`, from)).answered.then(statusOf)
  assert.equal(await ask('127.0.0.2'), 0)
  assert.equal(await ask('127.0.0.3'), 200)
  mine[0]?.socket.destroy()
  await until(async () => (await ask('127.0.0.2')) === 200)
})

test('counts the forwarded address behind a trusted proxy, including open event streams', async () => {
  const api = opened.use(await startApi({ trustedProxies: 1, openBounds: { byAddress: 3 } }))
  const job = await startJob(api, api.acme)
  const text = stream(api.acme.key, job, forwarded('203.0.113.7'))
  const streams = await Promise.all([1, 2, 3].map(() => open(api, text)))
  for (const { answered } of streams) assert.equal(statusOf(await answered), 200)
  const ask = async (address: string) =>
    (await open(api, `${WHOLE}${forwarded(address)}\r\n`)).answered.then(statusOf)
  assert.equal(await ask('203.0.113.7'), 429)
  assert.equal(await ask('203.0.113.8'), 200)
  streams[0]?.socket.destroy()
  await until(async () => (await ask('203.0.113.7')) === 200)
})

test('limits open requests per organization across addresses without affecting another organization', async () => {
  const api = opened.use(await startApi({ trustedProxies: 1, openBounds: { byOrganization: 3 } }))
  const { acme, other } = api
  const job = await startJob(api, acme)
  const streams = await Promise.all(
    [1, 2, 3].map((number) => open(api, stream(acme.key, job, forwarded(`203.0.113.${number}`)))),
  )
  for (const { answered } of streams) assert.equal(statusOf(await answered), 200)
  const ask = (key: string) =>
    fetch(`${api.url}/v1/static-export/jobs`, { headers: { Authorization: `Bearer ${key}` } })
  const refused = await ask(acme.key)
  assert.equal(((await refused.json()) as { code: string }).code, 'too_many_open')
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1'])
  assert.equal((await ask(other.key)).status, 200)
  streams[0]?.socket.destroy()
  await until(async () => (await ask(acme.key)).status === 200)
})
