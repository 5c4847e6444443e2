/** Allowed origins of feedback: the site's own pages by host name, and pages of its domains by site id. */
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, before, test } from 'node:test'
import { type ApiUnderTest, startApi } from '../http/api-under-test.ts'
import { makeSite, readPage, type Site, say } from './feedback-scene.ts'

let api: ApiUnderTest
let site: Site
before(async () => {
  api = await startApi({
    sites: { handle: async () => ({ status: 200, headers: {}, body: 'a file of the site' }) },
  })
  site = await makeSite(api, 'docs')
  await api.database.queries
    .insertInto('project_domains')
    .values(
      ['docs.localhost', 'help.example.net'].map((domain) => ({
        domain,
        project_id: site.projectId,
        state: 'served' as const,
      })),
    )
    .execute()
})
after(() => api[Symbol.asyncDispose]())

const vote = { path: '/a', helpful: true }

test('allows cross-origin requests from the domains of the project, with exact CORS headers', async () => {
  for (const origin of [
    'https://docs.example.com',
    'https://help.example.net',
    'http://docs.localhost:8080',
    'https://docs.localhost',
  ]) {
    const response = await say(api, site, vote, { Origin: origin })
    assert.equal(response.status, 201, origin)
    assert.equal(response.headers.get('access-control-allow-origin'), origin)
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /Octavo-Challenge/)
    assert.equal(response.headers.get('access-control-allow-credentials'), null)
    assert.equal(response.headers.get('vary'), 'Origin')
  }
})

test('error responses have CORS headers for the domains of the project', async () => {
  const response = await say(api, site, {}, { Origin: 'https://docs.example.com' })
  assert.deepEqual(
    [response.status, response.headers.get('access-control-allow-origin')],
    [400, 'https://docs.example.com'],
  )
})

test('returns 403 without CORS headers for any other origin', async () => {
  for (const origin of [
    'null',
    'https://evil.example',
    'https://docs.example.com.evil.example',
    'https://evil.docs.example.com',
    'http://docs.example.com',
    'https://docs.example.com:8443',
    'https://docs.example.com/',
    'https://DOCS.example.com',
    'https://localhost',
    'file://',
    '*',
  ]) {
    const response = await say(api, site, vote, { Origin: origin })
    assert.equal(response.status, 403, origin)
    assert.equal(response.headers.get('access-control-allow-origin'), null)
    assert.equal(response.headers.get('vary'), 'Origin')
  }
})

test('returns 403 for the domain of another project', async () => {
  await makeSite(api, 'elsewhere')
  assert.equal((await say(api, site, vote, { Origin: 'https://elsewhere.example.com' })).status, 403)
})

test('accepts a request without an Origin header', async () => {
  const response = await say(api, site, { path: '/a', feedback: 'curl says hello' })
  assert.equal(response.status, 201)
  assert.equal(response.headers.get('access-control-allow-origin'), null)
})

test('allows preflight requests only from the domains of the project', async () => {
  const preflight = (origin: string, siteId = site.siteId) =>
    api.fetch(`/_octavo/sites/${siteId}/feedback`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    })
  const allowed = await preflight('https://docs.example.com')
  assert.equal(allowed.status, 204)
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://docs.example.com')
  assert.equal(allowed.headers.get('access-control-allow-methods'), 'POST, DELETE')
  assert.equal(allowed.headers.get('access-control-allow-headers'), 'Content-Type, Idempotency-Key')
  assert.equal(allowed.headers.get('access-control-allow-credentials'), null)
  const ask = async (origin: string, siteId?: string) => {
    const response = await fetch(`${api.url}/_octavo/sites/${siteId ?? site.siteId}/feedback`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    })
    return [response.status, response.headers.get('access-control-allow-origin')]
  }
  assert.deepEqual(await ask('https://evil.example'), [403, null])
  assert.deepEqual(await ask('null'), [403, null])
  assert.deepEqual(await ask('https://docs.example.com', 'site_unknown'), [404, null])
})

/** Sends a request like a browser on the hosted site with that host name. */
async function onHost(
  host: string,
  path: string,
  {
    method = 'POST',
    body = vote as unknown,
    origin,
  }: { method?: string; body?: unknown; origin?: string } = {},
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const headers = { host, 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) }
  const request = httpRequest({ port: api.port, host: '127.0.0.1', path, method, headers }, (response) => {
    const pieces: Buffer[] = []
    response.on('data', (piece: Buffer) => pieces.push(piece))
    response.once('end', () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') }),
    )
  })
  request.once('error', reject)
  request.end(method === 'GET' ? undefined : JSON.stringify(body))
  return promise
}

test('a hosted site finds the project by host name, and serves other paths below /_octavo as files', async () => {
  const hosted = await makeSite(api, 'hosted')
  const accepted = await onHost('hosted.example.com', '/_octavo/feedback', {
    origin: 'https://hosted.example.com',
  })
  assert.equal(accepted.status, 201)
  const { id } = JSON.parse(accepted.text)
  assert.equal((await readPage(api, hosted)).feedback[0]?.id, id)
  for (const path of [
    '/_octavo/site.css',
    '/_octavo/feedback/x',
    `/_octavo/sites/${site.siteId}/feedback`,
    '/feedback',
  ])
    assert.equal((await onHost('hosted.example.com', path, { method: 'GET' })).text, 'a file of the site')
  assert.equal((await onHost('hosted.example.com', '/_octavo/feedback', { method: 'GET' })).status, 405)
})

test('a hosted site accepts requests from its own origin, and rejects other hosts and ports', async () => {
  await makeSite(api, 'own')
  const from = async (origin: string, host = 'own.example.com') =>
    (await onHost(host, '/_octavo/feedback', { origin })).status
  assert.equal(await from('http://own.example.com:4000', 'own.example.com:4000'), 201)
  assert.equal(await from('http://own.example.com'), 201)
  assert.equal(await from('https://evil.example'), 403)
  assert.equal(await from('null'), 403)
  assert.equal(await from('http://own.example.com:4001', 'own.example.com:4000'), 403)
})

test('returns 404 for feedback to an unknown host', async () => {
  assert.equal((await onHost('nobody.example.com', '/_octavo/feedback')).status, 404)
})
