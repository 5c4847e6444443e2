import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import type { Operation } from '../../base/api/operation.ts'
import { OPERATIONS } from '../../features/operations.ts'
import { DESCRIBED_AREAS, describeApi } from './openapi.ts'

const publicUrl = 'https://octavo.example.com'

test('titled schemas become named components at any depth, even with properties named like keywords', () => {
  const Leaf = Type.Object({ type: Type.String(), items: Type.Integer() }, { title: 'Leaf' })
  const Tree = Type.Object(
    { leaves: Type.Array(Leaf), first: Type.Union([Leaf, Type.Null()]) },
    { title: 'Tree' },
  )
  const operation: Operation = {
    method: 'GET',
    path: '/v1/trees',
    area: 'static-export',
    summary: 'A tree',
    limit: null,
    params: null,
    query: null,
    body: null,
    success: { status: 200, schema: Tree },
  }
  const description = describeApi({ getTree: operation }, { publicUrl, part: 'static-export' })
  const { schemas } = description.components as { schemas: Record<string, unknown> }
  assert.deepEqual(Object.keys(schemas), ['Error', 'Leaf', 'Tree'])
  assert.deepEqual(schemas.Tree, {
    type: 'object',
    title: 'Tree',
    required: ['leaves', 'first'],
    properties: {
      leaves: { type: 'array', items: { $ref: '#/components/schemas/Leaf' } },
      first: { anyOf: [{ $ref: '#/components/schemas/Leaf' }, { type: 'null' }] },
    },
  })
  assert.deepEqual((schemas.Leaf as { properties: object }).properties, {
    type: { type: 'string' },
    items: { type: 'integer' },
  })
})

test('each operation lists its success, its own and the common errors, and rate limit headers', () => {
  const description = describeApi(OPERATIONS, { publicUrl, part: null })
  const paths = description.paths as Record<string, Record<string, { responses: Record<string, unknown> }>>
  const { responses = {} } = paths['/v1/static-export/jobs']?.post ?? {}
  assert.deepEqual(Object.keys(responses), [
    '202',
    '400',
    '401',
    '403',
    '405',
    '408',
    '409',
    '413',
    '415',
    '422',
    '429',
    '431',
    '500',
    '503',
  ])
  const { headers } = responses[202] as { headers: object }
  for (const name of ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'X-RateLimit-Reset', 'Location']) {
    assert.ok(name in headers, name)
  }
})

test('a part contains only its own operations, and a part without operations is still a document', () => {
  for (const part of DESCRIBED_AREAS) {
    const description = describeApi(OPERATIONS, { publicUrl, part })
    const own = Object.values(OPERATIONS).filter(({ area }) => area === part)
    assert.deepEqual(Object.keys(description.paths as object), [...new Set(own.map(({ path }) => path))])
    assert.equal((description.info as { version: string }).version, '1.0.0')
  }
})
