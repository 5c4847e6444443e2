/** API access to the public text of a site, and text that no key can read. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { KeyKind } from '../../src/base/api/operation.ts'
import { createApiKey } from '../../src/features/accounts/keys/api-keys.ts'
import type { DiscoveryResult } from '../../src/features/reader/operations/discovery.ts'
import {
  type AssistantScene,
  eventsIn,
  passage,
  putPassages,
  startAssistant,
} from '../assistant/assistant-scene.ts'
import type { Site } from '../feedback/feedback-scene.ts'
import { publishSite, SHOP } from '../mcp/mcp-scene.ts'
import { jsonRequest, makeKey, startApi, withKey } from './api-under-test.ts'

const DOMAIN = 'shop.example.com'

let scene: AssistantScene
let shop: Site
/** Assistant key of `shop`. */
let key: string
let closed: Site

before(async () => {
  scene = await startAssistant()
  const { api } = scene
  shop = await publishSite(api, 'shop', SHOP)
  closed = await publishSite(api, 'closed', SHOP)
  for (const { projectId } of [shop, closed])
    await putPassages(
      api.database,
      projectId,
      [passage({ path: '/guides/refunds', anchor: 'fees', title: 'Refunds', text: 'Refunds have no fees.' })],
      'hosted',
    )
  await api.database.queries
    .insertInto('site_access')
    .values({ project_id: closed.projectId, is_private: true })
    .execute()
  key = await keyOf(shop)
})
after(() => scene[Symbol.asyncDispose]())

async function keyOf({ organizationId, projectId }: Site, kind: KeyKind = 'assistant'): Promise<string> {
  const wanted = { organizationId, name: 'test', actor: 'test', makerId: null, kind, projectIds: [projectId] }
  return (await scene.api.database.transaction((tx) => createApiKey(tx, wanted))).text
}

const post = (path: string, body: unknown, by = key, headers: Record<string, string> = {}) =>
  scene.api.fetch(`/discovery/${path}`, jsonRequest('POST', by, body, headers))

async function search(body: object, by = key): Promise<DiscoveryResult[]> {
  const response = await post(`v1/search/${DOMAIN}`, body, by)
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as DiscoveryResult[]
}

const says = (text: string, role = 'user') => ({ id: 'm', role, parts: [{ type: 'text', text }] })
const question = (text: string, more: object = {}) => ({ fp: 'anonymous', messages: [says(text)], ...more })
const ask = (body: unknown, { version = 'v2', by = key, headers = {} } = {}) =>
  post(`${version}/assistant/${DOMAIN}/message`, body, by, headers)

const ANSWER = { say: 'Refunds have no fees.', passage: 1, quote: 'Refunds have no fees' }

describe('search and pages', () => {
  test('accept an assistant key and an admin key with write scope', async () => {
    const [first] = await search({ query: 'partial refund' })
    assert.deepEqual(first, {
      content: 'Name the amount in cents.',
      path: '/guides/refunds',
      metadata: {
        ...{
          title: 'Refunds',
          heading: 'Partial refunds',
          language: 'en',
          version: null,
          tag: null,
          score: 1,
        },
        url: `https://${DOMAIN}/guides/refunds#partial-refunds`,
      },
    })
    assert.deepEqual(
      await search({ query: 'partial refund' }, shop.key),
      await search({ query: 'partial refund' }),
    )
    const page = await post(`v1/page/${DOMAIN}`, { path: 'guides/shipping', groups: ['staff'] })
    const { path, content } = (await page.json()) as { path: string; content: string }
    assert.equal(path, '/guides/shipping')
    assert.match(content, /Parcels leave at noon/)
  })

  test('respect the requested page size, score threshold and filter', async () => {
    assert.equal((await search({ query: 'refund', pageSize: 1 })).length, 1)
    const all = await search({ query: 'a refund takes', pageSize: 50 })
    const best = await search({ query: 'a refund takes', pageSize: 50, scoreThreshold: 1 })
    assert.ok(best.length > 0 && best.length <= all.length)
    assert.ok(best.every(({ metadata }) => metadata.score === 1))
    const french = await search({ query: 'trois jours', filter: { language: 'fr' } })
    assert.deepEqual(
      french.map(({ path }) => path),
      ['/fr/guides/remboursement'],
    )
    assert.deepEqual(await search({ query: 'refund', filter: { version: 'v9' } }), [])
    assert.deepEqual(await search({ query: 'refund', filter: { tag: 'beta' } }), [])
    assert.equal((await post(`v1/search/${DOMAIN}`, { query: 'a', pageSize: 51 })).status, 400)
  })

  test('return no page that the search of the site does not show', async () => {
    assert.deepEqual(await search({ query: 'giraffe zebra' }), [])
    for (const path of ['/quiet', '/hidden', '/none', '../secrets'])
      assert.equal((await post(`v1/page/${DOMAIN}`, { path })).status, 404, path)
  })
})

