import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'

const SHORT = { timeoutMs: 5000, maxBytes: 1000 }

/** One loopback address represents the public internet, the other the private network. */
const OUTSIDE = '127.0.0.1'
const INSIDE = '127.0.0.2'

interface Receiver {
  port: number
  requests: IncomingMessage[]
}

async function listen(t: TestContext, answer: RequestListener, host = OUTSIDE, port = 0): Promise<Receiver> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  server.listen(port, host)
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, requests }
}

function open(t: TestContext, port: number, options: GuardedFetchOptions = {}) {
  const fetch = createGuardedFetch({
    ports: [port],
    isPublic: (address) => address === OUTSIDE,
    resolve: async () => [OUTSIDE],
    ...options,
  })
  t.after(() => fetch[Symbol.asyncDispose]())
  return fetch
}

const refused = { name: 'GuardedFetchError', kind: 'refused' }

test('returns the status, headers and body of a response', async (t) => {
  const { port, requests } = await listen(t, (_request, response) => {
    response.writeHead(418, { 'x-kind': 'teapot' }).end('short and stout')
  })
  const response = await open(t, port).fetch(`http://receiver.test:${port}/a?b=c`, {
    ...SHORT,
    headers: { 'X-Sent': '1', Host: 'other.test' },
  })
  assert.deepEqual([response.status, response.headers['x-kind']], [418, 'teapot'])
  assert.equal(Buffer.from(response.body).toString(), 'short and stout')
  assert.deepEqual(
    [requests[0]?.url, requests[0]?.headers['x-sent'], requests[0]?.headers.host],
    ['/a?b=c', '1', `receiver.test:${port}`],
  )
})

test('rejects a private address as host in any notation', async (t) => {
  const { port, requests } = await listen(t, (_request, response) => response.end('inside'))
  const fetch = createGuardedFetch({ ports: [port] })
  t.after(() => fetch[Symbol.asyncDispose]())
  const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.0.0.1.']
  const others = [
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '0.0.0.0',
    '[::]',
    '①②⑦.0.0.1',
  ]
  for (const host of [...hosts, ...others]) {
    const url = `http://${host}:${port}/`
    assert.match(fetch.objection(url)?.message ?? '', /not on the public internet/, host)
    await assert.rejects(fetch.fetch(url, SHORT), refused, host)
  }
  await assert.rejects(fetch.fetch(`http://localhost:${port}/`, SHORT), refused)
  assert.equal(requests.length, 0)
})

test('rejects a host name if any of its addresses is private', async (t) => {
  const { port, requests } = await listen(t, (_request, response) => response.end())
  const fetch = open(t, port, { resolve: async () => [OUTSIDE, INSIDE] })
  await assert.rejects(fetch.fetch(`http://receiver.test:${port}/`, SHORT), refused)
  assert.equal(requests.length, 0)
})

test('DNS rebinding does not reach a private address', async (t) => {
  const outside = await listen(t, (_request, response) =>
    response.setHeader('connection', 'close').end('outside'),
  )
  const inside = await listen(t, (_request, response) => response.end('inside'), INSIDE, outside.port)
  const answers = [[OUTSIDE], [INSIDE]]
  let asked = 0
  const fetch = open(t, outside.port, { resolve: async () => answers[asked++] ?? [] })
  const url = `http://rebinding.test:${outside.port}/`
  const first = await fetch.fetch(url, SHORT)
  assert.equal(Buffer.from(first.body).toString(), 'outside')
  assert.equal(asked, 1)
  await assert.rejects(fetch.fetch(url, SHORT), refused)
  assert.equal(inside.requests.length, 0)
})

test('each redirect target is checked like the first URL', async (t) => {
  let target = ''
  const outside = await listen(t, (_request, response) => response.writeHead(302, { location: target }).end())
  const inside = await listen(t, (_request, response) => response.end('inside'), INSIDE, outside.port)
  const fetch = open(t, outside.port, { resolve: async (name) => [name === 'inner.test' ? INSIDE : OUTSIDE] })
  for (target of [
    `http://${INSIDE}:${outside.port}/`,
    `http://inner.test:${outside.port}/`,
    `http://user:word@receiver.test:${outside.port}/`,
    'http://receiver.test:22/',
    'file:///etc/passwd',
  ])
    await assert.rejects(fetch.fetch(`http://receiver.test:${outside.port}/`, SHORT), refused, target)
  assert.equal(inside.requests.length, 0)
})

