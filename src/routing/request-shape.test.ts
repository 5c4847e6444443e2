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

test('numbers and booleans in a query are read, and defaults are filled in', () => {
  assert.deepEqual(shape.check({ ...good, queryString: 'isNew=true&text=5' }).query, {
    limit: 50,
    isNew: true,
    text: '5',
  })
  assert.deepEqual(shape.check({ ...good, queryString: 'limit=7' }).query, { limit: 7 })
})

test('only text that is exactly a number or a boolean is read as one', () => {
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

test('faults of query, body and Idempotency-Key come together', () => {
  assert.deepEqual(faultsOf({ queryString: 'limit=0&lmit=1', body: { nmae: 1 }, idempotencyKey: '' }), [
    '`limit` must be a whole number from 1 to 100',
    '`lmit` is not a known parameter; did you mean `limit`?',
    '`/name` is required',
    '`/nmae` is not a known field; did you mean `name`?',
    'The header `Idempotency-Key` must have 1 to 255 characters',
  ])
})

test('each fault names the parameter or pointer that it is about, for programs', () => {
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

test('a parameter that is given twice is refused, also with equal values', () => {
  assert.deepEqual(faultsOf({ queryString: 'limit=5&limit=5' }), ['`limit` is given 2 times; give it once'])
})

test('names from the prototype of objects are unknown like any other', () => {
  assert.deepEqual(faultsOf({ queryString: '__proto__=1&constructor=2' }), [
    '`__proto__` is not a known parameter',
    '`constructor` is not a known parameter',
  ])
  assert.deepEqual(faultsOf({ body: JSON.parse('{"name":"x","__proto__":{"a":1},"toString":1}') }), [
    '`/__proto__` is not a known field',
    '`/toString` is not a known field',
  ])
})

test('a text with U+0000 is refused wherever it stands', () => {
  assert.deepEqual(faultsOf({ queryString: 'text=%00', body: { name: 'x', more: ['a', 'b\0'] } }), [
    '`text` must not contain the character U+0000',
    '`/more/1` must not contain the character U+0000',
  ])
})

test('an answer names no more faults than anybody reads, whoever found them', () => {
  const many = compileShape(operation, () => ({
    value: null,
    faults: Array.from({ length: 1000 }, (_, index) => ({ message: `fault ${index}`, code: 'fault' })),
  }))
  assert.equal(faultsOf({ body: { name: 'x' } }, many).length, MAX_FAULTS)
})

test('a body is required where the operation has one, and refused where it has none', () => {
  assert.deepEqual(faultsOf({ body: undefined }), ['A JSON body is required'])
  const bare = compileShape({ ...operation, body: null })
  for (const body of [undefined, {}]) assert.deepEqual(faultsOf({ body }, bare), [])
  for (const body of [[], null, 'x', { a: 1 }]) {
    assert.deepEqual(faultsOf({ body }, bare), ['This operation has no body; send none'])
  }
})

test('a part of the path that cannot name anything is no address', () => {
  assert.deepEqual(
    ['abc', 'abcdef', 'a\0'].map((id) => shape.hasValidParams({ id })),
    [true, false, false],
  )
})
