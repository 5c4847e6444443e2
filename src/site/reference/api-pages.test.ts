import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { loadSite } from '../load-site.ts'
import type { NavItem, Site } from '../model.ts'

const SPEC = JSON.stringify({
  openapi: '3.1.0',
  tags: [{ name: 'users', 'x-group': 'People' }],
  paths: {
    '/users': {
      description: 'Shared words',
      get: { tags: ['users'], summary: 'List users', operationId: 'listUsers' },
      post: { tags: ['users'], operationId: 'createUser', description: 'Makes one', deprecated: true },
    },
    '/users/{id}': {
      get: { tags: ['users'], summary: 'List users' },
      delete: { tags: ['users'], 'x-excluded': true },
      patch: { tags: ['users'], 'x-hidden': true, summary: 'Secret change' },
    },
    '/ping': { get: {} },
    '/kept': { get: { 'x-mint': { href: '/guides/kept', metadata: { title: 'Kept here', tag: 'NEW' } } } },
  },
  webhooks: { 'user.created': { post: { summary: 'User created' } } },
})
const YAML_SPEC = 'openapi: 3.0.0\npaths:\n  /orders:\n    get:\n      summary: List orders\n'

async function siteOf(
  navigation: object,
  files: Record<string, string> = {},
  more: object = {},
): Promise<Site> {
  const settings = { name: 'T', theme: 'mint', colors: { primary: '#123456' }, navigation, ...more }
  return loadSite(
    openMemoryTree({
      'docs.json': JSON.stringify(settings, null, 1),
      'index.mdx': 'x',
      'api/spec.json': SPEC,
      ...files,
    }),
  )
}

function outline(items: readonly NavItem[]): unknown[] {
  return items.map((item) =>
    item.kind === 'group'
      ? { [item.label]: outline(item.items) }
      : item.kind === 'page'
        ? item.route
        : item.href,
  )
}

test('an openapi entry without pages gets a page for each operation, grouped by tag', async () => {
  const site = await siteOf({
    tabs: [
      { tab: 'Start', pages: ['index'] },
      { tab: 'API', openapi: 'api/spec.json' },
    ],
  })
  assert.deepEqual(site.problems, [])
  assert.deepEqual(outline(site.sidebars[1]?.items ?? []), [
    {
      People: [
        '/api-reference/users/list-users',
        '/api-reference/users/post-users',
        '/api-reference/users/list-users-1',
      ],
    },
    '/api-reference/get-ping',
    '/guides/kept',
    '/api-reference/user-created',
  ])
  const created = site.pages.get('/api-reference/users/post-users')
  assert.deepEqual(created?.operation, {
    spec: 'api/spec.json',
    method: 'POST',
    path: '/users',
    summary: null,
    description: 'Makes one',
    tags: ['users'],
  })
  assert.deepEqual([created?.title, created?.isDeprecated, created?.file], ['POST /users', true, null])
  assert.equal(site.pages.get('/api-reference/users/list-users')?.description, 'Shared words')
  assert.equal(site.pages.get('/api-reference/user-created')?.operation?.method, 'WEBHOOK')
  assert.deepEqual(
    [site.pages.get('/guides/kept')?.title, site.pages.get('/guides/kept')?.tag],
    ['Kept here', 'NEW'],
  )
  assert.equal(site.pages.get('/api-reference/users/secret-change')?.isHidden, true)
  assert.equal(
    [...site.pages.values()].some((page) => page.operation?.method === 'DELETE'),
    false,
  )
})

test('lists only the named operations, in the directory of the nearest scope and alongside pages', async () => {
  const site = await siteOf(
    {
      tabs: [
        {
          tab: 'API',
          openapi: { source: '/api/spec.json', directory: 'reference' },
          groups: [
            { group: 'A', pages: ['index', 'GET /users', 'get /users/{id}/'] },
            {
              group: 'B',
              openapi: 'orders.yaml',
              pages: ['GET /orders', 'webhook user.created', 'spec.json GET /ping'],
            },
          ],
        },
      ],
    },
    { 'orders.yaml': YAML_SPEC },
  )
  assert.deepEqual(site.problems, [])
  assert.deepEqual(outline(site.sidebars[0]?.items ?? []), [
    { A: ['/', '/reference/users/list-users', '/reference/users/list-users-1'] },
    { B: ['/reference/list-orders', '/reference/user-created', '/reference/get-ping'] },
  ])
})

test('an operation listed twice is one page with two placements', async () => {
  const site = await siteOf({
    versions: [
      { version: '1', openapi: 'api/spec.json', pages: ['GET /users'] },
      { version: '2', openapi: 'api/spec.json', pages: ['GET /users'] },
    ],
  })
  assert.deepEqual(site.problems, [])
  assert.equal(site.pages.get('/api-reference/users/list-users')?.placements.length, 2)
})

