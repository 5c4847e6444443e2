import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import type { Operation } from '../base/api/operation.ts'
import { AppError } from '../base/errors/errors.ts'
import { MAX_FAULTS } from '../base/errors/explain-faults.ts'
import { compileShape, type RawRequest } from './request-shape.ts'

const closedObject = { additionalProperties: false }
const operation: Operation = {
  method: 'POST',
  path: '/v1/things/{id}',
  area: 'static-export',
  summary: 'A thing',
  audit: { none: 'a test' },
  limit: null,
  params: Type.Object({ id: Type.String({ maxLength: 5 }) }),
  query: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
      isNew: Type.Optional(Type.Boolean()),
      text: Type.Optional(Type.String()),
    },
    closedObject,
  ),
  body: Type.Object({ name: Type.String(), more: Type.Optional(Type.Array(Type.String())) }, closedObject),
  success: { status: 200, schema: Type.Null() },
}
const shape = compileShape(operation)
const good = { queryString: '', body: { name: 'x' } }

function faultsOf(raw: Partial<RawRequest>, checked = shape): readonly string[] {
  try {
    checked.check({ ...good, ...raw })
    return []
  } catch (error) {
    assert.ok(error instanceof AppError)
    assert.equal(error.code, 'invalid_request')
    return error.details.map(({ message }) => message)
  }
}

test('parses numbers and booleans in a query and applies defaults', () => {
  assert.deepEqual(shape.check({ ...good, queryString: 'isNew=true&text=5' }).query, {
    limit: 50,
    isNew: true,
    text: '5',
  })
  assert.deepEqual(shape.check({ ...good, queryString: 'limit=7' }).query, { limit: 7 })
})

test('rejects query values that are not exactly a number or a boolean', () => {
  for (const text of [
    '',
    ' 5',
    '5.0',
    '05',
    '+5',
    '1e1',
    '0x5',
    '5,6',
    '101',
    '-1',
    '99999999999999999999',
  ]) {
    const [fault] = faultsOf({ queryString: `limit=${encodeURIComponent(text)}` })
    assert.equal(fault, '`limit` must be a whole number from 1 to 100', text)
  }
  assert.deepEqual(faultsOf({ queryString: 'isNew=1' }), ['`isNew` must be true or false'])
})

test('reports faults of query, body and Idempotency-Key together', () => {
  assert.deepEqual(faultsOf({ queryString: 'limit=0&lmit=1', body: { nmae: 1 }, idempotencyKey: '' }), [
    '`limit` must be a whole number from 1 to 100',
    '`lmit` is not a known parameter; did you mean `limit`?',
    '`/name` is required',
    '`/nmae` is not a known field; did you mean `name`?',
    'The header `Idempotency-Key` must have 1 to 255 characters',
  ])
})

test('each fault names its parameter, JSON pointer or header in field', () => {
  const refuse = () =>
    shape.check({ queryString: 'limit=0&lmit=1', body: { nmae: 1, more: [5] }, idempotencyKey: '' })
  assert.throws(refuse, (error) => {
    assert.ok(error instanceof AppError)
    assert.deepEqual(
      error.details.map(({ field }) => field),
      ['limit', 'lmit', '/name', '/nmae', '/more/0', 'Idempotency-Key'],
    )
    return true
  })
})

test('rejects a parameter that is given twice, even with equal values', () => {
  assert.deepEqual(faultsOf({ queryString: 'limit=5&limit=5' }), ['`limit` is given 2 times; give it once'])
})

test('rejects names of the object prototype as unknown', () => {
  assert.deepEqual(faultsOf({ queryString: '__proto__=1&constructor=2' }), [
    '`__proto__` is not a known parameter',
    '`constructor` is not a known parameter',
  ])
  assert.deepEqual(faultsOf({ body: JSON.parse('{"name":"x","__proto__":{"a":1},"toString":1}') }), [
    '`/__proto__` is not a known field',
    '`/toString` is not a known field',
  ])
})

test('rejects U+0000 in any text of query and body', () => {
  assert.deepEqual(faultsOf({ queryString: 'text=%00', body: { name: 'x', more: ['a', 'b\0'] } }), [
    '`text` must not contain the character U+0000',
    '`/more/1` must not contain the character U+0000',
  ])
})

test('limits the faults of a response to MAX_FAULTS, including those of a custom parse function', () => {
  const many = compileShape(operation, () => ({
    value: null,
    faults: Array.from({ length: 1000 }, (_, index) => ({ message: `fault ${index}`, code: 'fault' })),
  }))
  assert.equal(faultsOf({ body: { name: 'x' } }, many).length, MAX_FAULTS)
})

test('requires a body if the operation has one and rejects it if it has none', () => {
  assert.deepEqual(faultsOf({ body: undefined }), ['A JSON body is required'])
  const bare = compileShape({ ...operation, body: null })
  for (const body of [undefined, {}]) assert.deepEqual(faultsOf({ body }, bare), [])
  for (const body of [[], null, 'x', { a: 1 }]) {
    assert.deepEqual(faultsOf({ body }, bare), ['This operation has no body; send none'])
  }
})

test('rejects path parameters that are too long or contain U+0000', () => {
  assert.deepEqual(
    ['abc', 'abcdef', 'a\0'].map((id) => shape.hasValidParams({ id })),
    [true, false, false],
  )
})
