import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ApiUnderTest, messagesOf, withKey } from '../http/api-under-test.ts'
import {
  clientId,
  feedbackPath,
  makeSite,
  onlyEntry,
  publishPages,
  readPage,
  type Site,
  say,
  sayAccepted,
  startIntake,
} from './feedback-scene.ts'

let api: ApiUnderTest
before(async () => {
  api = await startIntake()
})
after(() => api[Symbol.asyncDispose]())

test('reports all invalid fields of a message at once', async () => {
  const site = await makeSite(api, 'faults')
  await publishPages(api, site, ['index.html', 'guides/deploy.html'])
  const refused = await say(api, site, {
    path: '/nowhere',
    id: 'short',
    helpful: 'yes',
    contact: 'not an address',
    comment: '',
    filename: 'x',
    wrong: 1,
  })
  assert.equal(refused.status, 400)
  assert.deepEqual((await messagesOf(refused)).sort(), [
    '`/comment` must be text of 1 to 5000 characters',
    '`/contact` must be an email address',
    '`/filename` requires `/code`',
    '`/helpful` must be true or false',
    '`/id` must be text of 16 to 64 characters such as `5c0f0b8e-3c7e-4b7e-9a55-7d8a1f4f6c11`',
    '`/path` must be the path of a page of this site, such as /guides/deploy',
    '`/wrong` is not a known field',
  ])
})

test('rejects an id that was returned in a response', async () => {
  const site = await makeSite(api, 'answered')
  await publishPages(api, site, ['index.html'])
  const { id } = (await (await say(api, site, { path: '/', helpful: false })).json()) as { id: string }
  const refused = await say(api, site, { path: '/', helpful: false, comment: 'x', id })
  assert.equal(refused.status, 400)
  assert.match((await messagesOf(refused)).join(), /`\/id` is an id from a response/)
  assert.equal((await readPage(api, site)).feedback.length, 1)
})

test('rejects messages without content or with conflicting fields', async () => {
  const site = await makeSite(api, 'shapes')
  const faultsOf = async (body: unknown) => {
    const response = await say(api, site, body)
    assert.equal(response.status, 400)
    return messagesOf(response)
  }
  assert.deepEqual(await faultsOf({ path: '/a' }), [
    'At least one of `/helpful`, `/code`, `/feedback` is required',
  ])
  assert.deepEqual(await faultsOf({ path: '/a', comment: 'x' }), [
    '`/helpful` is required with a reason, a comment or a contact',
  ])
  assert.deepEqual(await faultsOf({ path: '/a', feedback: 'x', helpful: true, code: 'y' }), [
    '`/helpful` cannot be combined with `/feedback`, which is for agents',
    '`/code` cannot be combined with `/feedback`, which is for agents',
  ])
  assert.deepEqual(await faultsOf([]), ['The body must be a JSON object'])
  assert.deepEqual(await faultsOf({ path: '/a', helpful: true, comment: 'a\0b' }), [
    '`/comment` must not contain the character U+0000',
  ])
})

test('accepts a page of the published version in any form of its path, and rejects other paths', async () => {
  const site = await makeSite(api, 'pages')
  await publishPages(api, site, [
    'index.html',
    '404.html',
    'guides/deploy.html',
    'api/index.html',
    'a é.html',
    'data.json',
  ])
  const pathOf = async (path: string) => {
    const response = await say(api, site, { path, helpful: true })
    if (response.status !== 201) return response.status
    return (await readPage(api, site, '?limit=1')).feedback[0]?.path
  }
  assert.equal(await pathOf('/guides/deploy'), '/guides/deploy')
  assert.equal(await pathOf('/guides/deploy/'), '/guides/deploy')
  assert.equal(await pathOf('/guides/deploy.html?a=b#c'), '/guides/deploy')
  assert.equal(await pathOf('/'), '/')
  assert.equal(await pathOf('/index.html'), '/')
  assert.equal(await pathOf('/api'), '/api')
  assert.equal(await pathOf('/a%20%C3%A9'), '/a é')
  for (const path of [
    '/404',
    '/guides',
    '/data.json',
    '/../etc/passwd',
    'guides/deploy',
    '/%ff',
    'https://x.example/',
  ])
    assert.equal(await pathOf(path), 400, path)
})

test('accepts feedback on a page as soon as it is published', async () => {
  const site = await makeSite(api, 'fresh')
  await publishPages(api, site, ['index.html'])
  assert.equal((await say(api, site, { path: '/new', helpful: true })).status, 400)
  await publishPages(api, site, ['index.html', 'new.html'])
  assert.equal((await say(api, site, { path: '/new', helpful: true })).status, 201)
})

test('accepts feedback when the files of the published version are missing', async () => {
  const site = await makeSite(api, 'lost')
  await publishPages(api, site, ['index.html'])
  await api.database.queries
    .updateTable('published_sites')
    .set({ manifest_key: 'manifests/gone.json' })
    .where('project_id', '=', site.projectId)
    .execute()
  assert.equal((await say(api, site, { path: '/a', helpful: true })).status, 201)
})

