/** One effect per Idempotency-Key: in parallel, repeated, with another body and at the rate limit. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiUnderTest, JOBS, jsonRequest, makeTenant, startApi, type Tenant } from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({ limits: { exportStarts: { count: 3, seconds: 3600 } } })
})
after(() => api[Symbol.asyncDispose]())

const start = (tenant: Tenant, key: string, body: object = {}) =>
  api.fetch(
    JOBS,
    jsonRequest('POST', tenant.key, { domain: tenant.domain, ...body }, { 'Idempotency-Key': key }),
  )

async function jobsOf(tenant: Tenant): Promise<number> {
  const { count } = await api.database.queries
    .selectFrom('static_exports')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', tenant.organizationId)
    .executeTakeFirstOrThrow()
  return count
}

test('1,000 parallel calls with one key create exactly one job and count once', async () => {
  const tenant = await makeTenant(api.database, { name: 'parallel', plan: 'enterprise' })
  const responses = await Promise.all(Array.from({ length: 1000 }, () => start(tenant, 'one key')))
  assert.equal(await jobsOf(tenant), 1)

  const accepted = responses.filter(({ status }) => status === 202)
  const busy = responses.filter(({ status }) => status === 409)
  assert.equal(accepted.length + busy.length, 1000)
  assert.equal(accepted.filter(({ headers }) => !headers.has('idempotent-replayed')).length, 1)
  assert.equal(new Set(await Promise.all(accepted.map((response) => response.text()))).size, 1)

  const after = await start(tenant, 'one key')
  assert.equal(after.headers.get('x-ratelimit-remaining'), '2')
})

test('parallel calls with one key on two servers create one job', async () => {
  await using second = await startApi({ beside: api })
  const tenant = await makeTenant(api.database, { name: 'twofold', plan: 'enterprise' })
  const init = jsonRequest('POST', tenant.key, { domain: tenant.domain }, { 'Idempotency-Key': 'k' })
  const servers = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? api : second))
  const responses = await Promise.all(servers.map((server) => server.fetch(JOBS, init)))
  assert.equal(await jobsOf(tenant), 1)
  const first = responses.filter(
    ({ status, headers }) => status === 202 && !headers.has('idempotent-replayed'),
  )
  assert.equal(first.length, 1)
  assert.ok(responses.every(({ status }) => status === 202 || status === 409))
})

test('a repeated call returns the first response byte for byte, marked as replayed', async () => {
  const tenant = await makeTenant(api.database, { name: 'repeated', plan: 'enterprise' })
  const first = await start(tenant, 'k')
  assert.equal(first.headers.get('idempotent-replayed'), null)
  const again = await start(tenant, 'k')
  assert.equal(again.status, 202)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.headers.get('location'), first.headers.get('location'))
  assert.equal(await again.text(), await first.text())
})

test('the same key with another body returns 422, and another caller can use the same key', async () => {
  const tenant = await makeTenant(api.database, { name: 'differing', plan: 'enterprise' })
  assert.equal((await start(tenant, 'k')).status, 202)
  assert.equal((await start(tenant, 'k', { version: 'other' })).status, 422)
  assert.equal((await start(api.other, 'k')).headers.get('idempotent-replayed'), null)
  assert.equal(await jobsOf(tenant), 1)
})

test('a rejected call leaves its key unused', async () => {
  const tenant = await makeTenant(api.database, { name: 'mended', plan: 'pro' })
  assert.equal((await start(tenant, 'k')).status, 403)
  await api.database.queries
    .updateTable('organizations')
    .set({ plan: 'enterprise' })
    .where('id', '=', tenant.organizationId)
    .execute()
  const mended = await start(tenant, 'k')
  assert.deepEqual([mended.status, mended.headers.has('idempotent-replayed')], [202, false])
})

test('at the rate limit a repeated call is replayed and any new call gets 429', async () => {
  const tenant = await makeTenant(api.database, { name: 'full', plan: 'enterprise' })
  for (const key of ['a', 'b', 'c']) assert.equal((await start(tenant, key)).status, 202)
  const repeated = await start(tenant, 'a')
  assert.deepEqual([repeated.status, repeated.headers.get('idempotent-replayed')], [202, 'true'])
  assert.equal((await start(tenant, 'd')).status, 429)
  assert.equal((await start(tenant, 'd', { nonsense: true })).status, 429)
  const malformed = await api.fetch(JOBS, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tenant.key}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'e',
    },
    body: '{',
  })
  assert.equal(malformed.status, 429)
})

test('a key that is empty or longer than 255 characters is refused', async () => {
  for (const key of ['', 'x'.repeat(256)]) {
    const response = await start(api.acme, key)
    assert.equal(response.status, 400)
    assert.match(await response.text(), /Idempotency-Key/)
  }
  assert.equal((await start(api.acme, 'x'.repeat(255))).status, 202)
})

test('the same key with another query is a different request and returns 422', async () => {
  const setAll = (query: string) => {
    const init = jsonRequest('PATCH', api.acme.key, { status: 'resolved' }, { 'Idempotency-Key': 'filters' })
    return api.fetch(`/v1/analytics/${api.acme.projectId}/feedback?${query}`, init)
  }
  assert.equal((await setAll('status=pending')).status, 200)
  assert.equal((await setAll('status=dismissed')).status, 422)
  const again = await setAll('status=pending')
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'])
})
