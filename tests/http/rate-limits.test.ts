/** Rate limits over HTTP: shared windows, what counts, and the response headers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ApiUnderTest,
  JOBS,
  jsonRequest,
  makeKey,
  makeTenant,
  startApi,
  withKey,
} from './api-under-test.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({
    limits: {
      exportStarts: { count: 3, seconds: 2 },
      reads: { count: 5, seconds: 60 },
      failedKeys: { count: 4, seconds: 60 },
    },
  })
})
after(() => api[Symbol.asyncDispose]())

test('accepts as many of 30 parallel starts as the limit allows, across all keys of the organization', async () => {
  // The window is long enough that no start expires while others are in flight.
  await using api = await startApi({ limits: { exportStarts: { count: 3, seconds: 600 } } })
  const { organizationId, domain, key } = await makeTenant(api.database, {
    name: 'burst',
    plan: 'enterprise',
  })
  const second = await api.database.transaction((tx) => makeKey(tx, organizationId))
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      api.fetch(JOBS, jsonRequest('POST', i % 2 ? key : second, { domain })),
    ),
  )
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(3).fill(202), ...Array(27).fill(429)])
})

test('accepts a start after waiting the number of seconds in Retry-After', async () => {
  const { domain, key } = await makeTenant(api.database, { name: 'patient', plan: 'enterprise' })
  const start = () => api.fetch(JOBS, jsonRequest('POST', key, { domain }))
  for (let round = 0; round < 2; round++) {
    let refused = await start()
    while (refused.status === 202) refused = await start()
    assert.equal(refused.status, 429)
    assert.deepEqual(await refused.json(), {
      error: 'Rate limit exceeded. Wait for the number of seconds in Retry-After.',
      code: 'rate_limited',
    })
    await sleep(Number(refused.headers.get('retry-after')) * 1000)
    assert.equal((await start()).status, 202)
  }
})

test('project updates and automation triggers share a window, and a refused trigger uses no slot of another window', async () => {
  await using api = await startApi({
    limits: {
      projectUpdates: { count: 2, seconds: 600 },
      agentJobs: { count: 2, seconds: 600 },
    },
  })
  const { projectId, key } = api.acme
  const ask = (path: string) => api.fetch(path, withKey(key, { method: 'POST' }))
  const update = `/v1/project/update/${projectId}`
  const trigger = `/v1/workflow/${projectId}/aut_none0/trigger`
  const statuses: number[] = []
  for (const path of [update, trigger, update, trigger]) statuses.push((await ask(path)).status)
  assert.deepEqual(statuses, [202, 404, 429, 429])
  const refused = await ask(trigger)
  assert.match(refused.headers.get('ratelimit-policy') ?? '', /^"projectUpdates";q=2/)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
})

test('invalid export starts do not count against the rate limit', async () => {
  const { domain, key } = await makeTenant(api.database, { name: 'clumsy', plan: 'enterprise' })
  for (let i = 0; i < 6; i++) {
    const response = await api.fetch(JOBS, jsonRequest('POST', key, { domain: 5 }))
    assert.deepEqual([response.status, response.headers.get('x-ratelimit-remaining')], [400, '3'])
  }
  assert.equal((await api.fetch(JOBS, jsonRequest('POST', key, { domain }))).status, 202)
})

test('reads are limited per key, and the rate limit headers count down', async () => {
  const { organizationId, key } = await makeTenant(api.database, { name: 'counted', plan: 'enterprise' })
  for (const left of [4, 3, 2, 1, 0]) {
    const { status, headers } = await api.fetch(JOBS, withKey(key))
    assert.equal(status, 200)
    assert.equal(headers.get('ratelimit-policy'), '"reads";q=5;w=60')
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"reads";r=${left};t=(?:[45]\\d|60)$`))
    assert.equal(headers.get('x-ratelimit-limit'), '5')
    assert.equal(headers.get('x-ratelimit-remaining'), String(left))
  }
  const refused = await api.fetch(JOBS, withKey(key))
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) <= 60)
  const other = await api.database.transaction((tx) => makeKey(tx, organizationId))
  assert.equal((await api.fetch(JOBS, withKey(other))).status, 200)
})

test('invalid keys are rate limited by address, and a valid key from the same address still passes', async () => {
  const guess = async () => (await api.fetch(JOBS, withKey('oct_guess'))).status
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push(await guess())
  assert.deepEqual(statuses, [401, 401, 401, 401, 429, 429])
  assert.equal((await api.fetch(JOBS)).status, 401, 'a request without a key is no guess')
  assert.equal((await api.fetch(JOBS, withKey(api.acme.key))).status, 200)
})
