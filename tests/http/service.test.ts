/** Everything around the API: health checks, OpenAPI documents, sites by host name, logs, headers and failures. */
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import type { SiteRequest } from '../../src/features/hosting/serve/site-request.ts'
import { OPERATIONS } from '../../src/features/operations.ts'
import { checkDescription } from '../kit/openapi-check.ts'
import { until } from '../kit/until.ts'
import { type ApiUnderTest, JOBS, jsonRequest, makeKey, startApi, withKey } from './api-under-test.ts'
import { startDatabaseProxy } from './database-proxy.ts'
import { recordLog } from './recorded-log.ts'

const log = recordLog()
const siteRequests: SiteRequest[] = []
let readiness = { ok: true, parts: { database: 'ok' } as Record<string, string> }
let api: ApiUnderTest
before(async () => {
  api = await startApi({
    log,
    trustedProxies: 1,
    isReady: async () => readiness,
    sites: {
      async handle(request) {
        siteRequests.push(request)
        if (request.host !== 'docs.example.com') return null
        return { status: 200, headers: { 'content-type': 'text/html', 'content-length': '4' }, body: 'site' }
      },
    },
  })
})
after(() => api[Symbol.asyncDispose]())

/** Sends a custom Host header, which fetch does not allow. */
function ask(
  host: string,
  path: string,
  method = 'GET',
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof ask>>>()
  httpRequest(
    { host: '127.0.0.1', port: api.port, path, method, headers: { Host: host } },
    async (response) => {
      const chunks = await Array.fromAsync(response)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        text: Buffer.concat(chunks).toString(),
      })
    },
  )
    .on('error', reject)
    .end()
  return promise
}

test('serves the JSON schema of docs.json at /schema/docs.json', async () => {
  const response = await api.fetch('/schema/docs.json')
  assert.equal(response.status, 200)
  const schema = await response.json()
  assert.deepEqual(schema.required, ['theme', 'name', 'colors', 'navigation'])
  assert.ok(schema.definitions.group.properties.pages)
})

test('each OpenAPI document is valid 3.1, and /openapi.json names every operation', async () => {
  const whole = await (await api.fetch('/openapi.json')).json()
  await checkDescription(whole)
  const ids = Object.values(whole.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
    (item) => Object.values(item).map(({ operationId }) => operationId),
  )
  for (const id of Object.keys(OPERATIONS)) assert.ok(ids.includes(id), id)
  for (const part of ['static-export', 'analytics', 'agent']) {
    const description = await (await api.fetch(`/openapi/${part}.json`)).json()
    await checkDescription(description)
    assert.equal(description.info.version, '1.0.0')
  }
  assert.equal((await api.fetch('/openapi/nothing.json')).status, 404)
})

test('a draining server still answers and closes each connection after the response', async () => {
  await using draining = await startApi({})
  const ask = (path: string) =>
    fetch(`${draining.url}${path}`, { headers: { Authorization: `Bearer ${draining.acme.key}` } })
  const path = '/v1/static-export/jobs'
  assert.notEqual((await ask(path)).headers.get('connection'), 'close')
  draining.server.drain()
  for (const each of [path, '/healthz', '/no/such/page']) {
    const answer = await ask(each)
    assert.ok(answer.status === 200 || each.startsWith('/no'), `${each} ${answer.status}`)
    assert.equal(answer.headers.get('connection'), 'close', each)
  }
})

test('/readyz returns 503 and names the failing part', async () => {
  assert.equal((await api.fetch('/healthz')).status, 200)
  assert.equal((await api.fetch('/readyz')).status, 200)
  readiness = { ok: false, parts: { database: 'cannot be reached' } }
  const response = await api.fetch('/readyz')
  assert.equal(response.status, 503)
  assert.deepEqual(await response.json(), readiness)
  readiness = { ok: true, parts: { database: 'ok' } }
})

