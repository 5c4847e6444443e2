/** GET …/feedback/export: a stream of JSON lines or CSV, which can be resumed after it breaks. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import type { FeedbackEntry } from '../../src/features/feedback/operations/feedback.ts'
import { type ApiUnderTest, messagesOf, startApi, withKey } from '../http/api-under-test.ts'
import { feedbackPath, idsOf, makeSite, putRows, readPage, type Site } from './feedback-scene.ts'

let api: ApiUnderTest
before(async () => {
  api = await startApi({ limits: { analytics: { count: 100_000, seconds: 3600 } } })
})
after(() => api[Symbol.asyncDispose]())

const read = (site: Site, query = '') =>
  api.fetch(feedbackPath(site.projectId, `/export${query}`), withKey(site.key))

const linesOf = async (response: Response) => {
  assert.equal(response.status, 200)
  const text = await response.text()
  assert.ok(text === '' || text.endsWith('\n'))
  return text.split('\n').slice(0, -1)
}

/** Inserts enough rows for more than two database reads. */
async function putMany(site: Site, count = 2300): Promise<void> {
  const sources = ['code_snippet', 'contextual', 'agent', 'thumbs_only'] as const
  await putRows(
    api.database,
    site.projectId,
    Array.from({ length: count }, (_, i) => ({
      source: sources[i % 4] as (typeof sources)[number],
      createdAt:
        i % 50 === 0 ? null : new Date(Date.UTC(2026, 10, 21) - Math.floor(i / 3) * 1000).toISOString(),
      comment: i % 2 === 0 ? `comment ${i}` : null,
    })),
  )
}

test('exports the entries of the list in the same order, across several database reads', async () => {
  const site = await makeSite(api, 'many')
  await putMany(site)
  const response = await read(site, '?include=vote')
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  assert.equal(
    response.headers.get('content-disposition'),
    `attachment; filename="feedback-${site.projectId}.jsonl"`,
  )
  const entries = (await linesOf(response)).map((line) => JSON.parse(line) as FeedbackEntry)
  const listed: FeedbackEntry[] = []
  let cursor = ''
  for (;;) {
    const page = await readPage(api, site, `?limit=100&include=vote${cursor}`)
    listed.push(...page.feedback)
    if (!page.hasMore) break
    cursor = `&cursor=${page.nextCursor}`
  }
  assert.equal(entries.length, 2300)
  assert.deepEqual(entries, listed)
})

test('applies filters, and returns an empty stream when nothing matches', async () => {
  const site = await makeSite(api, 'filtered')
  await putMany(site, 40)
  const ids = (await linesOf(await read(site, '?source=agent&dateTo=2026-11-21'))).map(
    (line) => JSON.parse(line).id,
  )
  assert.deepEqual(ids, await idsOf(api, site, '?source=agent&dateTo=2026-11-21'))
  assert.ok(ids.length > 0 && ids.length < 11)
  assert.deepEqual(await linesOf(await read(site, '?dateFrom=2030-01-01')), [])
  assert.equal(
    (await linesOf(await read(site, '?dateFrom=2030-01-01&format=csv'))).length,
    1,
    'the head line',
  )
})

test('resumes a broken export after the last line that arrived', async () => {
  const site = await makeSite(api, 'broken')
  await putMany(site)
  const whole = (await linesOf(await read(site))).map((line) => JSON.parse(line).id)
  const half = (await linesOf(await read(site, '?include=cursor')))
    .slice(0, 1234)
    .map((line) => JSON.parse(line))
  const cursor = half.at(-1).cursor
  const rest = (await linesOf(await read(site, `?cursor=${cursor}`))).map((line) => JSON.parse(line).id)
  assert.deepEqual([...half.map(({ id }) => id), ...rest], whole)
  assert.equal(
    (await readPage(api, site, `?limit=1&cursor=${cursor}`)).feedback[0]?.id,
    rest[0],
    'good for the list too',
  )
  assert.equal((await read(site, `?cursor=${cursor}&source=agent`)).status, 400)
})