test('reports an unknown operation and suggests the nearest one', async () => {
  const site = await siteOf({ openapi: 'api/spec.json', pages: ['index', 'PUT /users', 'GET /user'] })
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.level, problem.line, problem.remedy]),
    [
      ['api.operation_missing', 'error', 11, 'Did you mean GET /users?'],
      ['api.operation_missing', 'error', 12, 'Did you mean GET /users?'],
    ],
  )
})

test('reports API descriptions that are missing, broken, remote or of the wrong kind', async () => {
  const site = await siteOf(
    {
      groups: [
        { group: 'I', pages: ['index'] },
        { group: 'A', openapi: 'api/spce.json' },
        { group: 'B', openapi: 'broken.yaml' },
        { group: 'C', openapi: 'https://x.y/z.json' },
        { group: 'D', asyncapi: 'async.yaml' },
        { group: 'E', openapi: 'data.json' },
      ],
    },
    { 'broken.yaml': 'openapi: [3\n', 'async.yaml': 'asyncapi: 3.0.0\n', 'data.json': '{}' },
  )
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.level]),
    [
      ['api.spec_missing', 'error'],
      ['api.spec_unreadable', 'error'],
      ['api.spec_remote', 'warning'],
      ['api.spec_unreadable', 'error'],
    ],
  )
  assert.match(site.problems[0]?.remedy ?? '', /api\/spec\.json/)
})

test('a named operation of a remote API description gets a page with its method and path', async () => {
  const site = await siteOf({ openapi: 'https://x.y/z.json', pages: ['POST /things'] })
  const page = site.pages.get('/api-reference/post-things')
  assert.deepEqual([page?.title, page?.operation?.spec], ['POST /things', 'https://x.y/z.json'])
})

test('every form of openapi in frontmatter resolves to its operation', async () => {
  const forms = [
    'GET /users',
    'get /users/',
    'api/spec.json GET /users',
    '/api/spec.json get /users',
    'spec GET /users',
    'api/spec GET /users',
  ]
  const files = Object.fromEntries(forms.map((form, i) => [`p${i}.mdx`, `---\nopenapi: "${form}"\n---\n`]))
  files['hook.mdx'] = "---\ntitle: Own\nopenapi: 'WEBHOOK user.created'\n---\n"
  const site = await siteOf({ pages: Object.keys(files).map((file) => file.replace('.mdx', '')) }, files)
  assert.deepEqual(site.problems, [])
  for (const [i] of forms.entries()) {
    const page = site.pages.get(`/p${i}`)
    assert.deepEqual(
      [page?.title, page?.operation?.method, page?.operation?.path],
      ['List users', 'GET', '/users'],
    )
  }
  assert.deepEqual(
    [site.pages.get('/hook')?.title, site.pages.get('/hook')?.operation?.path],
    ['Own', 'user.created'],
  )
})

test('an API description next to the page is distinct from one with the same name at the root', async () => {
  const spec = (path: string) =>
    JSON.stringify({ openapi: '3.1.0', paths: { [path]: { get: { summary: path } } } })
  const page = (openapi: string) => `---\ntitle: P\nopenapi: "${openapi}"\n---\nx`
  const site = await siteOf(
    { pages: ['deep/down/up', 'deep/down/own', 'deep/down/root'] },
    {
      'own.json': spec('/root'),
      'deep/own.json': spec('/up'),
      'deep/down/own.json': spec('/own'),
      'deep/down/up.mdx': page('../own.json get /up'),
      'deep/down/own.mdx': page('./own.json get /own'),
      'deep/down/root.mdx': page('own.json get /root'),
    },
  )
  const shown = ['up', 'own', 'root'].map((name) => site.pages.get(`/deep/down/${name}`)?.operation?.spec)
  assert.deepEqual(shown, ['deep/own.json', 'deep/down/own.json', 'own.json'])
})

test('reports frontmatter without a known operation at its line and keeps the page', async () => {
  const site = await siteOf(
    { pages: ['a', 'b', 'c'] },
    {
      'a.mdx': '---\ntitle: A\nopenapi: GET /nothing\n---\n',
      'b.mdx': '---\nopenapi: something else\n---\n',
      'c.mdx': '---\nopenapi: gone.json GET /users\n---\n',
    },
  )
  assert.deepEqual(
    site.problems.map((problem) => [problem.code, problem.file, problem.line]),
    [
      ['api.operation_missing', 'a.mdx', 3],
      ['frontmatter.openapi', 'b.mdx', 2],
      ['api.spec_missing', 'c.mdx', 2],
    ],
  )
  assert.equal(site.pages.get('/a')?.operation, null)
  assert.deepEqual(
    ['/a', '/b', '/c', '/'].map((route) => site.pages.get(route)?.unfilled),
    ['GET /nothing', 'something else', 'gone.json GET /users', null],
  )
})