test('API responses carry security headers and set no cookie', async () => {
  const { headers } = await api.fetch(JOBS, withKey(api.acme.key))
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.equal(headers.get('set-cookie'), null)
})

test('ignores a request id sent by the client and generates its own', async () => {
  const { headers } = await api.fetch(JOBS, withKey(api.acme.key, { headers: { 'X-Request-Id': 'theirs' } }))
  assert.match(headers.get('x-request-id') ?? '', /^req_/)
})

test('the host name of a site serves the site for every path and port', async () => {
  for (const [host, path] of [
    ['docs.example.com', '/'],
    ['DOCS.example.com:8080', '/v1/static-export/jobs?x=1'],
    ['docs.example.com.', '/openapi.json'],
  ] as const) {
    const answer = await ask(host, path)
    assert.equal(`${answer.status} ${answer.text}`, '200 site')
    assert.equal(answer.headers['content-security-policy'], undefined)
    assert.equal(siteRequests.at(-1)?.host, 'docs.example.com')
    assert.equal(siteRequests.at(-1)?.target, path)
  }
  const head = await ask('docs.example.com', '/', 'HEAD')
  assert.deepEqual([head.text, head.headers['content-length']], ['', '4'])
})

test('any other host name serves the API, and local host names are not looked up as sites', async () => {
  siteRequests.length = 0
  for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:80']) {
    assert.equal((await ask(host, '/healthz')).status, 200)
  }
  assert.deepEqual(siteRequests, [])
  assert.equal((await ask('unknown.example.com', '/healthz')).status, 200)
  assert.equal(siteRequests.length, 1)
})

test('logs each request as one line without the key or secrets of the query', async () => {
  const line = log.next('http.request', ({ route }) => route === JOBS)
  const response = await api.fetch(`${JOBS}?limit=5&secret=hidden`, withKey(api.acme.key))
  const { requestId, method, status, path, address, ms, organizationId, code } = await line
  assert.deepEqual(
    { requestId, method, status, path, address, organizationId, code },
    {
      address: '127.0.0.1',
      requestId: response.headers.get('x-request-id'),
      method: 'GET',
      status: 400,
      path: JOBS,
      organizationId: api.acme.organizationId,
      code: 'invalid_request',
    },
  )
  assert.equal(typeof ms, 'number')
  const linked = log.next('http.request', ({ path: target }) => String(target).startsWith('/_octavo/'))
  await api.fetch('/_octavo/objects/a/b?expires=1&filename=f&signature=hidden')
  await linked
  const text = JSON.stringify(log.lines)
  for (const secret of ['hidden', api.acme.key]) assert.equal(text.includes(secret), false)
})

test('behind a trusted proxy the caller address is the last one in X-Forwarded-For', async () => {
  const key = await api.database.transaction((tx) =>
    makeKey(tx, api.acme.organizationId, { allowList: ['203.0.113.7'] }),
  )
  const from = async (chain: string) => {
    const init = withKey(key, { headers: { 'X-Forwarded-For': chain } })
    return (await api.fetch(JOBS, init)).status
  }
  assert.equal(await from('203.0.113.7'), 200)
  assert.equal(
    await from('203.0.113.7, 198.51.100.1'),
    403,
    'what stands before the last hop is only claimed',
  )
})

test('an internal failure returns only a generic 500 and is logged with the request id', async () => {
  await api.database.queries.schema.alterTable('static_exports').renameTo('moved_away').execute()
  const line = log.next('http.failed')
  const response = await api.fetch(JOBS, withKey(api.acme.key))
  await api.database.queries.schema.alterTable('moved_away').renameTo('static_exports').execute()
  assert.equal(response.status, 500)
  assert.deepEqual(await response.json(), { error: 'Internal server error', code: 'internal' })
  assert.equal((await line).requestId, response.headers.get('x-request-id'))
})