test('a client that disconnects during an export does not affect the next one', async () => {
  const site = await makeSite(api, 'gone')
  await putMany(site, 20_000)
  const request = get(`${api.url}${feedbackPath(site.projectId, '/export?include=vote,cursor,reason')}`, {
    headers: { Authorization: `Bearer ${site.key}` },
  })
  const [response] = await once(request, 'response')
  await once(response, 'data')
  response.destroy()
  await once(response, 'close')
  assert.equal((await linesOf(await read(site))).length, 20_000, 'the server goes on')
})

test('CSV has one column per field, quotes by RFC 4180 and escapes formulas', async () => {
  const site = await makeSite(api, 'csv')
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, 30 - second)).toISOString()
  await putRows(api.database, site.projectId, [
    {
      source: 'contextual',
      createdAt: at(0),
      helpful: false,
      comment: '=1+1',
      contact: '+1@example.org',
      reason: '@x',
    },
    { source: 'code_snippet', createdAt: at(1), code: 'a,"b"\r\nc', filename: '-x', lang: '\tjs' },
    { source: 'agent', createdAt: at(2), comment: 'plain, = inside' },
    { source: 'thumbs_only', createdAt: null, helpful: true, path: '/<script>' },
  ])
  const ids = await idsOf(api, site)
  const response = await read(site, '?format=csv&include=vote,reason')
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(
    response.headers.get('content-disposition') ?? '',
    /^attachment; filename="feedback-prj_\w+\.csv"$/,
  )
  assert.equal(
    await response.text(),
    [
      'id,createdAt,source,status,path,helpful,comment,contact,code,filename,lang,reason',
      `${ids[0]},2026-11-21T00:00:30.000Z,contextual,pending,/guides/deploy,false,'=1+1,'+1@example.org,,,,'@x`,
      `${ids[1]},2026-11-21T00:00:29.000Z,code_snippet,pending,/guides/deploy,,,,"a,""b""\r\nc",'-x,'\tjs,`,
      `${ids[2]},2026-11-21T00:00:28.000Z,agent,pending,/guides/deploy,,"plain, = inside",,,,,`,
      `${ids[3]},,thumbs_only,pending,/<script>,true,,,,,,`,
      '',
    ].join('\r\n'),
  )
  const bare = await (await read(site, '?format=csv')).text()
  assert.match(bare, /thumbs_only,pending,\/<script>,,,,,,\r\n$/, 'the vote only when it is asked for')
})

test('CSV starts with a byte order mark only with bom=true, and JSON lines never do', async () => {
  const site = await makeSite(api, 'marked')
  await putRows(api.database, site.projectId, [{ source: 'agent', createdAt: null, comment: 'Déjà vu' }])
  const bytesOf = async (query: string) => Buffer.from(await (await read(site, query)).arrayBuffer())
  const [plain, marked] = [await bytesOf('?format=csv'), await bytesOf('?format=csv&bom=true')]
  assert.equal(plain.subarray(0, 3).toString(), 'id,')
  assert.deepEqual(marked, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]))
  assert.equal((await bytesOf('?bom=true'))[0], '{'.charCodeAt(0))
  assert.deepEqual(await messagesOf(await read(site, '?format=csv&bom=yes')), ['`bom` must be true or false'])
})

test('reports invalid parameters before the first line', async () => {
  const site = await makeSite(api, 'faulty')
  const refused = await read(site, '?format=xml&include=votes&limit=5&status=x')
  assert.equal(refused.status, 400)
  assert.deepEqual((await messagesOf(refused)).sort(), [
    '`format` must be one of `jsonl`, `csv`',
    '`include` must be a list of `vote`, `reason`, `assignee`, `labels`, `cursor`; `votes` is not one of them',
    '`limit` is not a known parameter',
    '`status` must be a list of `pending`, `in_progress`, `resolved`, `dismissed`; `x` is not one of them',
  ])
  const foreign = await api.fetch(feedbackPath(site.projectId, '/export'), withKey(api.other.key))
  assert.deepEqual([foreign.status, await foreign.text()], [404, '{"error":"Not found","code":"not_found"}'])
})

test('HEAD returns 200 without a body', async () => {
  const site = await makeSite(api, 'head')
  const response = await api.fetch(
    feedbackPath(site.projectId, '/export?format=csv'),
    withKey(site.key, { method: 'HEAD' }),
  )
  assert.deepEqual([response.status, await response.text()], [200, ''])
})
