import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsIn, referenceOf } from '../../../tests/kit/made-reference.ts'
import type { Json, JsonObject } from '../../openapi/api-json.ts'
import { LIMITS } from './reference.ts'

const json = (schema: Json) => ({ content: { 'application/json': { schema } } })

test('identical responses are described once and keep the link targets of each', async () => {
  const failure = () => ({ description: 'Failed', ...json({ $ref: '#/components/schemas/Problem' }) })
  const schemas: JsonObject = { Problem: { type: 'object', properties: { detail: { type: 'string' } } } }
  const { blocks } = await referenceOf(
    {
      responses: {
        200: { description: 'Done' },
        400: failure(),
        404: failure(),
        500: { description: 'Broken' },
      },
    },
    { schemas },
  )
  const choice = blocks.find((block) => block.kind === 'choice')
  assert.ok(choice?.kind === 'choice')
  assert.deepEqual(
    choice.choices.map(({ title, shows }) => [title, shows]),
    [
      ['200', undefined],
      ['400', undefined],
      ['404', 1],
      ['500', undefined],
    ],
  )
  const details = fieldsIn(blocks).filter(({ name }) => name === 'detail')
  assert.equal(details.length, 1)
  assert.deepEqual(details[0]?.others, ['response-detail', 'response-404-detail'])
})

test('a repeated model is described once on a page with many fields', async () => {
  const properties: JsonObject = {}
  for (let i = 0; i < 12; i++) properties[`part${i}`] = { $ref: `#/components/schemas/Part${i % 2}` }
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, { type: 'string' }]))
  const schemas: JsonObject = {
    Part0: { type: 'object', properties: fields(40) },
    Part1: { type: 'object', properties: fields(40) },
  }
  const { blocks } = await referenceOf({ requestBody: json({ type: 'object', properties }) }, { schemas })
  const all = fieldsIn(blocks)
  assert.equal(all.length, 12 + 2 * 40)
  assert.deepEqual(all.find(({ name }) => name === 'part11')?.same, { id: 'body-part1', name: 'Part1' })
})

test('a large example is complete near the top level and has only required fields below', async () => {
  const level = (depth: number): JsonObject => {
    const properties: JsonObject = { id: { type: 'string' } }
    for (let i = 0; i < 5; i++) properties[`o${i}`] = depth === 0 ? { type: 'integer' } : level(depth - 1)
    return { type: 'object', required: ['id', 'o4'], properties }
  }
  const root = { responses: { 200: { description: 'Done', ...json(level(3)) } } }
  const { responses } = await referenceOf(root)
  const code = responses?.samples[0]?.code ?? ''
  const example = JSON.parse(code) as Record<string, Record<string, Record<string, unknown>>>
  assert.deepEqual(Object.keys(example), ['id', 'o0', 'o1', 'o2', 'o3', 'o4'])
  assert.deepEqual(Object.keys(example.o4 ?? {}), ['id', 'o0', 'o1', 'o2', 'o3', 'o4'])
  assert.deepEqual(Object.keys(example.o4?.o4 ?? {}), ['id', 'o4'])
  assert.ok(code.split('\n').length < 250, 'it can be read')
})

test('a dense description stays within the field limit and is complete at the top level', async () => {
  const schemas: JsonObject = {}
  for (let i = 0; i < 120; i++) {
    const properties: JsonObject = {}
    for (let j = 0; j < 12; j++) {
      properties[`p${j}`] =
        j % 3 === 0 ? { $ref: `#/components/schemas/S${(i * 7 + j * 11 + 1) % 120}` } : { type: 'string' }
    }
    schemas[`S${i}`] = { type: 'object', properties }
  }
  const made = await referenceOf({ requestBody: json({ $ref: '#/components/schemas/S0' }) }, { schemas })
  const fields = fieldsIn(made.blocks)
  assert.ok(fields.length <= LIMITS.manyFields)
  assert.deepEqual(fields.filter(({ id }) => /^body-p\d+$/.test(id)).length, 12)
  const cut = fields.find(({ type }) => /^S\d+$/.test(type))
  assert.ok(cut, 'a model that is not described is called by its name')
})