test('a client that disconnects while sending is logged as aborted and not as a failure', async () => {
  const gone = log.next('http.aborted')
  const failures = log.lines.filter(({ event }) => event === 'http.failed').length
  const socket = connect(api.port, '127.0.0.1', () => {
    const head = `POST ${JOBS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.acme.key}\r\n`
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"domain`)
    setTimeout(() => socket.destroy(), 300)
  })
  await gone
  // A later request, so that everything the first one logged has been written.
  await api.fetch(JOBS, withKey(api.acme.key))
  assert.deepEqual(log.lines.filter(({ event }) => event === 'http.failed').slice(failures), [])
})

test('the OpenAPI document describes responses sent before routing, and malformed paths return 400', async () => {
  const { paths } = await (await api.fetch('/openapi.json')).json()
  for (const [path, item] of Object.entries(paths as Record<string, Record<string, { responses: object }>>))
    for (const [method, { responses }] of Object.entries(item))
      for (const status of path.includes('{') ? ['400', '408', '431'] : ['408', '431'])
        assert.ok(status in responses, `${method} ${path} does not describe ${status}`)
  for (const path of ['/reviews/aj_1/%E0%A4', '/openapi/%ZZ.json', '/_octavo/objects/%C3%28?expires=1'])
    assert.equal((await fetch(api.url + path)).status, 400, path)
})

/** Sends raw text and returns everything received until the server closes the connection. */
function answerTo(words: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(api.port, '127.0.0.1', () => socket.write(words))
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('close', () => resolve(text))
  return promise
}

test('malformed HTTP and missing or duplicate Host headers return 400 in the error shape', async () => {
  const get = 'GET /healthz HTTP/1.1\r\nConnection: close\r\n'
  const two = 'Host: localhost\r\nhost: docs.example.com\r\n\r\n'
  for (const words of ['NOT HTTP AT ALL\r\n\r\n', `${get}\r\n`, get + two, get.replace('1.1', '1.0') + two])
    assert.match(
      await answerTo(words),
      /^HTTP\/1\.1 400 .*X-Request-Id: req_.*\{"error":"[^"]+","code":"malformed_http"[^\n]*\}$/is,
    )
})

test('ignores an unknown Expect header', async () => {
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\nConnection: close\r\n\r\n'
  assert.match(await answerTo(request), /^HTTP\/1\.1 200 /)
})

test('on shutdown, requests in flight are answered and new ones are refused', async () => {
  const stopping = await startApi({ beside: api })
  // The row is locked, so that the request is still running when the server stops.
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = api.database.transaction(async (tx) => {
    const project = tx.selectFrom('projects').select('id').where('id', '=', api.acme.projectId)
    await project.forUpdate().executeTakeFirstOrThrow()
    held.resolve()
    await release.promise
  })
  await held.promise
  const answer = stopping.fetch(JOBS, jsonRequest('POST', api.acme.key, { domain: api.acme.domain }))
  await waitingForLock(api)
  const closed = stopping[Symbol.asyncDispose]()
  await assert.rejects(fetch(`${stopping.url}/healthz`))
  release.resolve()
  await holding
  assert.equal((await answer).status, 202)
  await closed
})

/** Resolves when a statement is waiting for a lock. */
async function waitingForLock({ database }: ApiUnderTest): Promise<void> {
  const waiting =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
  await until(async () => (await database.pool.query(waiting)).rowCount !== 0)
}

test('an unreachable database returns 503 without revealing its address', async () => {
  await using proxy = await startDatabaseProxy(api.database.url)
  await using distant = await startApi({ beside: api, databaseUrl: proxy.url })
  const read = () => distant.fetch(JOBS, withKey(api.acme.key))
  const start = () => distant.fetch(JOBS, jsonRequest('POST', api.acme.key, { domain: api.acme.domain }))
  assert.equal((await read()).status, 200)
  await proxy.cut()
  for (const ask of [read, start, read]) {
    const response = await ask()
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '5')
    assert.deepEqual(await response.json(), {
      error: 'The database cannot be reached. Try again shortly.',
      code: 'database_unavailable',
    })
  }
})
