/** Tests the MCP server of hosted sites with the official client, in both protocol eras, and with raw requests. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import type { Site } from '../feedback/feedback-scene.ts'
import { readPage } from '../feedback/feedback-scene.ts'
import { type ApiUnderTest, startApi } from '../http/api-under-test.ts'
import { connectTo, type Era, fetchAs, publishSite, SHOP } from './mcp-scene.ts'

let api: ApiUnderTest
let shop: Site
let garden: Site
before(async () => {
  api = await startApi({
    limits: { mcp: { count: 500, seconds: 3600 }, agentFeedback: { count: 3, seconds: 3600 } },
    trustedProxies: 1,
    sites: { handle: async () => ({ status: 404, headers: {}, body: 'no such file' }) },
  })
  shop = await publishSite(api, 'shop', SHOP)
  garden = await publishSite(api, 'garden', {
    'docs.json': JSON.stringify({
      theme: 'mint',
      name: 'Garden',
      colors: { primary: '#123456' },
      feedback: { thumbsRating: false, codeSnippet: false },
      navigation: { pages: ['index'] },
    }),
    'index.mdx': '---\ntitle: Tulips\n---\nPlant them in autumn.',
  })
})
after(() => api[Symbol.asyncDispose]())

const HOST = 'shop.example.com'
const ENDPOINT = `https://${HOST}/mcp`

async function withClient(era: Era, act: (client: Client) => Promise<void>): Promise<void> {
  const client = await connectTo(ENDPOINT, fetchAs(api, HOST), era)
  try {
    await act(client)
  } finally {
    await client.close()
  }
}

const ERAS: Era[] = ['2026-07-28', 'legacy']
for (const era of ERAS)
  test(`the official client lists, searches and reads (${era})`, () =>
    withClient(era, async (client) => {
      assert.equal(client.getNegotiatedProtocolVersion(), era === 'legacy' ? '2025-11-25' : era)
      assert.deepEqual(client.getServerVersion()?.title, 'Shop docs')
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['search_docs', 'read_page', 'list_pages', 'list_operations', 'read_operation', 'submit_feedback'],
      )
      const found = await client.callTool({ name: 'search_docs', arguments: { query: 'partial refund' } })
      const { results } = found.structuredContent as { results: { path: string; uri: string }[] }
      assert.equal(results[0]?.path, '/guides/refunds')
      assert.equal(results[0]?.uri, 'https://shop.example.com/guides/refunds.md')
      const page = await client.callTool({ name: 'read_page', arguments: { path: '/guides/refunds' } })
      assert.match(page.content[0]?.text ?? '', /^# Refunds\n\n> Give money back\.[\s\S]*three days/)
      const { resources } = await client.listResources()
      const uri = resources.find(({ name }) => name === '/guides/shipping')?.uri ?? ''
      const { contents } = await client.readResource({ uri })
      assert.match(contents[0]?.text ?? '', /Parcels leave at noon/)
      const skill = resources.find(({ name }) => name === 'skill refund')
      assert.equal(skill?.description, 'Refunds an order.')
      for (const [file, words] of [
        ['SKILL.md', /Ask for the order/],
        ['parts/steps.md', /Steps of a refund/],
      ] as const) {
        const read = await client.readResource({ uri: (skill?.uri ?? '').replace('SKILL.md', file) })
        assert.match(read.contents[0]?.text ?? '', words)
      }
      assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1)
    }))

test('list_pages pages its results and filters by path and language, and list_operations filters by method', () =>
  withClient('2026-07-28', async (client) => {
    const list = async (given: object) =>
      (await client.callTool({ name: 'list_pages', arguments: given })).structuredContent as {
        pages: { path: string; place: string[] }[]
        nextCursor: string | null
      }
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const part = await list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) })
      seen.push(...part.pages.map(({ path }) => path))
      cursor = part.nextCursor
    }
    assert.deepEqual(seen.slice(0, 4), ['/', '/guides/refunds', '/guides/shipping', '/guides/long'])
    assert.equal(new Set(seen).size, seen.length)
    assert.ok(
      !seen.includes('/quiet') && !seen.includes('/hidden'),
      'what search does not show is not listed',
    )
    assert.equal((await list({ under: 'guides' })).pages.length, 3)
    assert.deepEqual(
      (await list({ language: 'fr' })).pages.map(({ path }) => path),
      ['/fr/guides/remboursement'],
    )
    const { structuredContent } = await client.callTool({
      name: 'list_operations',
      arguments: { method: 'get' },
    })
    const [operation, ...others] = (structuredContent as { operations: { path: string; summary: string }[] })
      .operations
    assert.deepEqual([operation?.path, operation?.summary, others], ['/orders/{id}', 'Get an order', []])
    const read = await client.callTool({
      name: 'read_operation',
      arguments: { method: 'GET', path: '/orders/{id}' },
    })
    assert.match(read.content[0]?.text ?? '', /`GET \/orders\/\{id\}`[\s\S]*Path parameters[\s\S]*`id`/)
  }))

test('read_page accepts any form of the page path, a section and an offset', () =>
  withClient('2026-07-28', async (client) => {
    const read = async (given: object) => client.callTool({ name: 'read_page', arguments: given })
    for (const path of ['guides/refunds', '/guides/refunds.md', 'https://shop.example.com/guides/refunds/'])
      assert.match((await read({ path })).content[0]?.text ?? '', /^# Refunds/, path)
    const section = await read({ path: '/guides/refunds', section: 'partial-refunds' })
    assert.match(section.content[0]?.text ?? '', /^## Partial refunds[\s\S]*### Rounding\n\nDown\.$/)
    const first = (await read({ path: '/guides/long' })).content[0]?.text ?? ''
    const next = /Continue with offset (\d+)\.\]$/.exec(first)?.[1]
    assert.ok(first.length < 41_000 && next !== undefined)
    const second = await read({ path: '/guides/long', offset: Number(next) })
    assert.match(second.content[0]?.text ?? '', /^\n?A line of a long page/)
  }))

test('invalid tool calls return errors that say how to correct them', () =>
  withClient('2026-07-28', async (client) => {
    const fault = async (name: string, given: object) => {
      const answer = await client.callTool({ name, arguments: given })
      assert.equal(answer.isError, true)
      return answer.content[0]?.text ?? ''
    }
    assert.match(await fault('read_page', { path: '/help/refunds' }), /Did you mean: \/guides\/refunds\?/)
    assert.match(await fault('read_page', { path: '/guides/refunds', section: 'No' }), /no such section/)
    assert.match(await fault('search_docs', { qurey: 'x' }), /`query` is required.*did you mean `query`\?/)
    assert.match(await fault('search_docs', { query: 'x'.repeat(401) }), /1 to 400 characters/)
    assert.match(await fault('search_docs', { query: 'x', language: 'xx' }), /Available: en, fr\./)
    assert.match(await fault('list_pages', { cursor: 'bm8' }), /Start again without it/)
    assert.match(await fault('read_operation', { method: 'GET', path: '/nope' }), /list_operations/)
    await assert.rejects(client.callTool({ name: 'drop_tables' }), /no such tool/)
    for (const file of ['quiet.md', 'index.html', '.well-known/skills/index.json'])
      await assert.rejects(client.readResource({ uri: `https://shop.example.com/${file}` }), /not found/)
  }))

test('agent feedback reaches the authors, is rate limited and is accepted only for existing pages', () =>
  withClient('legacy', async (client) => {
    const say = (path: string, feedback: string) =>
      client.callTool({ name: 'submit_feedback', arguments: { path, feedback } })
    const { structuredContent } = await say('/guides/refunds', 'Say which currencies round.')
    const { feedback } = await readPage(api, shop)
    assert.deepEqual(
      feedback.map(({ id, source, path, comment }) => ({ id, source, path, comment })),
      [
        {
          id: structuredContent?.id,
          source: 'agent',
          path: '/guides/refunds',
          comment: 'Say which currencies round.',
        },
      ],
    )
    assert.equal((await say('/nowhere', 'x')).isError, true)
    assert.equal((await say('/guides/refunds', 'x'.repeat(2049))).isError, true)
    assert.match((await say('/guides/refunds', 'x\0')).content[0]?.text ?? '', /character U\+0000/)
    await say('/', 'two')
    await say('/', 'three')
    assert.match((await say('/', 'four')).content[0]?.text ?? '', /Try again later/)
    assert.equal((await readPage(api, shop)).feedback.length, 3)
  }))

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const call = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
const search = (query: string) => call({ name: 'search_docs', arguments: { query } })

test('a site serves only its own pages and offers submit_feedback only where feedback is enabled', async () => {
  const ask = async (site: Site, body: string) => {
    const response = await api.fetch(`/_octavo/sites/${site.siteId}/mcp`, {
      method: 'POST',
      headers: HEADERS,
      body,
    })
    assert.equal(response.status, 200)
    return response.text()
  }
  assert.match(await ask(garden, search('tulips')), /Tulips/)
  assert.doesNotMatch(await ask(shop, search('tulips')), /autumn/)
  assert.doesNotMatch(await ask(garden, search('refund')), /three days/)
  for (const body of [
    call({ name: 'read_page', arguments: { path: 'https://shop.example.com/guides/refunds' } }),
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'https://shop.example.com/guides/refunds.md' },
    }),
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'https://garden.example.com/../../docs.json' },
    }),
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'resources/read',
      params: { uri: 'https://garden.example.com/__proto__' },
    }),
  ])
    assert.doesNotMatch(await ask(garden, body), /three days|primary/)
  const listed = await ask(garden, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))
  assert.doesNotMatch(listed, /submit_feedback/)
  const nobody = await api.fetch('/_octavo/sites/site_00000000000000000000000000/mcp', {
    method: 'POST',
    headers: HEADERS,
    body: search('x'),
  })
  assert.equal(nobody.status, 404)
  assert.equal((await api.fetch('/mcp', { method: 'POST', headers: HEADERS, body: search('x') })).status, 404)
})

test('feedback repeated with the same Idempotency-Key is stored once', async () => {
  const site = await publishSite(api, 'repeats', SHOP)
  const say = async (key: string, feedback: string) => {
    const response = await api.fetch(`/_octavo/sites/${site.siteId}/mcp`, {
      method: 'POST',
      headers: { ...HEADERS, 'Idempotency-Key': key },
      body: call({ name: 'submit_feedback', arguments: { path: '/', feedback } }),
    })
    return {
      status: response.status,
      replayed: response.headers.get('idempotent-replayed'),
      text: await response.text(),
    }
  }
  const first = await say('k', 'Say more.')
  assert.deepEqual([first.status, first.replayed], [200, null])
  assert.deepEqual(await say('k', 'Say more.'), { ...first, replayed: 'true' })
  assert.equal((await say('k', 'Say less.')).status, 422)
  assert.equal((await say('k'.repeat(256), 'Say more.')).status, 400)
  assert.equal((await readPage(api, site)).feedback.length, 1)
})

test('methods, origins and addresses follow the MCP specification', async () => {
  const at = fetchAs(api, HOST)
  for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
    const response = await at(ENDPOINT, { method, headers: { Accept: 'text/event-stream' } })
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'OPTIONS, POST'], method)
  }
  const from = (origin: string) =>
    at(ENDPOINT, { method: 'POST', headers: { ...HEADERS, Origin: origin }, body: search('refund') })
  assert.equal((await from('https://evil.example')).status, 403)
  assert.equal((await from('null')).status, 403)
  assert.equal((await from('https://shop.example.com')).status, 200)
  const rebound = await fetchAs(api, 'evil.example')('http://evil.example/_octavo/mcp', {
    method: 'POST',
    headers: { ...HEADERS, Origin: 'http://evil.example' },
    body: search('refund'),
  })
  assert.equal(rebound.status, 404)
  const preflight = await at(ENDPOINT, { method: 'OPTIONS', headers: { Origin: 'https://shop.example.com' } })
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /MCP-Protocol-Version/)
  const browser = await at(ENDPOINT, { headers: { Accept: 'text/html' } })
  assert.equal(await browser.text(), 'no such file', 'a page of the site may have this address')
})

test('refuses malformed, oversized, too frequent and unsupported-version messages', async () => {
  const send = async (body: string, headers: Record<string, string> = {}) => {
    const response = await fetchAs(api, HOST)(ENDPOINT, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body,
    })
    const text = await response.text()
    return { status: response.status, error: text === '' ? null : JSON.parse(text).error }
  }
  const modern = (fields: object, method = 'tools/list') =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta: fields } })
  const meta = (version: string) => ({
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  })
  const version = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' }
  assert.equal((await send('{')).status, 400)
  for (const body of [
    '[]',
    '1',
    'null',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1}',
  ])
    assert.equal((await send(body)).error.code, -32600, body)
  assert.equal((await send(`{"jsonrpc":"2.0","id":"${'x'.repeat(500)}","method":"ping"}`)).error.code, -32600)
  assert.deepEqual(await send('{"jsonrpc":"2.0","method":"notifications/initialized"}'), {
    status: 202,
    error: null,
  })
  assert.equal((await send(modern(meta('2026-07-28')), {})).error.code, -32020)
  assert.equal(
    (await send(modern(meta('2026-07-28')), { ...version, 'Mcp-Method': 'ping' })).error.code,
    -32020,
  )
  assert.equal((await send(modern({}), version)).error.code, -32020)
  const later = await send(modern(meta('2099-01-01')), { ...version, 'MCP-Protocol-Version': '2099-01-01' })
  assert.deepEqual([later.status, later.error.code], [400, -32022])
  assert.ok(later.error.data.supported.includes('2026-07-28'))
  const unknown = await send(modern(meta('2026-07-28'), 'prompts/list'), {
    ...version,
    'Mcp-Method': 'prompts/list',
  })
  assert.deepEqual([unknown.status, unknown.error.code], [404, -32601])
  assert.equal((await send(search('x'.repeat(1_100_000)))).status, 413)
  assert.equal((await send(search(`${'['.repeat(500_000)}`))).status, 200)
  assert.equal(
    (await send(call({ name: 'search_docs', arguments: JSON.parse('{"__proto__":{"query":"x"}}') }))).status,
    200,
  )
  let refused: Response | null = null
  for (let sent = 0; sent < 600 && refused === null; sent++) {
    const response = await fetchAs(api, HOST)(ENDPOINT, {
      method: 'POST',
      headers: { ...HEADERS, 'X-Forwarded-For': '203.0.113.99' },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    })
    if (response.status === 429) refused = response
  }
  assert.ok(Number(refused?.headers.get('retry-after')) > 0)
})

test('clients discover the server through ai-catalog.json and its server card', async () => {
  const at = fetchAs(api, HOST)
  const catalog = await at(`https://${HOST}/.well-known/ai-catalog.json`)
  assert.equal(catalog.headers.get('content-type'), 'application/ai-catalog+json')
  const { entries } = (await catalog.json()) as { entries: { url: string; type: string }[] }
  const card = await at(entries[0]?.url ?? '')
  assert.equal(card.headers.get('content-type'), entries[0]?.type)
  assert.equal(card.headers.get('access-control-allow-origin'), '*')
  const { name, title, remotes } = (await card.json()) as Record<string, unknown>
  assert.deepEqual([name, title], ['com.example.shop/docs', 'Shop docs'])
  assert.deepEqual((remotes as { url: string }[])[0]?.url, ENDPOINT)
  assert.equal((await fetchAs(api, 'nobody.example')('http://nobody.example/mcp/server-card')).status, 404)
})
