import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DEFAULT_RETENTION } from '../../src/base/api/retention.ts'
import type { Log } from '../../src/base/log.ts'
import { countInbox } from '../../src/features/analytics/intake/count-inbox.ts'
import { startCounter } from '../../src/features/analytics/intake/counter.ts'
import { retireAnalytics } from '../../src/features/analytics/retire-analytics.ts'
import type { ApiUnderTest } from '../http/api-under-test.ts'
import { countAll, makeSite, read, type Site, startAnalytics, tellTaken } from './analytics-scene.ts'

let api: ApiUnderTest
before(async () => {
  api = await startAnalytics()
})
after(() => api[Symbol.asyncDispose]())

const EVENT = {
  ...{ kind: 'view', audience: 'human', path: '/bad', subject: null, detail: null },
  ...{ results: null, device: 'desktop', visitor: 'AAAAAAAAAAA=' },
}

/** Inbox batches that the intake never writes, by what is wrong with them. */
function bad(): { [reason: string]: unknown } {
  const at = Date.now()
  return {
    'too large a number': [{ ...EVENT, at, kind: 'search', subject: 'x', results: 3_000_000_000 }],
    'a character that no text may have': [{ ...EVENT, at, path: '/\0' }],
    'no moment': [{ ...EVENT, at: 'then' }],
    'no list': { ...EVENT, at },
    'an audience that nobody knows': [{ ...EVENT, at, audience: 'cats' }],
  }
}

async function putBad(site: Site, events: unknown): Promise<void> {
  await api.database.queries
    .insertInto('analytics_inbox')
    .values({ project_id: site.projectId, events: JSON.stringify(events) })
    .execute()
}

async function setAsideRows(site: Site) {
  const { rows } = await api.database.pool.query<{ reason: string; events: unknown }>(
    'SELECT reason, events FROM analytics_set_aside WHERE project_id = $1 ORDER BY id',
    [site.projectId],
  )
  return rows
}

const views = async (site: Site) => (await read(api, site, 'views')).totals

test('sets aside batches that cannot be counted with a reason, and counts all others once', async () => {
  const [site, other] = [await makeSite(api, 'poisoned'), await makeSite(api, 'beside-poisoned')]
  const poisons = Object.values(bad())
  for (const poison of poisons) {
    await tellTaken(api, other, [{ path: '/a' }])
    await putBad(site, poison)
    await tellTaken(api, site, [{ path: '/a' }, { path: '/b' }])
  }
  await countAll(api)
  const count = poisons.length
  assert.deepEqual(await views(site), { human: count * 2, ai: 0, bots: 0, total: count * 2 })
  assert.deepEqual(await views(other), { human: count, ai: 0, bots: 0, total: count })
  assert.deepEqual((await read(api, site, 'visitors')).totals, { human: 1, ai: 0, total: 1 })
  const rows = await setAsideRows(site)
  assert.equal(rows.length, count)
  assert.ok(rows.every(({ reason }) => reason.length > 0))
  assert.ok(!JSON.stringify(rows).includes(EVENT.visitor), 'a hash outlives its day')
  await countAll(api)
  assert.equal((await setAsideRows(site)).length, count)
})

test('logs batches that were set aside and reports them to the metric', async () => {
  const site = await makeSite(api, 'told')
  const { promise: said, resolve } = Promise.withResolvers<{ fields: unknown; event: string }>()
  let metric = 0
  await putBad(site, {})
  const log = {
    warn: () => undefined,
    error: (fields: unknown, event: string) => resolve({ fields, event }),
  } as unknown as Log
  await using _counter = startCounter({ ...api, log, onSetAside: () => (metric += 1) })
  const { fields, event } = await said
  assert.equal(event, 'analytics.batch_set_aside')
  assert.equal((fields as { projectId: string }).projectId, site.projectId)
  assert.equal(metric, 1)
})

test('a database error sets no batches aside', async () => {
  const site = await makeSite(api, 'in-trouble')
  await tellTaken(api, site, [{ path: '/a' }])
  await api.database.pool.query('ALTER TABLE analytics_counts RENAME TO analytics_counts_away')
  try {
    await assert.rejects(countInbox(api.database), /analytics_counts/)
  } finally {
    await api.database.pool.query('ALTER TABLE analytics_counts_away RENAME TO analytics_counts')
  }
  assert.deepEqual(await setAsideRows(site), [])
  await countAll(api)
  assert.deepEqual(await views(site), { human: 1, ai: 0, bots: 0, total: 1 })
})

test('purges old set-aside batches and all data of deleted projects', async () => {
  const [site, gone] = [await makeSite(api, 'staying'), await makeSite(api, 'going')]
  for (const one of [site, gone]) {
    await tellTaken(api, one, [{ path: '/a' }])
    await putBad(one, {})
  }
  await countAll(api)
  await tellTaken(api, gone, [{ path: '/a' }]) // in the inbox
  await api.database.queries.deleteFrom('project_domains').where('project_id', '=', gone.projectId).execute()
  await api.database.queries.deleteFrom('projects').where('id', '=', gone.projectId).execute()
  await api.database.pool.query(
    `UPDATE analytics_set_aside SET at = now() - interval '31 days' WHERE project_id = $1`,
    [site.projectId],
  )
  await retireAnalytics(api.database.queries, DEFAULT_RETENTION)
  for (const table of ['counts', 'events', 'visitors', 'inbox', 'set_aside']) {
    const { rows } = await api.database.pool.query<{ project_id: string }>(
      `SELECT DISTINCT project_id FROM analytics_${table}`,
    )
    const left = rows.map(({ project_id }) => project_id)
    assert.ok(!left.includes(gone.projectId), table)
    assert.equal(left.includes(site.projectId), ['counts', 'events', 'visitors'].includes(table), table)
  }
  assert.deepEqual(await views(site), { human: 1, ai: 0, bots: 0, total: 1 })
})
