/**
 * Sends a request with every possible fault and fixes them one by one; each response is that of the next check:
 * key → scope and address → rate → shape → plan → existence → state.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ApiUnderTest,
  JOBS,
  jsonRequest,
  makeKey,
  makeTenant,
  startApi,
  startJob,
  withKey,
} from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({
    limits: { exportStarts: { count: 2, seconds: 3600 }, reads: { count: 40, seconds: 3600 } },
  })
})
after(() => api[Symbol.asyncDispose]())

test('an export start is checked for key, scope, address, rate, shape, plan and domain, in this order', async () => {
  const { organizationId, domain, key } = await makeTenant(api.database, {
    name: 'ordered',
    plan: 'enterprise',
  })
  const keys = await api.database.transaction(async (tx) => ({
    readOnly: await makeKey(tx, organizationId, { scopes: ['read'], allowList: ['203.0.113.7'] }),
    elsewhere: await makeKey(tx, organizationId, { allowList: ['203.0.113.7'] }),
  }))
  const setPlan = (plan: 'pro' | 'enterprise') =>
    api.database.queries.updateTable('organizations').set({ plan }).where('id', '=', organizationId).execute()
  const ask = async (body: string, asker: string) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
    const response = await api.fetch(JOBS, withKey(asker, init))
    return response.status
  }
  const good = JSON.stringify({ domain })
  for (let i = 0; i < 2; i++) assert.equal(await ask(good, key), 202)
  await setPlan('pro')

  const wrong = '{"domain":'
  assert.equal(await ask(wrong, 'oct_unknown'), 401)
  assert.equal(await ask(wrong, keys.readOnly), 403, 'scope before rate')
  assert.equal(await ask(wrong, keys.elsewhere), 403, 'address before rate')
  assert.equal(await ask(wrong, key), 429, 'rate before shape')
  await api.database.queries.deleteFrom('rate_hits').execute()
  assert.equal(await ask(wrong, key), 400, 'shape before plan')
  assert.equal(await ask('{"domain":5}', key), 400, 'shape before plan')
  assert.equal(await ask('{"domain":"https://x.example.com"}', key), 400, 'shape before plan')
  assert.equal(await ask('{"domain":"nobody.example.com"}', key), 403, 'plan before existence')
  await setPlan('enterprise')
  assert.equal(await ask('{"domain":"nobody.example.com"}', key), 400)
  assert.equal(await ask(good, key), 202)
})

test('a bundle request is checked for shape, existence and job state, in this order', async () => {
  const jobId = await startJob(api, api.acme)
  const ask = async (id: string, body: unknown) => {
    const response = await api.fetch(`${JOBS}/${id}/bundle`, jsonRequest('POST', api.acme.key, body))
    return response.status
  }
  assert.equal(await ask('se_missing', { x: 1 }), 400, 'shape before existence')
  assert.equal(await ask('se_missing', {}), 404, 'existence before state')
  assert.equal(await ask(jobId, {}), 409)
  await api.completeExport(jobId, Buffer.from('archive'))
  assert.equal(await ask(jobId, {}), 200)
})

test('invalid reads count against the rate limit, and forbidden ones do not', async () => {
  const { key, organizationId } = await makeTenant(api.database, { name: 'reader', plan: 'enterprise' })
  const elsewhere = await api.database.transaction((tx) =>
    makeKey(tx, organizationId, { allowList: ['203.0.113.7'] }),
  )
  const left = async (path: string, asker: string) => {
    const response = await api.fetch(path, withKey(asker))
    return [response.status, response.headers.get('x-ratelimit-remaining')]
  }
  assert.deepEqual(await left(JOBS, key), [200, '39'])
  assert.deepEqual(await left(`${JOBS}?limit=no`, key), [400, '38'])
  assert.deepEqual(await left(`${JOBS}/se_missing`, key), [404, '37'])
  assert.deepEqual(await left(JOBS, elsewhere), [403, null])
  assert.deepEqual(await left(JOBS, key), [200, '36'])
})
