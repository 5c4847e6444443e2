import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDraft, writeBody } from './draft.ts'
import type { FieldSchema } from './field-schema.ts'
import type { FieldSpec, Value } from './field-spec.ts'

interface Row {
  what: string
  field?: Partial<FieldSpec>
  schema?: FieldSchema
  stored?: unknown
  draft: Value
  body: unknown
}

const ROWS: readonly Row[] = [
  { what: 'text is trimmed', stored: 'a', draft: ' b ', body: 'b' },
  { what: 'a required text is sent empty', draft: '', body: '' },
  { what: 'an optional text is left out', schema: { isOptional: true }, draft: '', body: undefined },
  { what: 'a nullable text is null', schema: { isNullable: true }, draft: ' ', body: null },
  {
    what: 'the empty text can be a value',
    schema: { isOptional: true, canBeEmpty: true },
    draft: '',
    body: '',
  },
  { what: 'a secret keeps its spaces', field: { kind: 'password' }, draft: ' s ', body: ' s ' },
  { what: 'a number is read with separators', schema: { type: 'integer' }, draft: '1,000', body: 1000 },
  { what: 'a wrong number is sent as it is', schema: { type: 'integer' }, draft: 'many', body: 'many' },
  { what: 'names are unique', schema: { type: 'list' }, draft: 'a, b ,, a', body: ['a', 'b'] },
  { what: 'no names are null', schema: { type: 'list', isNullable: true }, draft: ' , ', body: null },
  { what: 'an empty row is sent', field: { kind: 'rows' }, draft: ['a ', ''], body: ['a', ''] },
  {
    what: 'the usual state of a switch goes back to it',
    field: { usual: true },
    schema: { type: 'boolean', isNullable: true },
    draft: true,
    body: null,
  },
  { what: 'a switch is off until it is stored', schema: { type: 'boolean' }, draft: false, body: false },
]

for (const { what, field = {}, schema = {}, stored, draft, body } of ROWS)
  test(what, () => {
    const fields = [{ name: 'part/one', label: 'One', ...field }]
    const schemas = { 'part/one': schema }
    assert.deepEqual(
      writeBody(fields, { 'part/one': draft }, schemas),
      body === undefined ? {} : { part: { one: body } },
    )
    const values = readDraft(fields, { part: { one: stored ?? (body === undefined ? null : body) } }, schemas)
    assert.deepEqual(
      writeBody(fields, values, schemas),
      body === undefined ? {} : { part: { one: stored ?? body } },
    )
  })
