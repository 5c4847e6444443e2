/** Tests of references to API descriptions in pages, and of the routes of generated pages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../load-site.ts'
import type { Site } from '../model.ts'

const SPEC = JSON.stringify({ openapi: '3.1.0', paths: { '/ping': { get: {} } } })
const YAML_SPEC = 'openapi: 3.0.0\npaths:\n  /orders:\n    get:\n      summary: List orders\n'

function siteOf(navigation: object, files: Record<string, string>): Promise<Site> {
  const settings = { name: 'T', theme: 'mint', colors: { primary: '#123456' }, navigation }
  const all = { 'docs.json': JSON.stringify(settings), 'index.mdx': 'x', 'api/spec.json': SPEC }
  return loadSite(openMemoryTree({ ...all, ...files }))
}

test('a page references an API description relative to itself, to the docs folder or by name', async () => {
  const orders = YAML_SPEC.replaceAll('orders', 'parcels')
  const page = (openapi: string) => `---\nopenapi: ${openapi}\n---\n`
  const site = await siteOf(
    { pages: ['index'] },
    {
      'deep/orders.yaml': YAML_SPEC,
      'deep/pages/orders.yaml': orders,
      'deep/pages/up.mdx': page('../orders.yaml get /orders'),
      'deep/pages/beside.mdx': page('./orders.yaml GET /parcels'),
      'deep/pages/bare.mdx': page('orders GET /parcels'),
      'deep/pages/root.mdx': page('/deep/orders.yaml GET /orders'),
      'deep/pages/tail.mdx': page('../api/spec GET /ping'),
      'deep/pages/name.mdx': page('spec.json GET /ping'),
      'deep/pages/outside.mdx': page('../../../../spec.json GET /ping'),
      'deep/pages/other.mdx': page('v2/spec.json GET /ping'),
    },
  )
  const spec = (name: string) => site.pages.get(`/deep/pages/${name}`)?.operation?.spec
  assert.deepEqual(['up', 'beside', 'bare', 'root', 'tail', 'name', 'outside', 'other'].map(spec), [
    'deep/orders.yaml',
    'deep/pages/orders.yaml',
    'deep/pages/orders.yaml',
    'deep/orders.yaml',
    'api/spec.json',
    'api/spec.json',
    'api/spec.json',
    undefined,
  ])
  assert.deepEqual(
    site.problems.map(({ code, file }) => [code, file]),
    [['api.spec_missing', 'deep/pages/other.mdx']],
  )
})

test('operation routes keep underscores, and alternative spellings redirect to them', async () => {
  const operation = (tags: string[], summary?: string) => ({ get: summary ? { tags, summary } : { tags } })
  const spec = {
    openapi: '3.0.0',
    paths: {
      '/a': operation(['customer_portal'], 'checkout_created'),
      '/v1/b/{id}/c': { get: { operationId: 'getC' } },
      '/c': operation(['B & C'], "Get the user's [new] key (beta), v1.2 / all"),
      '/d': operation([], 'Get - one'),
      '/e': operation([], '获取 用户'),
    },
  }
  const site = await siteOf(
    { pages: ['index', { group: 'A', openapi: 'own.json' }] },
    {
      'own.json': JSON.stringify(spec),
      'api-reference/getc.mdx': 'Taken',
    },
  )
  const routes = [...site.pages.values()].filter(({ operation }) => operation).map(({ route }) => route)
  assert.deepEqual(routes, [
    '/api-reference/b-&-c/get-the-users-[new]-key-beta-v12-all',
    '/api-reference/customer_portal/checkout_created',
    '/api-reference/get--one',
    '/api-reference/get-v1b-c',
    '/api-reference/获取-用户',
  ])
  assert.deepEqual(
    site.redirects.map(({ source, destination }) => [source, destination]),
    [
      ['/api-reference/customer-portal/checkout-created', routes[1]],
      ['/api-reference/getc-2', routes[3]],
      ['/api-reference/b-c/get-the-users-new-key-beta-v1-2-all', routes[0]],
      ['/api-reference/get-one', routes[2]],
    ],
  )
})