describe('assistant messages', () => {
  test('are answered as UI messages with their sources and the thread to continue', async () => {
    scene.say(ANSWER)
    const response = await ask(question('What fees have refunds?'))
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('x-vercel-ai-ui-message-stream'), 'v1')
    const threadId = response.headers.get('x-thread-id') as string
    const parts = eventsIn(await response.text()).map(({ data }) => data as Record<string, unknown>)
    assert.deepEqual(parts.slice(1), [
      { type: 'text-start', id: 'answer' },
      { type: 'text-delta', id: 'answer', delta: 'Refunds have no fees.' },
      {
        ...{ type: 'source-url', sourceId: 'source-1', title: 'Refunds' },
        url: `https://${DOMAIN}/guides/refunds#fees`,
      },
      { type: 'text-end', id: 'answer' },
      { type: 'finish', messageMetadata: { threadId } },
    ])
    assert.deepEqual([parts[0]?.type, parts[0]?.messageMetadata], ['start', { threadId }])
    scene.say('{"covered": false}')
    const { messages } = question('And refunds on the moon?')
    const old = await ask({ fp: 'x', threadId, messages }, { version: 'v1', by: shop.key })
    assert.match(old.headers.get('content-type') ?? '', /^text\/plain/)
    const lines = (await old.text()).trim().split('\n')
    assert.deepEqual(
      lines.map((line) => line.slice(0, 2)),
      ['f:', '0:', 'h:', 'e:', 'd:'],
    )
    assert.equal((JSON.parse(lines.at(-1)?.slice(2) ?? '') as { threadId: string }).threadId, threadId)
    const read = (rest: string) =>
      scene.api.fetch(`/v1/analytics/${shop.projectId}/assistant/${rest}`, withKey(shop.key))
    const thread = (await (await read(`threads/${threadId}`)).json()) as { messages: unknown[] }
    assert.equal(thread.messages.length, 3)
    const stats = (await (await read('caller-stats')).json()) as { api: number; web: number }
    assert.deepEqual([stats.api, stats.web], [2, 0])
  })

  test('with one Idempotency-Key are sent to the model once and replayed', async () => {
    scene.say(ANSWER)
    const headers = { 'Idempotency-Key': 'one question' }
    const body = question('Fees?')
    const first = await ask(body, { headers })
    const text = await first.text()
    const asked = scene.server.requests.length
    const again = await ask(body, { headers })
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(await again.text(), text)
    assert.equal(scene.server.requests.length, asked)
    assert.equal((await ask(question('Others?'), { headers })).status, 422)
  })

  test('beyond the newest of ten thousand are dropped, and other parts are ignored', async () => {
    scene.say(ANSWER)
    const earlier = Array.from({ length: 10_000 }, (_, index) => says(`Earlier ${index}`))
    const last = { role: 'user', parts: [{ type: 'step-start' }, { type: 'text', text: 'Fees of refunds?' }] }
    const response = await ask({
      fp: 'x',
      id: 'chat',
      trigger: 'submit-message',
      messages: [...earlier, last],
    })
    assert.equal(response.status, 200)
    assert.match(await response.text(), /no fees/)
    const told = JSON.stringify(scene.server.requests.at(-1)?.messages)
    assert.match(told, /Earlier 9999/)
    assert.doesNotMatch(told, /Earlier 9900/)
  })

  for (const [what, body, status] of [
    ['no question', { fp: 'x', messages: [] }, 400],
    ['no fingerprint', { messages: [says('Fees?')] }, 400],
    ['an answer at the end', { fp: 'x', messages: [says('Fees?', 'assistant')] }, 400],
    ['nothing said', { fp: 'x', messages: [{ role: 'user', parts: [{ type: 'file' }] }] }, 400],
    ['a question without end', question('a'.repeat(1001)), 400],
    ['a thread that is none', question('Fees?', { threadId: '../x' }), 400],
    ['a megabyte', question('Fees?', { id: 'x'.repeat(1 << 20) }), 413],
  ] as const)
    test(`are rejected with ${what}`, async () => {
      assert.equal((await ask(body)).status, status)
    })

  test('abort the model call when the reader disconnects', async () => {
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    scene.behave(async ({ response }) => {
      response.on('close', () => ended.resolve())
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write(': waiting\n\n')
      begun.resolve()
    })
    const gone = new AbortController()
    const request = jsonRequest('POST', key, question('Fees of refunds?'))
    const path = `${scene.api.url}/discovery/v2/assistant/${DOMAIN}/message`
    const response = await fetch(path, { ...request, signal: gone.signal })
    await begun.promise
    gone.abort()
    await ended.promise
    assert.equal(response.status, 200)
  })
})

