/** PATCH …/feedback and …/feedback/{id}: status, notes and their history. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { FEEDBACK_STATUSES, type FeedbackDetail } from '../../src/features/feedback/operations/feedback.ts'
import { type ApiUnderTest, jsonRequest, messagesOf, startApi, withKey } from '../http/api-under-test.ts'
import { feedbackPath, idsOf, makeSite, putRows, readPage, type Site } from './feedback-scene.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({ limits: { analytics: { count: 100_000, seconds: 3600 } } })
})
after(() => api[Symbol.asyncDispose]())

const patch = (site: Site, rest: string, body: unknown, headers: Record<string, string> = {}) =>
  api.fetch(feedbackPath(site.projectId, rest), jsonRequest('PATCH', site.key, body, headers))

async function patched(site: Site, id: string, body: unknown): Promise<FeedbackDetail> {
  const response = await patch(site, `/${id}`, body)
  assert.equal(response.status, 200)
  return (await response.json()) as FeedbackDetail
}

async function detail(site: Site, id: string): Promise<FeedbackDetail> {
  const response = await api.fetch(feedbackPath(site.projectId, `/${id}`), withKey(site.key))
  assert.equal(response.status, 200)
  return (await response.json()) as FeedbackDetail
}

test('any status can follow any other, and each change is recorded with who, when, from and to', async () => {
  const site = await makeSite(api, 'statuses')
  const [id = ''] = await putRows(api.database, site.projectId, [{}])
  const path = FEEDBACK_STATUSES.flatMap((from) => FEEDBACK_STATUSES.flatMap((to) => [from, to]))
  for (const status of path) assert.equal((await patched(site, id, { status })).status, status)
  const { history, updatedAt } = await detail(site, id)
  const moves = path.filter((status, index) => status !== (path[index - 1] ?? 'pending'))
  assert.deepEqual(
    history.map(({ to }) => to),
    moves,
  )
  history.forEach(({ from, note, actor, at }, index) => {
    assert.equal(from, moves[index - 1] ?? 'pending')
    assert.equal(note, null)
    assert.match(actor, /^key_/)
    assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000)
  })
  assert.ok(updatedAt >= (history.at(-1)?.at ?? ''))
})

test('a note is recorded in the history, alone or with an unchanged status', async () => {
  const site = await makeSite(api, 'notes')
  const [id = ''] = await putRows(api.database, site.projectId, [
    { source: 'contextual', comment: 'x', reason: 'old' },
  ])
  await patched(site, id, { note: 'Asked the team.' })
  await patched(site, id, { status: 'pending', note: 'Still.' })
  await patched(site, id, { status: 'resolved', note: '<b>Done</b>' })
  const entry = await patched(site, id, { status: 'resolved' })
  const { at: _, ...rest } = entry.history[0] ?? {}
  const none = { from: null, to: null, assignee: null, labels: null }
  assert.deepEqual(rest, { actor: entry.history[0]?.actor, ...none, note: 'Asked the team.' })
  assert.deepEqual(
    entry.history.map(({ from, to, note }) => [from, to, note]),
    [
      [null, null, 'Asked the team.'],
      [null, null, 'Still.'],
      ['pending', 'resolved', '<b>Done</b>'],
    ],
  )
  assert.deepEqual([entry.source, entry.reason, entry.comment], ['contextual', 'old', 'x'])
  assert.deepEqual(await detail(site, id), entry)
})

test('parallel status changes are serialized, each starting from the status before', async () => {
  const site = await makeSite(api, 'parallel')
  const [id = ''] = await putRows(api.database, site.projectId, [{}])
  const statuses = ['in_progress', 'resolved', 'dismissed', 'pending']
  await Promise.all(Array.from({ length: 24 }, (_, i) => patch(site, `/${id}`, { status: statuses[i % 4] })))
  const { history, status } = await detail(site, id)
  let before = 'pending'
  for (const { from, to } of history) {
    assert.equal(from, before)
    before = to as string
  }
  assert.equal(status, before)
})

test('reports all faults of a change at once', async () => {
  const site = await makeSite(api, 'faults')
  const [id = ''] = await putRows(api.database, site.projectId, [{}])
  const refusal = async (body: unknown, rest = `/${id}`) => {
    const response = await patch(site, rest, body)
    assert.equal(response.status, 400)
    return (await messagesOf(response)).sort()
  }
  assert.deepEqual(await refusal({}), ['At least one of `/status`, `/note` is required'])
  assert.deepEqual(await refusal({ status: 'done', note: '', comment: 'x' }), [
    '`/comment` is not a known field',
    '`/note` must be text of 1 to 5000 characters',
    '`/status` must be one of `pending`, `in_progress`, `resolved`, `dismissed`',
  ])
  assert.deepEqual(await refusal({ status: 'resolved' }, `/${id}?force=1`), [
    '`force` is not a known parameter',
  ])
  assert.deepEqual(await refusal({ status: 'resolved' }, ''), [
    'At least one filter in the query, or `/ids`, is required',
  ])
  assert.deepEqual(await refusal({ note: 'x', ids: [] }, '?status=,&limit=3'), [
    '`/ids` must be a list of 1 to 100 items',
    '`/status` is required',
    '`limit` is not a known parameter',
    '`status` has an empty item; use some of `pending`, `in_progress`, `resolved`, `dismissed`',
  ])
})

test('returns 404 for unknown entries and entries of another organization', async () => {
  const [site, mine] = [await makeSite(api, 'theirs'), await makeSite(api, 'mine')]
  const [theirs = ''] = await putRows(api.database, site.projectId, [{}])
  const texts = await Promise.all(
    [
      patch(mine, `/${theirs}`, { status: 'resolved' }),
      patch(mine, '/fb_unknown', { status: 'resolved' }),
      patch({ ...site, key: mine.key }, `/${theirs}`, { status: 'resolved' }),
      patch({ ...site, key: mine.key }, '?status=pending', { status: 'resolved' }),
      api.fetch(feedbackPath(mine.projectId, `/${theirs}`), withKey(mine.key)),
      api.fetch(feedbackPath(site.projectId, `/${theirs}`), withKey(mine.key)),
    ].map(async (asked) => {
      const response = await asked
      return `${response.status} ${await response.text()}`
    }),
  )
  assert.deepEqual([...new Set(texts)], ['404 {"error":"Not found","code":"not_found"}'])
  assert.equal((await detail(site, theirs)).status, 'pending')
})

test('a bulk change updates only the entries that match the filters, each with its history', async () => {
  const site = await makeSite(api, 'bulk')
  const ids = await putRows(api.database, site.projectId, [
    { source: 'agent', createdAt: '2026-11-20T00:00:00Z' },
    { source: 'agent', createdAt: '2026-11-21T00:00:00Z', status: 'in_progress' },
    { source: 'agent', createdAt: '2026-11-21T00:00:00Z', status: 'dismissed' },
    { source: 'contextual', createdAt: '2026-11-21T00:00:00Z' },
    { source: 'agent', createdAt: null },
  ])
  const bulk = async (query: string, body: unknown) => {
    const response = await patch(site, query, body)
    assert.equal(response.status, 200)
    return response.json()
  }
  const query = '?source=agent&status=pending,in_progress,dismissed&dateFrom=2026-11-20'
  assert.deepEqual(await bulk(query, { status: 'dismissed', note: 'Spam.' }), { changed: 2, hasMore: false })
  const { feedback } = await readPage(api, site)
  assert.deepEqual(
    ids.map((id) => feedback.find((entry) => entry.id === id)?.status),
    ['dismissed', 'dismissed', 'dismissed', 'pending', 'pending'],
  )
  const histories = await Promise.all(ids.map(async (id) => (await detail(site, id)).history))
  assert.deepEqual(
    histories.map((history) => history.map(({ from, to, note }) => [from, to, note])),
    [[['pending', 'dismissed', 'Spam.']], [['in_progress', 'dismissed', 'Spam.']], [], [], []],
  )
  assert.deepEqual(await bulk('', { status: 'resolved', ids: [ids[3], ids[4], 'fb_unknown'] }), {
    changed: 2,
    hasMore: false,
  })
  assert.deepEqual(await bulk('?source=contextual', { status: 'pending', ids: [ids[3], ids[4]] }), {
    changed: 1,
    hasMore: false,
  })
})

test('a bulk change over the limit of one call returns hasMore, and further calls complete it', async () => {
  const site = await makeSite(api, 'heap')
  await putRows(
    api.database,
    site.projectId,
    Array.from({ length: 10_500 }, () => ({ createdAt: '2026-11-21T00:00:00Z' })),
  )
  const again = async () => (await patch(site, '?source=thumbs_only', { status: 'resolved' })).json()
  assert.deepEqual(await again(), { changed: 10_000, hasMore: true })
  assert.deepEqual(await again(), { changed: 500, hasMore: false })
  assert.deepEqual(await idsOf(api, site, '?status=pending'), [])
})

test('an Idempotency-Key stores a repeated note once', async () => {
  const site = await makeSite(api, 'keyed')
  const [id = ''] = await putRows(api.database, site.projectId, [{}])
  for (let i = 0; i < 2; i++) await patch(site, `/${id}`, { note: 'once' }, { 'Idempotency-Key': 'k' })
  assert.equal((await detail(site, id)).history.length, 1)
})
