import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTools, SITE } from './tool-scene.ts'

const schemas = { Pet: { type: 'object', properties: { owner: { $ref: '#/components/schemas/Person' } } } }
const Person = {
  type: 'object',
  properties: { pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
}
const paths = Object.fromEntries(
  Array.from({ length: 2000 }, (_, n) => [
    `/pets/${n}`,
    {
      parameters: [{ name: 'lang', in: 'query' }],
      get: {
        summary: `Get pet ${n}`,
        description: 'x'.repeat(800),
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        },
      },
    },
  ]),
)
const large = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  paths,
  components: { schemas: { ...schemas, Person } },
})

test('read_api lists, searches and reads operations of a large API description with their references', async () => {
  assert.ok(large.length > 1 << 20)
  const { use, refused } = openTools({ ...SITE, 'api.json': large })
  assert.match(await refused('read_file', { path: 'api.json' }), /larger than 1 MiB.*read_api/)
  const list = await use('read_api', { path: 'api.json' })
  assert.match(
    list,
    /^"api\.json": 2000 operations\nGET \/pets\/0: Get pet 0\n[\s\S]*call again with offset 150/,
  )
  assert.match(
    await use('read_api', { path: 'api.json', find: 'PET 1999' }),
    /1 operation\nGET \/pets\/1999: Get pet 1999$/,
  )
  const one = await use('read_api', { path: 'api.json', operation: 'get /pets/7' })
  assert.match(one, /^GET \/pets\/7\n[\s\S]*"parameters of the path"[\s\S]*"Get pet 7"/)
  assert.match(one, /\n#\/components\/schemas\/Pet\n[\s\S]*\n#\/components\/schemas\/Person\n/)
  assert.equal(one.split('\n#/components/schemas/Pet\n').length, 2)
})

test('read_api reports invalid, oversized and missing operations, and handles circular references', async () => {
  const circle = JSON.stringify({
    openapi: '3.0.0',
    paths: {
      '/a': {
        get: {
          responses: { 200: { $ref: '#/paths/~1a/get' }, 400: { $ref: '#/gone' }, 500: { $ref: 'x.yaml' } },
        },
      },
    },
  })
  const { use, refused } = openTools({
    ...SITE,
    'circle.json': circle,
    'huge.json': Buffer.alloc((32 << 20) + 1, 32),
    'bad.yaml': 'openapi: [',
  })
  assert.match(await use('read_api', { path: 'circle.json', operation: 'GET /a' }), /#\/gone\nnull/)
  assert.match(
    await refused('read_api', { path: 'circle.json', operation: 'GET /b' }),
    /has no operation "GET \/b"/,
  )
  assert.match(await refused('read_api', { path: 'huge.json' }), /larger than 32 MiB/)
  assert.match(await refused('read_api', { path: 'bad.yaml' }), /not a valid API description/)
  assert.match(await refused('read_api', { path: 'docs.json' }), /not a valid API description/)
  assert.match(await refused('read_api', { path: '.env' }), /is used by tools/)
})
