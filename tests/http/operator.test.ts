/** Requests signed by the operator: when they are accepted without a key, and for which organization. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { signRequest } from '../../src/base/operator-proof.ts'
import { type ApiUnderTest, SECRET, startApi } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

const LIST = '/internal/operator/organizations'

async function get(
  path: string,
  headers: Record<string, string> = {},
  proof = signRequest(SECRET, { method: 'GET', target: path, port: api.port }),
  from = '127.0.0.1',
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  // `from` may be another address of the same machine.
  const options = { port: api.port, path, localAddress: from, headers: { ...headers, Authorization: proof } }
  request({ host: '127.0.0.1', ...options }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0))
  })
    .on('error', reject)
    .end()
  return await promise
}

test('a signed operator request from the same machine is accepted only once', async () => {
  const proof = signRequest(SECRET, { method: 'GET', target: LIST, port: api.port })
  assert.equal(await get(LIST, {}, proof), 200)
  assert.equal(await get(LIST, {}, proof), 401)
})

const REFUSED: [name: string, ask: () => Promise<number>][] = [
  ['another key', () => get(LIST, {}, signRequest('x', { method: 'GET', target: LIST, port: api.port }))],
  ['another path', () => get(LIST, {}, signRequest(SECRET, { method: 'GET', target: '/', port: api.port }))],
  ['another port', () => get(LIST, {}, signRequest(SECRET, { method: 'GET', target: LIST, port: 1 }))],
  ['a proxy', () => get(LIST, { 'X-Forwarded-For': '127.0.0.1' })],
  ['another proxy', () => get(LIST, { Via: '1.1 proxy' })],
  ['another address', () => get(LIST, {}, undefined, '127.0.0.2')],
  ['a public operation', () => get('/v1/webhooks', {}, 'Octavo-Operator 1.2.3')],
]
for (const [name, ask] of REFUSED)
  test(`an operator signature is refused: ${name}`, async () => assert.equal(await ask(), 401))

test('without an organization, the operator reaches only resources named by the path or server-wide ones', async () => {
  const { organizationId, projectId } = api.acme
  assert.equal(await get('/v1/webhooks'), 404)
  assert.equal(await get('/v1/webhooks', { 'Octavo-Organization': 'org_none' }), 404)
  assert.equal(await get('/v1/webhooks', { 'Octavo-Organization': organizationId }), 200)
  assert.equal(await get(`/internal/projects/${projectId}`), 200)
  const other = { 'Octavo-Organization': api.other.organizationId }
  assert.equal(await get(`/internal/projects/${projectId}`, other), 404)
})