test('follows redirects up to maxRedirects and sends credentials to the first host only', async (t) => {
  const { port, requests } = await listen(t, (request, response) => {
    const hop = Number(request.url?.slice(1))
    if (hop === 3) response.end('there')
    else response.writeHead(307, { location: `http://other.test:${port}/${hop + 1}` }).end('on')
  })
  const fetch = open(t, port)
  const sent = { ...SHORT, headers: { Authorization: 'Bearer x', 'X-Kind': 'y' } }
  const response = await fetch.fetch(`http://receiver.test:${port}/0`, sent)
  assert.equal(response.url, `http://other.test:${port}/3`)
  assert.deepEqual(
    requests.map(({ headers }) => [headers.authorization, headers['x-kind']]),
    [['Bearer x', 'y'], ...Array.from({ length: 3 }, () => [undefined, 'y'])],
  )
  const stopped = await fetch.fetch(`http://receiver.test:${port}/0`, { ...sent, maxRedirects: 2 })
  assert.deepEqual([stopped.status, stopped.url], [307, `http://other.test:${port}/2`])
})

test('does not follow a redirect of a POST', async (t) => {
  const { port, requests } = await listen(t, (_request, response) => {
    response.writeHead(307, { location: '/other' }).end()
  })
  const response = await open(t, port).fetch(`http://receiver.test:${port}/`, {
    ...SHORT,
    method: 'POST',
    body: '{}',
  })
  assert.equal(response.status, 307)
  assert.equal(requests.length, 1)
})

test('rejects other schemes, credentials, other ports and invalid URLs', () => {
  const { objection } = createGuardedFetch()
  assert.equal(objection('https://example.com/hooks?x=1'), null)
  assert.equal(objection('http://example.com:8080/'), null)
  assert.match(objection('ftp://example.com/')?.message ?? '', /must be an http or https URL/)
  assert.match(objection('file:///etc/passwd')?.message ?? '', /must be an http or https URL/)
  assert.match(objection('https://user@example.com/')?.message ?? '', /user name/)
  assert.match(objection('https://:word@example.com/')?.message ?? '', /user name/)
  assert.match(objection('https://example.com:22/')?.message ?? '', /port 22/)
  assert.match(objection('/hooks')?.message ?? '', /is not a valid URL/)
  assert.match(objection(`https://example.com/${'x'.repeat(3000)}`)?.message ?? '', /is not a valid URL/)
})

test('the operator can allow private hosts on all ports', async (t) => {
  const { port } = await listen(t, (_request, response) => response.end('inside'))
  const fetch = createGuardedFetch({ privateHosts: ['127.0.0.1:*', 'localhost:*'] })
  t.after(() => fetch[Symbol.asyncDispose]())
  assert.equal((await fetch.fetch(`http://localhost:${port}/`, SHORT)).status, 200)
})

test('rejects or cuts a response body that is larger than allowed', async (t) => {
  const { port } = await listen(t, (_request, response) => {
    const send = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    }
    response.on('drain', send)
    send()
  })
  const fetch = open(t, port)
  const url = `http://receiver.test:${port}/`
  await assert.rejects(fetch.fetch(url, SHORT), { kind: 'too_large' })
  assert.equal((await fetch.fetch(url, { ...SHORT, onLarger: 'cut' })).body.byteLength, 1000)
})

test('one timeout covers DNS resolution, a silent server and a slow body', async (t) => {
  const { port } = await listen(t, (request, response) => {
    if (request.url === '/body') response.write('x')
  })
  const never = new Promise<string[]>(() => undefined)
  const limit = { ...SHORT, timeoutMs: 100.5 } // the remainder of a time limit is not a whole number
  const fetch = open(t, port)
  await assert.rejects(fetch.fetch(`http://receiver.test:${port}/silent`, limit), { kind: 'timeout' })
  await assert.rejects(fetch.fetch(`http://receiver.test:${port}/body`, limit), { kind: 'timeout' })
  const lost = open(t, port, { resolve: () => never })
  await assert.rejects(lost.fetch(`http://receiver.test:${port}/`, limit), { kind: 'timeout' })
})

test("the caller's signal ends a fetch with its own reason", async (t) => {
  const stop = new AbortController()
  const reason = new Error('stopping')
  const { port } = await listen(t, () => stop.abort(reason))
  const ended = open(t, port).fetch(`http://receiver.test:${port}/`, { ...SHORT, signal: stop.signal })
  await assert.rejects(ended, (error) => error === reason)
})

test('a failed connection is reported by its error code only', async (t) => {
  const server = createTcpServer((socket) => socket.destroy()).listen(0, OUTSIDE)
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  await assert.rejects(open(t, port).fetch(`http://receiver.test:${port}/`, SHORT), {
    kind: 'failed',
    message: /^The connection failed \([A-Z_]+\)\.$/,
  })
  const missing = Object.assign(new Error('no such name in /etc/hosts'), { code: 'ENOTFOUND' })
  const lost = open(t, port, { resolve: () => Promise.reject(missing) })
  await assert.rejects(lost.fetch(`http://receiver.test:${port}/`, SHORT), {
    kind: 'failed',
    message: 'The host name does not exist (ENOTFOUND).',
  })
})