describe('access with discovery keys', () => {
  const doors = (domain: string, by: string) =>
    Promise.all(
      [
        ['v2/assistant/%/message', question('Fees?')],
        ['v1/assistant/%/message', question('Fees?')],
        ['v1/search/%', { query: 'refund' }],
        ['v1/page/%', { path: '/guides/refunds' }],
      ].map(async ([path, body]) => {
        const response = await post(String(path).replace('%', domain), body, by)
        return { status: response.status, text: await response.text() }
      }),
    )

  test('a site of another project or organization gets the same response as a missing one', async () => {
    const nothing = await doors('nobody.example.com', key)
    assert.deepEqual(
      nothing.map(({ status }) => status),
      [404, 404, 404, 404],
    )
    assert.deepEqual(await doors('acme.example.com', key), nothing)
    assert.deepEqual(await doors('closed.example.com', key), nothing)
    assert.deepEqual(await doors(DOMAIN, closed.key), nothing)
    assert.deepEqual(await doors(DOMAIN, await keyOf(closed)), nothing)
  })

  test('no key can read a private site', async () => {
    for (const by of [await keyOf(closed), closed.key])
      for (const { status, text } of await doors('closed.example.com', by)) {
        assert.equal(status, 403)
        assert.equal((JSON.parse(text) as { code: string }).code, 'site_private')
        assert.doesNotMatch(text, /fees|Refunds/)
      }
  })

  test('a revoked or expired key is rejected, and a valid one works only on discovery endpoints', async () => {
    const { queries } = scene.api.database
    const nobody = (await doors(DOMAIN, 'oct_ast_nothing'))[0]
    assert.equal(nobody?.status, 401)
    for (const column of ['revoked_at', 'expires_at'] as const) {
      const ended = await keyOf(shop)
      const { id } = await queries
        .updateTable('api_keys')
        .set({ [column]: new Date(0) })
        .where('last_four', '=', ended.slice(-4))
        .returning('id')
        .executeTakeFirstOrThrow()
      assert.match(id, /^key_/)
      for (const one of await doors(DOMAIN, ended)) assert.deepEqual(one, nobody, column)
    }
    const feedback = await scene.api.fetch(`/v1/analytics/${shop.projectId}/feedback`, withKey(key))
    assert.deepEqual([feedback.status, await feedback.text()], [401, nobody?.text])
  })

  test('an admin key with read scope only is rejected', async () => {
    const { database } = scene.api
    const reading = await database.transaction((tx) => makeKey(tx, shop.organizationId, { scopes: ['read'] }))
    for (const { status, text } of await doors(DOMAIN, reading))
      assert.deepEqual([status, (JSON.parse(text) as { code: string }).code], [403, 'scope_missing'])
  })
})

test('messages are limited by organization and by address, and rejected ones do not count for the other limit', async () => {
  await using api = await startApi({
    limits: {
      discoveryMessages: { count: 3, seconds: 600 },
      discoveryAddresses: { count: 2, seconds: 600 },
    },
    trustedProxies: 1,
  })
  const from = async (address: string) => {
    const headers = { 'X-Forwarded-For': address }
    const request = jsonRequest('POST', api.acme.key, question('Fees?'), headers)
    const response = await api.fetch('/discovery/v2/assistant/nobody.example.com/message', request)
    return [response.status, /"(\w+)"/.exec(response.headers.get('ratelimit-policy') ?? '')?.[1]]
  }
  const answers: unknown[] = []
  for (const last of [1, 1, 1, 2, 2]) answers.push(await from(`203.0.113.${last}`))
  assert.deepEqual(answers, [
    [404, 'discoveryMessages'],
    [404, 'discoveryMessages'],
    [429, 'discoveryAddresses'],
    [404, 'discoveryMessages'],
    [429, 'discoveryMessages'],
  ])
})
