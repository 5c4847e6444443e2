/** GET /v1/analytics/{projectId}/feedback, checked against the OpenAPI document that the server serves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ApiUnderTest,
  makeKey,
  makeTenant,
  messagesOf,
  startApi,
  withKey,
} from '../http/api-under-test.ts'
import { feedbackPath, idsOf, makeSite, putRows, readPage, type Site } from './feedback-scene.ts'

let api: ApiUnderTest
let site: Site
before(async () => {
  api = await startApi({ limits: { analytics: { count: 100_000, seconds: 3600 } } })
  site = await makeSite(api, 'listed')
})
after(() => api[Symbol.asyncDispose]())

const refusal = async (query: string, projectId = site.projectId) => {
  const response = await api.fetch(feedbackPath(projectId, query), withKey(site.key))
  assert.equal(response.status, 400, query)
  return (await messagesOf(response)).sort()
}

test('a project without feedback has an empty list', async () => {
  const empty = await makeSite(api, 'empty')
  assert.deepEqual(await readPage(api, empty), { feedback: [], nextCursor: null, hasMore: false })
})

test('each source has exactly its own fields', async () => {
  const all = await makeSite(api, 'shapes')
  const createdAt = '2026-11-21T09:30:00.123Z'
  const [contextual, code, agent, thumbs] = await putRows(api.database, all.projectId, [
    {
      source: 'contextual',
      createdAt,
      helpful: false,
      comment: 'No',
      contact: 'a@example.org',
      reason: 'old',
    },
    { source: 'code_snippet', createdAt: '2026-11-21T09:29:00Z', code: 'ls', filename: 'a.sh', lang: 'sh' },
    { source: 'agent', createdAt: '2026-11-21T09:28:00Z', comment: 'As an agent' },
    { source: 'thumbs_only', createdAt: '2026-11-21T09:27:00Z', helpful: true },
  ])
  const base = { path: '/guides/deploy', comment: null, status: 'pending' }
  const plain = [
    {
      ...base,
      id: contextual,
      createdAt,
      source: 'contextual',
      comment: 'No',
      helpful: false,
      contact: 'a@example.org',
    },
    {
      ...base,
      id: code,
      createdAt: '2026-11-21T09:29:00.000Z',
      source: 'code_snippet',
      code: 'ls',
      filename: 'a.sh',
      lang: 'sh',
    },
    { ...base, id: agent, createdAt: '2026-11-21T09:28:00.000Z', source: 'agent', comment: 'As an agent' },
    { ...base, id: thumbs, createdAt: '2026-11-21T09:27:00.000Z', source: 'thumbs_only' },
  ]
  assert.deepEqual(await readPage(api, all), { feedback: plain, nextCursor: null, hasMore: false })

  const { feedback } = await readPage(api, all, '?include=vote')
  assert.deepEqual(
    feedback,
    plain.map((entry, index) => ({ ...entry, ...[{ helpful: false }, {}, {}, { helpful: true }][index] })),
  )
  const both = await readPage(api, all, '?include=reason,vote')
  assert.deepEqual(
    both.feedback.map((entry) => (entry as { reason?: string | null }).reason),
    ['old', null, null, null],
  )
})

test('dateFrom is inclusive and dateTo exclusive, bare dates are UTC, and offsets are applied', async () => {
  const dated = await makeSite(api, 'dated')
  const times = [
    '2026-11-21T23:59:59.999Z',
    '2026-11-21T00:00:00.000Z',
    '2026-11-20T23:59:59.999Z',
    '2026-11-20T00:00:00.000Z',
    null,
  ]
  const ids = await putRows(
    api.database,
    dated.projectId,
    times.map((createdAt) => ({ createdAt })),
  )
  const indexes = async (query: string) => (await idsOf(api, dated, query)).map((id) => ids.indexOf(id))
  assert.deepEqual(await indexes(''), [0, 1, 2, 3, 4], 'without a time: last')
  assert.deepEqual(await indexes('?dateFrom=2026-11-21'), [0, 1])
  assert.deepEqual(await indexes('?dateTo=2026-11-21'), [2, 3], 'without a time: outside of every range')
  assert.deepEqual(await indexes('?dateFrom=2026-11-20&dateTo=2026-11-21'), [2, 3])
  assert.deepEqual(await indexes('?dateFrom=2026-11-21T01:00:00%2B01:00&dateTo=2026-11-22'), [0, 1])
  assert.deepEqual(await indexes('?dateFrom=2026-11-21T01:00:00+01:00'), [0, 1], 'a plus sign as it stands')
  assert.deepEqual(await indexes('?dateFrom=2026-11-20T19:00:00-05:00'), [0, 1])
  assert.deepEqual(await indexes('?dateFrom=2026-11-20T23:59:59.999Z'), [0, 1, 2])
  assert.deepEqual(await indexes('?dateFrom=2026-11-20T23:59:59.9990001Z'), [0, 1])
  assert.deepEqual(await indexes('?dateTo=2026-11-20T23:59:59.9990001Z'), [2, 3])
  assert.deepEqual(await indexes('?dateTo=2026-11-20T23:59:59.999'), [3], 'without an offset: UTC')
  assert.deepEqual(await indexes('?dateFrom=2030-01-01'), [])
})

test('rejects invalid dates and a dateFrom that is not before dateTo', async () => {
  const wrong = [
    '2026-02-30',
    '2026-13-01',
    'yesterday',
    '1763717400',
    '2026-11-21T25:00:00Z',
    '2026-11-21 09:30',
    '',
  ]
  for (const date of wrong) {
    const [message = ''] = await refusal(`?dateFrom=${encodeURIComponent(date)}`)
    assert.match(message, /^`dateFrom` must be a date that exists/)
  }
  const order = ['`dateFrom` must be before `dateTo`, which is not part of the range']
  assert.deepEqual(await refusal('?dateFrom=2026-11-21&dateTo=2026-11-20'), order)
  assert.deepEqual(await refusal('?dateFrom=2026-11-21&dateTo=2026-11-21'), order)
  assert.deepEqual(await refusal('?dateFrom=2026-11-21&dateTo=2026-11-21T01:00:00%2B01:00'), order)
})

test('filters by source, status and path in every combination', async () => {
  const mixed = await makeSite(api, 'mixed')
  const sources = ['code_snippet', 'contextual', 'agent', 'thumbs_only'] as const
  const statuses = ['pending', 'in_progress', 'resolved', 'dismissed'] as const
  const rows = Array.from({ length: 64 }, (_, i) => ({
    source: sources[i % 4] as (typeof sources)[number],
    status: statuses[(i >> 2) % 4] as (typeof statuses)[number],
    path: i % 3 === 0 ? '/a' : '/b',
    createdAt: i < 60 ? new Date(Date.UTC(2026, 10, 21) - i * 60_000).toISOString() : null,
  }))
  const ids = await putRows(api.database, mixed.projectId, rows)
  // The last four have no time, so they are ordered by id, newest first.
  const inOrder = [...rows.keys()].sort((a, b) => {
    if (a < 60 || b < 60) return a - b
    return (ids[a] as string) < (ids[b] as string) ? 1 : -1
  })
  const some = ['contextual,agent', 'thumbs_only,code_snippet,agent', sources.join(',')]
  for (const source of [null, ...sources, ...some]) {
    for (const list of [
      null,
      'pending',
      'resolved,pending',
      'dismissed,in_progress,resolved',
      statuses.join(','),
    ]) {
      for (const path of [null, '/a', '/b/']) {
        const query = new URLSearchParams({
          limit: '100',
          ...(source === null ? {} : { [source.includes(',') ? 'sources' : 'source']: source }),
          ...(list === null ? {} : { status: list }),
          ...(path === null ? {} : { path }),
        })
        const isMatch = (row: (typeof rows)[number]) =>
          (source === null || source.split(',').includes(row.source)) &&
          (list === null || list.split(',').includes(row.status)) &&
          (path === null || row.path === path.replace(/\/$/, ''))
        const expected = inOrder.filter((index) => isMatch(rows[index] as (typeof rows)[number]))
        assert.deepEqual(
          await idsOf(api, mixed, `?${query}`),
          expected.map((index) => ids[index]),
          `${query}`,
        )
      }
    }
  }
})

test('rejects unknown sources, statuses and parameters, and empty list items', async () => {
  assert.deepEqual(await refusal('?source=web'), [
    '`source` must be one of `code_snippet`, `contextual`, `agent`, `thumbs_only`',
  ])
  assert.deepEqual(await refusal('?source=agent,contextual'), [
    '`source` must be one of `code_snippet`, `contextual`, `agent`, `thumbs_only`',
  ])
  const words = '`pending`, `in_progress`, `resolved`, `dismissed`'
  assert.deepEqual(await refusal('?status=pending,done,open'), [
    `\`status\` must be a list of ${words}; \`done\` is not one of them`,
    `\`status\` must be a list of ${words}; \`open\` is not one of them`,
  ])
  for (const list of ['', 'pending,', ',pending', 'pending,,resolved'])
    assert.deepEqual(await refusal(`?status=${list}`), [`\`status\` has an empty item; use some of ${words}`])
  assert.deepEqual(await refusal('?stauts=pending'), [
    '`stauts` is not a known parameter; did you mean `status`?',
  ])
  assert.deepEqual(await refusal('?offset=3'), ['`offset` is not a known parameter'])
  assert.deepEqual(await refusal('?include=vote,cursor'), [
    '`include` must be a list of `vote`, `reason`, `assignee`, `labels`; `cursor` is not one of them',
  ])
})

test('limit is an integer from 1 to 100 and defaults to 50', async () => {
  const full = await makeSite(api, 'full')
  await putRows(
    api.database,
    full.projectId,
    Array.from({ length: 120 }, () => ({})),
  )
  assert.equal((await readPage(api, full)).feedback.length, 50)
  assert.equal((await readPage(api, full, '?limit=1')).feedback.length, 1)
  assert.equal((await readPage(api, full, '?limit=100')).feedback.length, 100)
  for (const limit of ['0', '101', '-1', '1.5', '1e2', '', 'ten', '0x10', '٣'])
    assert.deepEqual(await refusal(`?limit=${encodeURIComponent(limit)}`), [
      '`limit` must be a whole number from 1 to 100',
    ])
  assert.deepEqual(await refusal('?limit=5&limit=6'), ['`limit` is given 2 times; give it once'])
})

test('reports all faults of a query at once', async () => {
  assert.deepEqual(
    await refusal('?limit=0&source=x&status=y,&dateFrom=2026-02-30&dateTo=z&cursor=abc&include=w&foo=1'),
    [
      '`cursor` is not a cursor of this list: send `nextCursor` unchanged, or omit it',
      '`dateFrom` must be a date that exists, such as 2026-11-21 or 2026-11-21T09:30:00Z, not `2026-02-30`',
      '`dateTo` must be a date that exists, such as 2026-11-21 or 2026-11-21T09:30:00Z, not `z`',
      '`foo` is not a known parameter',
      '`include` must be a list of `vote`, `reason`, `assignee`, `labels`; `w` is not one of them',
      '`limit` must be a whole number from 1 to 100',
      '`source` must be one of `code_snippet`, `contextual`, `agent`, `thumbs_only`',
      '`status` has an empty item; use some of `pending`, `in_progress`, `resolved`, `dismissed`',
      '`status` must be a list of `pending`, `in_progress`, `resolved`, `dismissed`; `y` is not one of them',
    ],
  )
})

test('a cursor is valid only for its project and filters, with any limit', async () => {
  const paged = await makeSite(api, 'paged')
  const ids = await putRows(
    api.database,
    paged.projectId,
    Array.from({ length: 6 }, (_, i) => ({ createdAt: new Date(Date.UTC(2026, 10, 21) - i).toISOString() })),
  )
  const { nextCursor, hasMore } = await readPage(api, paged, '?limit=2')
  assert.ok(hasMore && nextCursor !== null)
  const cursor = encodeURIComponent(nextCursor)
  assert.deepEqual(await idsOf(api, paged, `?limit=3&cursor=${cursor}`), ids.slice(2, 5))
  assert.deepEqual(await idsOf(api, paged, `?limit=100&cursor=${cursor}&include=vote`), ids.slice(2))

  const isRefused = async (query: string, projectId = paged.projectId) => {
    const response = await api.fetch(feedbackPath(projectId, query), withKey(paged.key))
    assert.equal(response.status, 400, query)
  }
  await isRefused(`?cursor=${cursor}&source=agent`)
  await isRefused(`?cursor=${cursor}&status=pending`)
  await isRefused(`?cursor=${cursor}&dateFrom=2026-01-01`)
  await isRefused(`?cursor=${cursor}&path=/a`)
  await isRefused('?cursor=')
  await isRefused(`?cursor=${cursor}A`)
  await isRefused(`?cursor=${cursor.slice(0, -1)}`)
  for (let at = 0; at < nextCursor.length; at++) {
    const letter = nextCursor[at] === 'A' ? 'B' : 'A'
    await isRefused(`?cursor=${nextCursor.slice(0, at)}${letter}${nextCursor.slice(at + 1)}`)
  }
  const second = await api.database.transaction(async (tx) => {
    const other = await makeTenant(api.database, { name: 'paged-too', plan: 'pro' })
    return { ...other, key: await makeKey(tx, other.organizationId) }
  })
  const foreign = await api.fetch(feedbackPath(second.projectId, `?cursor=${cursor}`), withKey(second.key))
  assert.equal(foreign.status, 400)
})

test('a cursor is accepted with another spelling of the same filters', async () => {
  const spelled = await makeSite(api, 'spelled')
  await putRows(
    api.database,
    spelled.projectId,
    Array.from({ length: 3 }, () => ({ createdAt: '2026-11-21T12:00:00Z' })),
  )
  const { nextCursor } = await readPage(api, spelled, '?limit=1&dateFrom=2026-11-21&status=resolved,pending')
  const same = '?dateFrom=2026-11-21T00:00:00.000Z&status=pending,resolved,pending'
  assert.equal((await readPage(api, spelled, `${same}&cursor=${nextCursor}`)).feedback.length, 2)
})

test('the last page has no cursor, even when it is exactly full', async () => {
  const exact = await makeSite(api, 'exact')
  await putRows(api.database, exact.projectId, [{}, {}, {}, {}])
  const first = await readPage(api, exact, '?limit=2')
  assert.ok(first.hasMore)
  const second = await readPage(api, exact, `?limit=2&cursor=${first.nextCursor}`)
  assert.deepEqual([second.feedback.length, second.hasMore, second.nextCursor], [2, false, null])
})

test('a project of another organization gets the same 404 as an unknown one', async () => {
  const answers = await Promise.all(
    [api.other.projectId, 'prj_unknown', 'prj_%00', '%F0%9F%98%80'].map(async (projectId) => {
      const response = await api.fetch(feedbackPath(projectId), withKey(site.key))
      return [response.status, await response.text()]
    }),
  )
  for (const answer of answers) assert.deepEqual(answer, [404, '{"error":"Not found","code":"not_found"}'])
  const cut = await api.fetch(feedbackPath(api.other.projectId, '?limit=0'), withKey(site.key))
  assert.equal(cut.status, 400, 'shape before existence')
})

test('returns 401 without a valid key, and 403 for a change with a read-only key', async () => {
  assert.equal((await api.fetch(feedbackPath(site.projectId))).status, 401)
  assert.equal((await api.fetch(feedbackPath(site.projectId), withKey('oct_wrong'))).status, 401)
  const readOnly = await api.database.transaction((tx) =>
    makeKey(tx, site.organizationId, { scopes: ['read'] }),
  )
  assert.equal((await api.fetch(feedbackPath(site.projectId), withKey(readOnly))).status, 200)
  const patch = {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${readOnly}`, 'Content-Type': 'application/json' },
    body: '{"status":"resolved"}',
  }
  assert.equal((await api.fetch(feedbackPath(site.projectId, '/fb_x'), patch)).status, 403)
})

test('returns hostile texts unchanged', async () => {
  const hostile = await makeSite(api, 'hostile')
  const texts = [
    `<script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    `'; DROP TABLE feedback; --`,
    `$1 \${7*7} {{7*7}} %s %00 \\u0000 \\x00`,
    `\u2028\u2029\u202e\ufeff😀\r\n\t"\\/`,
    `__proto__`,
    `]]>-->\u0007`,
  ]
  await putRows(
    api.database,
    hostile.projectId,
    texts.map((text) => ({
      source: 'contextual',
      path: `/${text}`,
      comment: text,
      contact: text,
      createdAt: '2026-01-01T00:00:00Z',
    })),
  )
  const { feedback } = await readPage(api, hostile)
  assert.deepEqual(feedback.map(({ comment }) => comment).sort(), [...texts].sort())
  for (const entry of feedback) {
    assert.ok(entry.source === 'contextual')
    assert.deepEqual([entry.contact, entry.path], [entry.comment, `/${entry.comment}`])
  }
  const raw = await api.fetch(feedbackPath(hostile.projectId), withKey(hostile.key))
  assert.equal(raw.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(raw.headers.get('x-content-type-options'), 'nosniff')
})

test('the sources filter works with a cursor, and source narrows it further', async () => {
  const site = await makeSite(api, 'sources')
  const sources = ['contextual', 'thumbs_only', 'agent'] as const
  const ids = await putRows(
    api.database,
    site.projectId,
    Array.from({ length: 9 }, (_, i) => ({
      source: sources[i % 3] as (typeof sources)[number],
      createdAt: new Date(Date.UTC(2026, 10, 21) - i * 60_000).toISOString(),
    })),
  )
  const query = '?sources=agent,contextual&limit=4'
  const first = await readPage(api, site, query)
  const second = await readPage(api, site, `${query}&cursor=${first.nextCursor}`)
  assert.deepEqual(
    [...first.feedback, ...second.feedback].map(({ id }) => ids.indexOf(id)),
    [0, 2, 3, 5, 6, 8],
  )
  assert.deepEqual(await idsOf(api, site, '?sources=agent,contextual&source=thumbs_only'), [])
  const [message = ''] = await refusal('?sources=agent,web')
  assert.match(message, /^`sources` must be a list of .*`web` is not one of them$/)
})
