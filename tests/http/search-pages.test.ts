import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { FoundPages } from '../../src/features/reader/operations/search-pages.ts'
import { makeSite, type Site } from '../feedback/feedback-scene.ts'
import { fetchAs, publishSite, SHOP } from '../mcp/mcp-scene.ts'
import { type ApiUnderTest, startApi } from './api-under-test.ts'

const HOST = 'shop.example.com'

let api: ApiUnderTest
let shop: Site
before(async () => {
  api = await startApi({ limits: { siteSearches: { count: 40, seconds: 3600 } }, trustedProxies: 1 })
  shop = await publishSite(api, 'shop', SHOP)
})
after(() => api[Symbol.asyncDispose]())

function ask(query: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  const address = `http://${HOST}/_octavo/search?${new URLSearchParams(query)}`
  return fetchAs(api, HOST)(address, { headers: { 'X-Forwarded-For': '203.0.113.9', ...headers } })
}

async function find(query: Record<string, string>): Promise<FoundPages> {
  const response = await ask(query)
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as FoundPages
}

async function faultOf(query: Record<string, string>): Promise<string> {
  const response = await ask(query)
  assert.equal(response.status, 400)
  const { details } = (await response.json()) as { details: { message: string }[] }
  return details.map(({ message }) => message).join(' ')
}

test('returns matching pages with the section that contains the match', async () => {
  const { language, results } = await find({ query: 'partial refund' })
  assert.equal(language, 'en')
  assert.deepEqual(results[0], {
    path: '/guides/refunds',
    title: 'Refunds',
    place: ['Guides'],
    version: null,
    passages: [
      { heading: 'Partial refunds', anchor: 'partial-refunds', text: 'Name the amount in cents.' },
      ...(results[0]?.passages.slice(1) ?? []),
    ],
  })
  assert.deepEqual((await find({ query: 'giraffe zebra' })).results, [], 'what search does not show')
  assert.deepEqual((await find({ query: '☃ — …' })).results, [])
})

test('searches one language and names it in the response', async () => {
  const { language, results } = await find({ query: 'trois jours', language: 'fr' })
  assert.equal(language, 'fr')
  assert.deepEqual(
    results.map(({ path }) => path),
    ['/fr/guides/remboursement'],
  )
  assert.match(await faultOf({ query: 'x', language: 'de' }), /a language of the site: `en`, `fr`/)
})

test('rejects an invalid query and says what to send', async () => {
  assert.match(await faultOf({}), /query/)
  assert.match(await faultOf({ query: '' }), /query/)
  assert.match(await faultOf({ query: 'a'.repeat(401) }), /400/)
  assert.match(await faultOf({ query: 'a', limit: '3' }), /limit/)
  assert.equal((await ask({ query: 'a\0' })).status, 400)
  assert.equal((await find({ query: 'refund '.repeat(57) })).results[0]?.path, '/guides/refunds')
})

test('search by site id accepts only origins of the site', async () => {
  const address = `/_octavo/sites/${shop.siteId}/search?query=shipping`
  const search = (origin: string) => api.fetch(address, { headers: { Origin: origin } })
  const own = await search(`https://${HOST}`)
  assert.equal(own.status, 200)
  assert.equal(own.headers.get('access-control-allow-origin'), `https://${HOST}`)
  assert.equal((await search('https://evil.example.net')).status, 403)
  assert.equal((await api.fetch(address.replace(shop.siteId, 'site_nobody'))).status, 404)
  const preflight = await api.fetch(address, { method: 'OPTIONS', headers: { Origin: `https://${HOST}` } })
  assert.equal(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD')
  assert.equal((await api.fetch(address, { method: 'POST' })).status, 405)
})

test('HEAD is answered as GET without the body', async () => {
  for (const address of [
    `/_octavo/sites/${shop.siteId}/search?query=shipping`,
    '/_octavo/sites/site_nobody/search?query=x',
  ]) {
    const get = await api.fetch(address)
    const head = await api.fetch(address, { method: 'HEAD' })
    assert.equal(head.status, get.status)
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'))
    assert.equal(await head.text(), '')
  }
})

test('returns 503 for the search of a site that has not been published', async () => {
  const { siteId } = await makeSite(api, 'empty')
  const response = await api.fetch(`/_octavo/sites/${siteId}/search?query=shipping`)
  assert.equal(response.status, 503)
  assert.match(await response.text(), /has not been published/)
})

test('search responses are not cached, and searches are rate limited per address and per site', async () => {
  const first = await ask({ query: 'noon' })
  assert.equal(first.headers.get('cache-control'), 'no-store')
  assert.equal(first.headers.get('x-ratelimit-limit'), '120')
  let refused = first
  for (let asked = 0; asked < 41 && refused.status === 200; asked++)
    refused = await ask({ query: 'noon' }, { 'X-Forwarded-For': `203.0.${asked}.1` })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
})