test('a page file takes precedence over a generated page with the same route', async () => {
  const site = await siteOf(
    { pages: ['index', { group: 'A', openapi: 'api/spec.json' }] },
    { 'api-reference/get-ping.mdx': 'x', 'guides/kept.mdx': '---\ntitle: By hand\n---\n' },
  )
  assert.equal(site.pages.get('/api-reference/get-ping')?.file, 'api-reference/get-ping.mdx')
  assert.equal(site.pages.get('/api-reference/get-ping-1')?.operation?.path, '/ping')
  const kept = site.pages.get('/guides/kept')
  assert.deepEqual([kept?.title, kept?.operation?.path, kept?.isHidden], ['By hand', '/kept', false])
})

test('fetches a remote API description, and reports one that cannot be fetched only once', async () => {
  const settings = {
    name: 'T',
    theme: 'mint',
    colors: { primary: '#123456' },
    navigation: {
      groups: [
        { group: 'A', openapi: 'https://x.y/good.json' },
        { group: 'B', openapi: 'https://x.y/bad.json', pages: ['GET /one', 'GET /two'] },
      ],
    },
  }
  const tree = openMemoryTree({ 'docs.json': JSON.stringify(settings), 'index.mdx': 'x' })
  const site = await loadSite(tree, {
    fetchSpec: async (url) =>
      url.endsWith('good.json') ? { bytes: Buffer.from(SPEC) } : { fault: 'The server answered 500.' },
  })
  assert.equal(site.pages.get('/api-reference/users/list-users')?.operation?.spec, 'https://x.y/good.json')
  assert.ok(site.apis.has('https://x.y/good.json'))
  assert.deepEqual(
    site.problems.map(({ code, message }) => [code, message]),
    [
      [
        'api.spec_remote',
        'The API description “https://x.y/bad.json” could not be fetched: The server answered 500.',
      ],
    ],
  )
  assert.equal(site.pages.get('/api-reference/get-two')?.title, 'GET /two')
})

const ASYNC = `asyncapi: 3.0.0
channels:
  prices: { address: 'prices/{symbol}', title: Live prices, description: All of them, tags: [{ name: market }] }
  hidden: { title: Nobody, x-hidden: true }
  gone: { x-excluded: true }
`

test('channels get pages grouped by tag, and pages can reference channels and data models', async () => {
  const site = await siteOf(
    {
      groups: [
        { group: 'Events', asyncapi: 'async.yaml' },
        { group: 'Own', pages: ['index', 'own', 'model'] },
      ],
    },
    {
      'async.yaml': ASYNC,
      'own.mdx': '---\nasyncapi: "async.yaml prices"\n---\n',
      'model.mdx': '---\nopenapi-schema: "models.json User"\n---\n',
      'models.json': JSON.stringify({
        openapi: '3.1.0',
        components: { schemas: { User: { title: 'A user', description: 'Somebody' } } },
      }),
    },
  )
  assert.deepEqual(site.problems, [])
  assert.deepEqual(outline(site.sidebars[0]?.items ?? [])[0], {
    Events: [{ market: ['/api-reference/market/live-prices'] }],
  })
  assert.equal(site.pages.get('/api-reference/nobody')?.isHidden, true)
  const page = site.pages.get('/api-reference/market/live-prices')
  assert.deepEqual([page?.operation?.method, page?.operation?.path], ['CHANNEL', 'prices'])
  assert.equal(site.pages.get('/own')?.title, 'Live prices')
  const model = site.pages.get('/model')
  assert.deepEqual(
    [model?.title, model?.description, model?.operation?.method],
    ['A user', 'Somebody', 'SCHEMA'],
  )
})

test('reports an unknown channel or data model and suggests the nearest name if there is one', async () => {
  const site = await siteOf(
    { pages: ['a', 'b'] },
    {
      'async.yaml': ASYNC,
      'a.mdx': '---\nasyncapi: async.yaml price\n---\n',
      'b.mdx': '---\nopenapi-schema: api/spec.json Usr\n---\n',
    },
  )
  assert.deepEqual(
    site.problems.map(({ code, file, message, remedy }) => [code, file, message, remedy]),
    [
      [
        'api.operation_missing',
        'a.mdx',
        'There is no channel “price” in async.yaml.',
        'Did you mean prices?',
      ],
      [
        'api.operation_missing',
        'b.mdx',
        'There is no data model “Usr” in api/spec.json.',
        'Correct the name, or remove the entry.',
      ],
    ],
  )
})