test('a filled honeypot field gets a normal response, and nothing is stored', async () => {
  const site = await makeSite(api, 'trap')
  const { id, source } = await sayAccepted(api, site, {
    path: '/a',
    helpful: true,
    comment: 'buy',
    website: 'https://spam.example',
  })
  assert.match(id, /^fb_[0-9a-z]{26}$/)
  assert.equal(source, 'contextual')
  assert.equal((await readPage(api, site)).feedback.length, 0)
  await sayAccepted(api, site, { path: '/a', helpful: true, website: '' })
  await onlyEntry(api, site)
})

test('a recent vote can be withdrawn by its id, a comment cannot', async () => {
  const site = await makeSite(api, 'undo')
  const withdraw = async (id: string) => {
    const response = await api.fetch(`/_octavo/sites/${site.siteId}/feedback`, {
      method: 'DELETE',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ id }),
    })
    assert.equal(response.status, 200)
    return ((await response.json()) as { removed: boolean }).removed
  }
  const [vote, comment] = [clientId(), clientId()]
  await sayAccepted(api, site, { id: vote, path: '/a', helpful: true })
  await sayAccepted(api, site, { id: comment, path: '/a', helpful: true, comment: 'x' })
  assert.deepEqual(
    [await withdraw(vote), await withdraw(vote), await withdraw(comment)],
    [true, false, false],
  )
  assert.equal((await onlyEntry(api, site)).comment, 'x')
})

test('an Idempotency-Key replays the first response, and rejects another body', async () => {
  const site = await makeSite(api, 'keyed')
  const headers = { 'Idempotency-Key': 'k' }
  const first = await say(api, site, { path: '/a', helpful: true }, headers)
  const again = await say(api, site, { path: '/a', helpful: true }, headers)
  assert.equal(await again.text(), await first.text())
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal((await say(api, site, { path: '/a', helpful: false }, headers)).status, 422)
  await onlyEntry(api, site)
})

test('stores no address, only a hash that differs by site and is the same for one sender', async () => {
  const [one, two] = [await makeSite(api, 'hash-one'), await makeSite(api, 'hash-two')]
  const from = (site: Site, address: string) =>
    say(api, site, { path: '/a', helpful: true }, { 'X-Forwarded-For': address })
  for (const address of ['203.0.113.7', '203.0.113.7', '203.0.113.8']) await from(one, address)
  await from(two, '203.0.113.7')
  const rows = await api.database.queries
    .selectFrom('feedback')
    .selectAll()
    .where('project_id', 'in', [one.projectId, two.projectId])
    .orderBy('id')
    .execute()
  const hashes = rows.map((row) => row.address_hash?.toString('hex'))
  assert.ok(hashes.every((hash) => hash?.length === 32))
  assert.equal(hashes[0], hashes[1])
  assert.equal(new Set(hashes).size, 3)
  const everything =
    JSON.stringify(rows) +
    JSON.stringify(await api.database.queries.selectFrom('rate_hits').selectAll().execute())
  assert.ok(!everything.includes('203.0.113'))
})

test('returns 404 for unknown sites and hosts, 405 for other methods and 415 for other content types', async () => {
  const at = (path: string, init: RequestInit = {}) =>
    api.fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}', ...init })
  for (const id of ['site_unknown', '%00', '%F0%9F%98%80', 'x'.repeat(200)])
    assert.equal((await at(`/_octavo/sites/${id}/feedback`)).status, 404, id)
  assert.equal((await at('/_octavo/feedback')).status, 404)
  const site = await makeSite(api, 'methods')
  const get = await api.fetch(`/_octavo/sites/${site.siteId}/feedback`)
  assert.deepEqual([get.status, get.headers.get('allow')], [405, 'DELETE, OPTIONS, POST'])
  const text = await at(`/_octavo/sites/${site.siteId}/feedback`, {
    headers: { 'Content-Type': 'text/plain' },
  })
  assert.equal(text.status, 415)
})

test('reading feedback requires a key of the organization', async () => {
  const site = await makeSite(api, 'closed')
  await sayAccepted(api, site, { path: '/a', helpful: true })
  assert.equal((await api.fetch(feedbackPath(site.projectId))).status, 401)
  assert.equal((await api.fetch(feedbackPath(site.projectId), withKey(api.other.key))).status, 404)
})

test('created and updated feedback get one webhook event each, repeated and rejected messages none', async () => {
  const site = await makeSite(api, 'heard')
  await api.database.queries
    .insertInto('webhook_endpoints')
    .values({
      id: 'whk_heard',
      organization_id: site.organizationId,
      project_id: null,
      url: 'https://hooks.example.com/',
      description: null,
      secret: Buffer.from('sealed'),
      events: ['feedback.created', 'feedback.updated'],
      disabled_reason: null,
      resting_until: null,
    })
    .execute()
  const id = clientId()
  const vote = { id, path: '/a', helpful: true }
  const { id: entryId } = await sayAccepted(api, site, vote)
  await sayAccepted(api, site, vote)
  await sayAccepted(api, site, { ...vote, comment: 'And more.' })
  assert.equal((await say(api, site, { id, path: '/b', helpful: true })).status, 409)
  const events = await api.database.queries
    .selectFrom('webhook_events')
    .select(['type', 'data'])
    .where('organization_id', '=', site.organizationId)
    .orderBy('id')
    .execute()
  const told = events.map(({ type, data }) => [type, (data as { feedback: { id: string } }).feedback.id])
  assert.deepEqual(told, [
    ['feedback.created', entryId],
    ['feedback.updated', entryId],
  ])
})
