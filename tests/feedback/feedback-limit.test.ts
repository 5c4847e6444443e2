import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiUnderTest, makeKey, startApi, withKey } from '../http/api-under-test.ts'
import { feedbackPath, makeSite, type Site } from './feedback-scene.ts'

/** Longer than 100 requests take on a busy machine. */
const SECONDS = 20
let api: ApiUnderTest
before(async () => {
  api = await startApi({ limits: { analytics: { count: 100, seconds: SECONDS } }, poolSize: 20 })
})
after(() => api[Symbol.asyncDispose]())

const ask = (site: Site, rest = '', key = site.key, init: RequestInit = {}) =>
  api.fetch(feedbackPath(site.projectId, rest), withKey(key, init))

test('the 101st request over all endpoints and keys is refused, and one after Retry-After is accepted', async () => {
  const site = await makeSite(api, 'limited')
  const second = await api.database.transaction((tx) => makeKey(tx, site.organizationId))
  const patch = {
    method: 'PATCH',
    body: '{"status":"resolved"}',
    headers: { Authorization: `Bearer ${site.key}`, 'Content-Type': 'application/json' },
  }
  const kinds = [
    () => ask(site),
    () => ask(site, '/by-page', second),
    () => ask(site, '/export'),
    () => ask(site, '?limit=0'),
    () => ask(site, '/fb_unknown', second),
    () => ask(site, '/fb_unknown', site.key, patch),
    () => ask(site, '?ids=x', site.key, patch),
  ]
  const first = await ask(site)
  assert.equal(first.headers.get('x-ratelimit-remaining'), '99')
  assert.equal(first.headers.get('ratelimit-policy'), `"analytics";q=100;w=${SECONDS}`)
  await Promise.all(Array.from({ length: 99 }, (_, i) => kinds[i % kinds.length]?.()))
  const refused = await ask(site, '?limit=0')
  assert.equal(refused.status, 429, 'the limit before the shape')
  assert.equal(refused.headers.get('x-ratelimit-remaining'), '0')
  await sleep(Number(refused.headers.get('retry-after')) * 1000)
  assert.equal((await ask(site)).status, 200)
})

test('requests answered with 401 or 403 do not count toward the limit', async () => {
  const site = await makeSite(api, 'uncounted')
  const elsewhere = await api.database.transaction((tx) =>
    makeKey(tx, site.organizationId, { allowList: ['203.0.113.7'] }),
  )
  assert.equal((await ask(site)).headers.get('x-ratelimit-remaining'), '99')
  assert.equal((await ask(site, '', elsewhere)).status, 403)
  assert.equal((await ask(site, '', 'oct_unknown')).status, 401)
  assert.equal((await ask(site)).headers.get('x-ratelimit-remaining'), '98')
})
