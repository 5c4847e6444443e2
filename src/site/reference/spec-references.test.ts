import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryTree } from '../../base/files/memory-tree.ts'
import { followReference, type JsonObject, resolvePointer } from '../../openapi/api-json.ts'
import { type ApiDocument, readApiDocument } from './spec-document.ts'
import { createSpecSources, type SpecFetch } from './spec-sources.ts'

async function read(files: Record<string, string>, name: string, fetchSpec: SpecFetch | null = null) {
  const tree = openMemoryTree(files)
  const document = await readApiDocument(createSpecSources(tree, new Set(tree.files.keys()), fetchSpec), name)
  assert.ok('root' in document)
  return document
}

const schemaAt = ({ root }: ApiDocument, pointer: string): JsonObject =>
  followReference(root, resolvePointer(root, pointer))

test('inlines references to other files of the docs folder, including circular ones', async () => {
  const document = await read(
    {
      'api/main.yaml':
        'openapi: 3.1.0\npaths:\n  /a: { $ref: "./paths/a.yaml" }\ncomponents:\n  schemas:\n    Own: { type: string }\n',
      'api/paths/a.yaml':
        'get:\n  responses:\n    "200":\n      content:\n        application/json: { schema: { $ref: "../models.json#/User" } }\n',
      'api/models.json': JSON.stringify({
        User: {
          properties: { boss: { $ref: '#/User' }, own: { $ref: 'main.yaml#/components/schemas/Own' } },
        },
      }),
    },
    'api/main.yaml',
  )
  assert.deepEqual(document.faults, [])
  const operation = followReference(document.root, resolvePointer(document.root, '#/paths/~1a'))
  assert.ok(operation.get)
  const user = schemaAt(document, '#/x-octavo-files/f2/User')
  const { boss, own } = user.properties as Record<string, JsonObject>
  assert.equal(followReference(document.root, boss), user)
  assert.deepEqual(followReference(document.root, own), { type: 'string' })
})

test('references never leave the docs folder, and unresolved ones are reported with their file', async () => {
  const document = await read(
    {
      'main.json': JSON.stringify({
        openapi: '3.1.0',
        components: {
          schemas: {
            a: { $ref: '../../etc/passwd' },
            b: { $ref: 'file:///etc/passwd' },
            c: { $ref: '#/components/schemas/none' },
            d: { $ref: 'other.json#/x/y' },
            e: { example: { $ref: 'data, no reference' } },
            f: { $ref: 'https://x.y/z.json#/a' },
          },
        },
      }),
      'other.json': '{"x":{}}',
    },
    'main.json',
  )
  assert.deepEqual(document.faults.map(({ reference, from }) => [reference, from]).sort(), [
    ['#/components/schemas/none', 'main.json'],
    ['../../etc/passwd', 'main.json'],
    ['file:///etc/passwd', 'main.json'],
    ['https://x.y/z.json#/a', 'main.json'],
    ['other.json#/x/y', 'main.json'],
  ])
})

test('a fetched API description may reference URLs on its own host only', async () => {
  const asked: string[] = []
  const fetchSpec: SpecFetch = async (url) => {
    asked.push(url)
    const text = url.endsWith('main.json')
      ? '{"openapi":"3.1.0","components":{"schemas":{"A":{"$ref":"parts/a.json#/A"},"B":{"$ref":"https://other.example/b.json"}}}}'
      : '{"A":{"type":"string"}}'
    return { bytes: Buffer.from(text) }
  }
  const document = await read({}, 'https://x.example/api/main.json', fetchSpec)
  assert.deepEqual(asked, ['https://x.example/api/main.json', 'https://x.example/api/parts/a.json'])
  assert.deepEqual(schemaAt(document, '#/components/schemas/A'), { type: 'string' })
  assert.deepEqual(
    document.faults.map(({ reference }) => reference),
    ['https://other.example/b.json'],
  )
})

test('pointers do not resolve to prototype properties', async () => {
  const document = await read(
    { 'a.yaml': 'openapi: 3.1.0\n__proto__: { $ref: "#/constructor" }\n' },
    'a.yaml',
  )
  assert.equal(resolvePointer(document.root, '#/constructor'), undefined)
  assert.equal(resolvePointer(document.root, '#/toString'), undefined)
})

const laughs = Array.from({ length: 12 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`).join(
  '\n',
)
for (const [name, text] of Object.entries({
  'a text that holds itself': 'openapi: 3.1.0\nx: &x\n  y: *x\n',
  'a list that multiplies': `openapi: 3.1.0\nl0: &l0 [1]\n${laughs}\n`,
  'brackets without end': `{"openapi": "3.1.0", "x": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  'brackets that never close': `openapi: 3.1.0\nx: ${'['.repeat(200_000)}`,
})) {
  test(`rejects ${name} as an unreadable API description`, async () => {
    const tree = openMemoryTree({ 'a.yaml': text })
    assert.deepEqual(
      await readApiDocument(createSpecSources(tree, new Set(tree.files.keys()), null), 'a.yaml'),
      { kind: 'unreadable' },
    )
  })
}
