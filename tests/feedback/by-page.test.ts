/** GET …/feedback/by-page */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PageFeedbackList } from '../../src/features/feedback/operations/feedback.ts'
import { type ApiUnderTest, messagesOf, startApi, withKey } from '../http/api-under-test.ts'
import { feedbackPath, makeSite, putRows, type Site } from './feedback-scene.ts'

let api: ApiUnderTest
let site: Site
before(async () => {
  api = await startApi({ limits: { analytics: { count: 100_000, seconds: 3600 } } })
  site = await makeSite(api, 'counted')
  const vote = (path: string, helpful: boolean, createdAt = '2026-11-20T10:00:00Z') => ({
    path,
    helpful,
    createdAt,
  })
  await putRows(api.database, site.projectId, [
    ...Array.from({ length: 5 }, () => vote('/busy', true)),
    ...Array.from({ length: 3 }, () => vote('/busy', false)),
    { ...vote('/busy', false), source: 'contextual', comment: 'No' },
    { ...vote('/busy', true), source: 'contextual', reason: 'good' },
    { path: '/busy', source: 'code_snippet', comment: 'fails', createdAt: '2026-11-20T10:00:00Z' },
    { path: '/busy', source: 'code_snippet', createdAt: '2026-11-20T10:00:00Z' },
    { path: '/busy', source: 'agent', comment: 'As an agent', createdAt: '2026-11-20T10:00:00Z' },
    { ...vote('/quiet', false), status: 'resolved' },
    vote('/late', true, '2026-11-21T00:00:00Z'),
    { path: '/imported', createdAt: null },
  ])
})
after(() => api[Symbol.asyncDispose]())

async function counts(query = '', asked = site): Promise<PageFeedbackList> {
  const response = await api.fetch(feedbackPath(asked.projectId, `/by-page${query}`), withKey(asked.key))
  assert.equal(response.status, 200)
  return (await response.json()) as PageFeedbackList
}

test('counts votes, code entries and comments by page, sorted by total', async () => {
  const one = { thumbsUp: 1, thumbsDown: 0, code: 0, comments: 0, total: 1 }
  assert.deepEqual(await counts(), {
    feedback: [
      { path: '/busy', thumbsUp: 6, thumbsDown: 4, code: 2, comments: 3, total: 13 },
      { ...one, path: '/imported' },
      { ...one, path: '/late' },
      { ...one, path: '/quiet', thumbsUp: 0, thumbsDown: 1 },
    ],
    nextCursor: null,
    hasMore: false,
  })
})

test('returns ten pages by default, and more with limit', async () => {
  const large = await makeSite(api, 'twelve-pages')
  const rows = Array.from({ length: 12 }, (_, n) => ({ path: `/page-${n}`, helpful: true }))
  await putRows(api.database, large.projectId, rows)
  const few = await counts('', large)
  assert.deepEqual([few.feedback.length, few.hasMore], [10, true])
  assert.equal((await counts('?limit=100', large)).feedback.length, 12)
})

test('applies the filters of the feedback list', async () => {
  const pathsOf = async (query: string) =>
    (await counts(query)).feedback.map(({ path, total }) => [path, total])
  assert.deepEqual(await pathsOf('?source=thumbs_only&status=pending'), [
    ['/busy', 8],
    ['/imported', 1],
    ['/late', 1],
  ])
  assert.deepEqual(await pathsOf('?dateTo=2026-11-21'), [
    ['/busy', 13],
    ['/quiet', 1],
  ])
  assert.deepEqual(await pathsOf('?dateFrom=2026-11-21'), [['/late', 1]])
  assert.deepEqual(await pathsOf('?path=/quiet'), [['/quiet', 1]])
})

test('pagination reaches every page and is stable while new feedback arrives', async () => {
  const many = await makeSite(api, 'many-pages')
  const rows = Array.from({ length: 60 }, (_, i) => ({
    path: `/p${i % 23}`,
    createdAt: '2026-11-20T10:00:00Z',
  }))
  await putRows(api.database, many.projectId, rows)
  const expected = (await counts('?limit=100', many)).feedback
  assert.equal(expected.length, 23)
  const seen = []
  let cursor = ''
  for (;;) {
    const page = await counts(`?limit=2${cursor}`, many)
    seen.push(...page.feedback)
    if (!page.hasMore) break
    cursor = `&cursor=${page.nextCursor}`
    await putRows(
      api.database,
      many.projectId,
      Array.from({ length: 9 }, (_, i) => ({
        path: `/p${22 - i}`,
        createdAt: new Date(Date.now() + 60_000).toISOString(),
      })),
    )
  }
  assert.deepEqual(seen, expected)
})

test('reports all invalid parameters at once, and rejects a cursor of the feedback list', async () => {
  const refusal = async (query: string) => {
    const response = await api.fetch(feedbackPath(site.projectId, `/by-page${query}`), withKey(site.key))
    assert.equal(response.status, 400)
    return (await messagesOf(response)).sort()
  }
  assert.deepEqual(await refusal('?limit=0&status=&dateTo=x&include=vote'), [
    '`dateTo` must be a date that exists, such as 2026-11-21 or 2026-11-21T09:30:00Z, not `x`',
    '`include` is not a known parameter',
    '`limit` must be a whole number from 1 to 100',
    '`status` has an empty item; use some of `pending`, `in_progress`, `resolved`, `dismissed`',
  ])
  const list = await api.fetch(feedbackPath(site.projectId, '?limit=1'), withKey(site.key))
  const { nextCursor } = (await list.json()) as { nextCursor: string }
  assert.equal((await refusal(`?cursor=${nextCursor}`)).length, 1)
})

test('returns 404 for a project of another organization', async () => {
  const response = await api.fetch(feedbackPath(site.projectId, '/by-page'), withKey(api.other.key))
  assert.equal(response.status, 404)
})
