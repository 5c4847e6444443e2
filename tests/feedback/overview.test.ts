import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Queries } from '../../src/database/database.ts'
import { createOverviews } from '../../src/features/feedback/overview.ts'
import { type ApiUnderTest, startApi } from '../http/api-under-test.ts'
import { makeSite, putRows, type Site } from './feedback-scene.ts'

let api: ApiUnderTest
let clock = Date.now()
before(async () => {
  api = await startApi()
})
after(() => api[Symbol.asyncDispose]())

/** Every statement advances the test clock by `statementMs`. */
function overviewsAt(statementMs: number) {
  const queries = new Proxy(api.database.queries, {
    get(target, name) {
      if (name === 'executeQuery') clock += statementMs
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as Queries
  const overviews = createOverviews(queries, () => clock)
  return async (site: Site) => {
    const { open, newerInMs } = await overviews.get(site, 30)
    return { pending: open.pending, newerInMs }
  }
}

test('cheap overview figures are recomputed for every request', async () => {
  const site = await makeSite(api, 'cheap')
  const get = overviewsAt(1)
  assert.deepEqual(await get(site), { pending: 0, newerInMs: null })
  await putRows(api.database, site.projectId, [{ source: 'contextual' }])
  assert.deepEqual(await get(site), { pending: 1, newerInMs: null })
})

test('expensive overview figures are cached, and report when newer ones are available', async () => {
  const site = await makeSite(api, 'dear')
  const get = overviewsAt(50)
  assert.deepEqual(await get(site), { pending: 0, newerInMs: null })
  await putRows(api.database, site.projectId, [{ source: 'contextual' }])
  const again = await get(site)
  assert.equal(again.pending, 0)
  assert.ok(again.newerInMs !== null && again.newerInMs > 0)
  clock += again.newerInMs
  assert.deepEqual(await get(site), { pending: 1, newerInMs: null })
})
