import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { explainFaults, MAX_FAULTS } from './explain-faults.ts'

const closedObject = { additionalProperties: false }
const Address = Type.Object(
  { street: Type.String({ minLength: 1 }), 'a/b': Type.Optional(Type.Integer()) },
  closedObject,
)
const Person = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 10 }),
    age: Type.Optional(Type.Integer({ minimum: 0 })),
    share: Type.Optional(Type.Number({ maximum: 1 })),
    kind: Type.Optional(Type.Enum(['reader', 'author'])),
    isAway: Type.Optional(Type.Boolean()),
    born: Type.Optional(Type.String({ format: 'date-time' })),
    nick: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    address: Type.Optional(Address),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 3 }), { minItems: 1 })),
  },
  closedObject,
)

const faultsOf = (value: unknown, schema: TSchema = Person) =>
  explainFaults(schema, value, 'body').map(({ message }) => message)

test('a valid value has no faults', () => {
  assert.deepEqual(faultsOf({ name: 'Ada', nick: null, tags: ['a'], address: { street: 'x' } }), [])
})

test('describes the expected value of each type in plain words', () => {
  const wrong = {
    name: '',
    age: -1,
    share: 2,
    kind: 'x',
    isAway: 'no',
    born: 'soon',
    nick: 5,
    address: [],
    tags: [],
  }
  assert.deepEqual(faultsOf(wrong), [
    '`/name` must be text of 1 to 10 characters',
    '`/age` must be a whole number of at least 0',
    '`/share` must be a number of at most 1',
    '`/kind` must be one of `reader`, `author`',
    '`/isAway` must be true or false',
    '`/born` must be a date and time such as 2026-11-21T09:30:00Z',
    '`/nick` must be text or null',
    '`/address` must be a JSON object',
    '`/tags` must be a list of at least 1 item',
  ])
})

test('describes the expected text format, by an example where there is one', () => {
  const schema = Type.Object({
    name: Type.String({ pattern: '\\S', minLength: 1 }),
    id: Type.String({ pattern: '^fb_[a-z]+$', examples: ['fb_abc'] }),
    host: Type.String({ pattern: '^[a-z]+$' }),
  })
  assert.deepEqual(faultsOf({ name: ' ', id: 'x', host: '-' }, schema), [
    '`/name` must be text of at least 1 character, not blank',
    '`/id` must be text such as `fb_abc`',
    '`/host` must be text that matches ^[a-z]+$',
  ])
})

test('nested faults are named by their JSON pointer', () => {
  assert.deepEqual(faultsOf({ name: 'x', address: { 'a/b': 1.5 }, tags: ['ok', 'long', 5] }), [
    '`/address/street` is required',
    '`/address/a~1b` must be a whole number',
    '`/tags/1` must be text of at most 3 characters',
    '`/tags/2` must be text of at most 3 characters',
  ])
})

test('an unknown field is reported with the closest known field, if any is close', () => {
  assert.deepEqual(faultsOf({ name: 'x', is_away: true, adress: {}, zebra: 1 }), [
    '`/is_away` is not a known field; did you mean `isAway`?',
    '`/adress` is not a known field; did you mean `address`?',
    '`/zebra` is not a known field',
  ])
})

test('a body that is not an object is one fault', () => {
  for (const value of [[], null, 'x', 5])
    assert.deepEqual(faultsOf(value), ['The body must be a JSON object'])
})

test('bounds the number and length of faults for a hostile body', () => {
  const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`${'x'.repeat(500)}${i}`, 1]))
  const faults = faultsOf({ name: 'x', ...fields, tags: Array(5000).fill(5) })
  assert.equal(faults.length, MAX_FAULTS)
  assert.ok(faults.every((fault) => fault.length < 200))
})

test('explains the faults of the union member that the discriminator selects', () => {
  const schema = Type.Object({
    trigger: Type.Union([
      Type.Object({ kind: Type.Enum(['schedule']), every: Type.String() }, { additionalProperties: false }),
      Type.Object(
        { kind: Type.Enum(['comment']), people: Type.Array(Type.String(), { minItems: 1 }) },
        { additionalProperties: false },
      ),
    ]),
  })
  const fieldsOf = (trigger: object) => explainFaults(schema, { trigger }, 'body').map(({ field }) => field)
  assert.deepEqual(fieldsOf({ kind: 'comment', people: [] }), ['/trigger/people'])
  assert.deepEqual(fieldsOf({ kind: 'schedule' }), ['/trigger/every'])
  const [fault] = explainFaults(schema, { trigger: { kind: 'moon', people: [] } }, 'body')
  assert.equal(fault?.field, '/trigger/kind')
  assert.match(fault?.message ?? '', /`schedule`, `comment`/)
})
