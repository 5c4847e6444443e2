import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from './api-json.ts'
import { createSchemaScope, describeType, flatten, listVariants } from './schema.ts'

const MODELS: JsonObject = {
  Text: { type: 'string', format: 'uuid' },
  Base: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
  Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/m/Tree' } } } },
  Loop: { allOf: [{ $ref: '#/m/Loop' }] },
}

const scope = () => createSchemaScope({ m: MODELS })
const nameOf = (schema: Json) => {
  const one = scope()
  return describeType(one, flatten(one, schema))
}

test('names types in every schema notation, such as nullable, type arrays and oneOf', () => {
  assert.equal(nameOf({ type: 'string', format: 'date-time' }), 'string<date-time>')
  assert.equal(nameOf({ type: 'string', nullable: true }), 'string | null')
  assert.equal(nameOf({ type: ['string', 'null'] }), 'string | null')
  assert.equal(nameOf({ anyOf: [{ type: 'integer' }, { type: 'null' }] }), 'integer | null')
  assert.equal(nameOf({ type: ['string', 'integer'] }), 'string | integer')
  assert.equal(nameOf({ oneOf: [{ type: 'string' }, { type: 'boolean' }] }), 'string | boolean')
  assert.equal(nameOf({ enum: ['a', 'b'] }), 'enum<string>')
  assert.equal(
    nameOf({ type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } }),
    '(string | integer)[]',
  )
  assert.equal(nameOf({ type: 'array', items: { $ref: '#/m/Text' } }), 'string<uuid>[]')
  assert.equal(nameOf({ properties: {} }), 'object')
  assert.equal(nameOf({ type: 'string', format: 'binary' }), 'file')
  assert.equal(nameOf({ type: 'string', contentMediaType: 'image/png' }), 'file')
  assert.equal(nameOf({ const: 4 }), 'number')
  assert.equal(nameOf({}), 'any')
  assert.equal(nameOf(true), 'any')
})

test('merges allOf schemas by uniting fields, tightening bounds and intersecting enums', () => {
  const one = scope()
  const { schema, isNullable } = flatten(one, {
    allOf: [
      { $ref: '#/m/Base' },
      { properties: { n: { type: 'integer' } }, required: ['n'], minimum: 1, maximum: 9, enum: ['a', 'b'] },
    ],
    minimum: 3,
    enum: ['b', 'c'],
    description: 'Both',
  })
  assert.deepEqual(Object.keys(schema.properties as object), ['id', 'n'])
  assert.deepEqual(schema.required, ['id', 'n'])
  assert.deepEqual([schema.minimum, schema.maximum, schema.enum, schema.description], [3, 9, ['b'], 'Both'])
  assert.equal(isNullable, false)
})

test('a $ref with sibling keywords still resolves to the same model', () => {
  const one = scope()
  const flat = flatten(one, { $ref: '#/m/Base', description: 'Here' })
  assert.deepEqual([flat.name, flat.schema.description], ['Base', 'Here'])
  assert.equal(flat.origin, flatten(one, { $ref: '#/m/Base' }).origin)
})

test('circular references terminate and missing references resolve to an empty schema', () => {
  const one = scope()
  assert.deepEqual(flatten(one, { $ref: '#/m/Loop' }).schema.properties, undefined)
  assert.deepEqual(flatten(one, { $ref: '#/m/none' }), {
    schema: {},
    name: 'none',
    isNullable: false,
    origin: null,
  })
  assert.equal(describeType(one, flatten(one, { $ref: '#/m/Tree' })), 'object')
})

test('flattening exponentially growing schemas stops at the visit limit', () => {
  const models: JsonObject = {}
  for (let i = 0; i < 60; i++) {
    models[`M${i}`] = {
      allOf: [1, 2, 3].map((step) => ({ allOf: [{ $ref: `#/m/M${i + step}` }, { $ref: `#/m/M${i + 1}` }] })),
    }
  }
  const one = createSchemaScope({ m: models })
  flatten(one, { $ref: '#/m/M0' })
  assert.ok(one.remainingVisits > -10)
})

test('variants include the discriminator field and its values', () => {
  const one = scope()
  const [variants] = listVariants(
    flatten(one, {
      oneOf: [{ $ref: '#/m/Base' }, { $ref: '#/m/Tree' }],
      discriminator: { propertyName: 'kind', mapping: { base: '#/m/Base' } },
    }),
  )
  assert.equal(variants?.schemas.length, 2)
  assert.equal(variants?.discriminator?.field, 'kind')
  assert.equal(variants?.discriminator?.values.get('Base'), 'base')
})
