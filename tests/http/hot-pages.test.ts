/** The hot path for cached pages behaves like the regular path. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { HotResponse } from '../../src/features/hosting/serve/hot-pages.ts'
import type { SiteRequest } from '../../src/features/hosting/serve/site-request.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'
import { recordLog } from './recorded-log.ts'

/** More than the system buffers for a slow reader. */
const BODY = Buffer.alloc(16 << 20, 'page ')
const HEADERS = { 'content-type': 'text/html', 'content-length': String(BODY.length) }
const log = recordLog()
const asked: { hot: SiteRequest[]; long: SiteRequest[] } = { hot: [], long: [] }
let isHot = false
let api: ApiUnderTest

before(async () => {
  api = await startApi({
    log,
    trustedProxies: 2,
    publicUrl: 'https://octavo.example.com',
    sites: {
      handle: async (one) => {
        asked.long.push(one)
        return { status: 200, headers: HEADERS, body: one.method === 'HEAD' ? null : BODY }
      },
      answerHot(one): HotResponse | null {
        asked.hot.push(one)
        return isHot ? { status: 200, headers: HEADERS, body: one.method === 'HEAD' ? null : BODY } : null
      },
    },
  })
})
after(() => api[Symbol.asyncDispose]())
beforeEach(() => {
  asked.hot.length = 0
  asked.long.length = 0
  isHot = false
})

async function ask(path: string, headers: Record<string, string>, method = 'GET') {
  const sent = request({ host: '127.0.0.1', port: api.port, path, method, headers }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const body = Buffer.concat(await answer.toArray())
  const { date: _, 'x-request-id': id, ...told } = answer.headers
  assert.match(String(id), /^req_/)
  return { status: answer.statusCode, headers: told, body, id: String(id) }
}

const HOST = { Host: 'docs.example.com' }
const REQUESTS: [path: string, headers: Record<string, string>, method?: string][] = [
  ['/', HOST],
  ['/a?b=c&d', { Host: 'DOCS.Example.com:8443', Accept: 'text/markdown', 'Accept-Encoding': 'br' }],
  ['/%61/../b//c', { Host: 'docs.example.com.', 'If-None-Match': 'W/"x", "y"', 'User-Agent': 'bot' }],
  ['/a', { ...HOST, Range: 'bytes=0-1', 'If-Range': '"x"' }, 'HEAD'],
  ['/a', { ...HOST, 'X-Forwarded-Host': 'first.example.com, Second.example.com:99' }],
  ['/a', { ...HOST, 'X-Forwarded-Host': '' }],
  ['/a', { ...HOST, 'X-Forwarded-For': '1.1.1.1' }],
  ['/a', { ...HOST, 'X-Forwarded-For': ' 9.9.9.9 ,2.2.2.2,,  1.1.1.1\t' }],
  ['/a', { ...HOST, 'X-Forwarded-For': ', ,' }],
  ['http://other.example.com/a', HOST],
  ['/mcp', { ...HOST, Accept: 'text/html' }],
]

test('the hot path passes the same request to a site as the regular path', async () => {
  for (const [path, headers, method] of REQUESTS) await ask(path, headers, method)
  assert.equal(asked.long.length, REQUESTS.length)
  assert.deepEqual(asked.hot, asked.long)
  assert.equal(asked.long[4]?.host, 'second.example.com')
  assert.equal(asked.long[7]?.address, '2.2.2.2')
})

test('requests that are not for a site do not reach the hot path', async () => {
  isHot = true
  await ask('/healthz', { Host: 'octavo.example.com' })
  await ask('/healthz', { Host: 'LOCALHOST:1' })
  await ask('/mcp', HOST)
  await ask('/_octavo/mcp', { ...HOST, Accept: 'text/html' })
  await ask('/_octavo/feedback', HOST)
  await ask('/a', HOST, 'OPTIONS')
  await ask('/a', { ...HOST, 'Content-Length': '0' })
  const twice = connect(api.port, '127.0.0.1')
  twice.end(
    'GET /a HTTP/1.1\r\nHost: docs.example.com\r\nHost: other.example.com\r\nConnection: close\r\n\r\n',
  )
  assert.match(String((await twice.toArray())[0]), /^HTTP\/1.1 400 /)
  assert.deepEqual(asked.hot, [])
})

test('the hot path sends the same headers and logs the same line as the regular path', async () => {
  const answers = []
  for (const way of [false, true]) {
    isHot = way
    for (const method of ['GET', 'HEAD']) answers.push(await ask('/a?secret=1', HOST, method))
  }
  assert.equal(asked.long.length, 2)
  const [get, head, hotGet, hotHead] = answers.map(({ id: _, ...answer }) => answer)
  assert.deepEqual([hotGet, hotHead], [get, head])
  assert.equal(get?.headers['strict-transport-security'], 'max-age=31536000')
  assert.equal(get?.body.length, BODY.length)
  assert.equal(head?.body.length, 0)
  await delay(50)
  const [long, hot] = [answers[0], answers[2]].map((answer) => {
    const line = log.lines.find(({ requestId }) => requestId === answer?.id)
    assert.ok(line)
    const { requestId: _, ms, ...rest } = line
    assert.equal(typeof ms, 'number')
    return rest
  })
  assert.deepEqual(hot, long)
})

test('an early disconnect is logged as aborted, and a slow reader gets the whole response during shutdown', async () => {
  isHot = true
  const leaving = connect(api.port, '127.0.0.1')
  leaving.write('GET /left HTTP/1.1\r\nHost: docs.example.com\r\n\r\n')
  await once(leaving, 'data')
  leaving.destroy()
  const slow = connect(api.port, '127.0.0.1')
  slow.write('GET /slow HTTP/1.1\r\nHost: docs.example.com\r\n\r\n')
  await once(slow, 'readable')
  const closed = api.server.close()
  let bytes = 0
  for await (const chunk of slow) bytes += chunk.length
  assert.ok(bytes > BODY.length, 'the answer was cut')
  await closed
  const line = log.lines.find(({ path }) => path === '/left')
  assert.deepEqual([line?.event, line?.status], ['http.aborted', null])
})
