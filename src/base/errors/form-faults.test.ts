import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DASHBOARD_OPERATIONS } from '../../features/dashboard-operations.ts'
import { OPERATIONS } from '../../features/operations.ts'
import { describe } from './explain-faults.ts'
import { FORM_FAULTS, faultTemplate, fillTemplate, SHAPE_FAULTS } from './form-faults.ts'

test('the sentence of an answer leads back to its template and to what was filled in', () => {
  for (const words of Object.values(FORM_FAULTS)) {
    const { template } = faultTemplate(words)
    assert.equal(faultTemplate(fillTemplate(words, 1, 2)).template, template)
    assert.equal(faultTemplate(fillTemplate(words, 'docs.example.com:80', 'x')).template, template)
  }
  assert.deepEqual(faultTemplate('must be one of `a`, `b 2`, `c`'), {
    template: 'must be one of {first}',
    values: { first: '`a`, `b 2`, `c`' },
  })
  assert.deepEqual(faultTemplate('from 0 to 59. Not 2026-01-01, v1.2 or claude-4-5'), {
    template: 'from {first} to {second}. Not 2026-01-01, v1.2 or claude-4-5',
    values: { first: '0', second: '59' },
  })
})

test('what is typed stands in a sentence as it is', () => {
  const text = '$& {second} {first}'
  assert.equal(fillTemplate(FORM_FAULTS.domainTaken, text), `The domain \`${text}\` is already in use`)
})

test('all that is known of shapes is said of some field', () => {
  const said = new Set(['is required'])
  for (const { body } of [...Object.values(OPERATIONS), ...Object.values(DASHBOARD_OPERATIONS)])
    for (const field of fieldsOf(body as Shape | null))
      said.add(faultTemplate(`must be ${describe(field as Parameters<typeof describe>[0])}`).template)
  assert.deepEqual(
    SHAPE_FAULTS.filter((words) => !said.has(words)),
    [],
  )
})

interface Shape {
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  items?: Shape
}

/** Returns all fields in the body of an operation that a fault can refer to. */
function fieldsOf(shape: Shape | null): Shape[] {
  const choices = shape?.anyOf ?? (shape === null ? [] : [shape])
  const below = choices.flatMap(({ properties, items }) => [...Object.values(properties ?? {}), items ?? []])
  return below.flat().flatMap((field) => [field, ...fieldsOf(field)])
}
