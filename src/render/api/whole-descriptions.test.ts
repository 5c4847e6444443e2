/** Tests of constructs in the specifications that are easily shown incompletely. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceOf } from '../../../tests/kit/made-reference.ts'
import { asObject as fieldsOfJson, type Json, type JsonObject } from '../../openapi/api-json.ts'
import { parseJsonOrYaml } from '../../site/reference/spec-text.ts'
import type { ApiBlock, ApiField } from './reference.ts'

function choiceIn(blocks: readonly ApiBlock[]) {
  const found = blocks.find((block) => block.kind === 'choice')
  assert.ok(found?.kind === 'choice')
  return found
}

function fieldsOf(blocks: readonly ApiBlock[]): readonly ApiField[] {
  return blocks.flatMap((block) => (block.kind === 'fields' ? block.fields : []))
}

const body = (schema: Json): JsonObject => ({
  requestBody: { content: { 'application/json': { schema } } },
})

test('models that extend a model with a discriminator are shown as its variants', async () => {
  const extending = (properties: JsonObject): JsonObject => ({
    allOf: [{ $ref: '#/components/schemas/Pet' }, { type: 'object', properties }],
  })
  const schemas: JsonObject = {
    Pet: {
      type: 'object',
      properties: { kind: { type: 'string' }, name: { type: 'string' } },
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    },
    Bird: extending({ wings: { type: 'boolean' } }),
    Cat: extending({ claws: { type: 'integer' } }),
    Dog: extending({ bark: { type: 'boolean' } }),
  }
  const { blocks, request } = await referenceOf(body({ $ref: '#/components/schemas/Pet' }), { schemas })
  assert.deepEqual(
    fieldsOf(blocks).map(({ name }) => name),
    ['kind', 'name'],
  )
  const { label, choices } = choiceIn(blocks)
  assert.equal(label, 'One of · kind')
  assert.deepEqual(
    choices.map((choice) => [choice.title, fieldsOf(choice.blocks).map(({ name }) => name)]),
    [
      ['cat', ['claws']],
      ['dog', ['bark']],
      ['Bird', ['wings']],
    ],
  )
  assert.match(request?.samples[0]?.code ?? '', /"kind": "cat"/)
  const own = await referenceOf(body({ $ref: '#/components/schemas/Cat' }), { schemas })
  assert.deepEqual(
    fieldsOf(own.blocks).map(({ name }) => name),
    ['kind', 'name', 'claws'],
  )
  assert.ok(!own.blocks.some(({ kind }) => kind === 'choice'))
})

const token = { tokenUrl: 'https://a.example/token', scopes: {} }
const schemes: readonly [scheme: JsonObject, name: string, type: string, facts: readonly string[]][] = [
  [{ type: 'apiKey', in: 'header', name: 'X-Key' }, 'X-Key', 'string', []],
  [{ type: 'apiKey', in: 'user' }, 'scheme', 'apiKey', []],
  [{ type: 'http', scheme: 'Digest' }, 'Authorization', 'string', ['Digest <credentials>']],
  [{ type: 'mutualTLS' }, 'scheme', 'mutualTLS', []],
  [{ type: 'scramSha256' }, 'scheme', 'scramSha256', []],
  [
    {
      type: 'oauth2',
      flows: { deviceAuthorization: { deviceAuthorizationUrl: 'https://a.example/d', ...token } },
    },
    'Authorization',
    'string',
    ['https://a.example/d', 'https://a.example/token'],
  ],
  [
    { type: 'oauth2', oauth2MetadataUrl: 'https://a.example/meta', flows: { password: token } },
    'Authorization',
    'string',
    ['https://a.example/meta', 'https://a.example/token'],
  ],
  [
    { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/.well-known' },
    'Authorization',
    'string',
    ['https://a.example/.well-known'],
  ],
]
for (const [scheme, name, type, facts] of schemes) {
  test(`shows the name, type and details of a security scheme: ${JSON.stringify(scheme).slice(0, 60)}`, async () => {
    const { blocks } = await referenceOf({ security: [{ scheme: [] }] }, { securitySchemes: { scheme } })
    const [field] = fieldsOf(blocks)
    const texts = field?.facts.flatMap(({ values }) => values.map(({ text }) => text))
    assert.deepEqual([field?.name, field?.type, texts], [name, type, facts])
  })
}

test('shows every enum value and distinguishes strings from other types', async () => {
  const codes = Array.from({ length: 600 }, (_, index) => `code-${index}`)
  const properties: JsonObject = {
    mixed: { enum: ['a', '', null, 'null', 1, '1', true] },
    codes: { type: 'string', enum: codes },
    padded: { type: 'string', enum: [' a', 'b'] },
    long: { type: 'string', example: 'y'.repeat(900) },
    empty: { type: 'string', example: '' },
  }
  const { blocks } = await referenceOf(body({ type: 'object', properties }), {})
  const shown = Object.fromEntries(
    fieldsOf(blocks).map(({ name, facts }) => [name, facts[0]?.values.map(({ text }) => text)]),
  )
  assert.deepEqual(shown, {
    mixed: ['"a"', '""', 'null', '"null"', '1', '"1"', 'true'],
    codes,
    padded: ['" a"', 'b'],
    long: ['y'.repeat(900)],
    empty: ['""'],
  })
})

const WRITTEN: Record<string, string> = {
  JSON: `{
    "parameters": [{ "name": "since", "in": "query", "required": true, "example": 2.50, "schema": { "type": "number" } }],
    "requestBody": { "content": { "application/json": { "schema": { "type": "object", "properties": {
      "version": { "type": "number", "enum": [1.0, 1.10], "default": 1.10 },
      "id": { "type": "integer", "minimum": 1.0, "maximum": 9223372036854775807, "example": 9007199254740993 },
      "rate": { "type": "number", "allOf": [{ "minimum": 0.10 }, { "minimum": 0.5 }] },
      "list": { "type": "array", "minItems": 2.0, "items": { "type": "number", "example": 3.00 } }
    } } } } }
  }`,
  YAML: `
parameters:
  - { name: since, in: query, required: true, example: 2.50, schema: { type: number } }
requestBody:
  content:
    application/json:
      schema:
        type: object
        properties:
          version: { type: number, enum: [1.0, 1.10], default: 1.10 }
          id: { type: integer, minimum: 1.0, maximum: 9223372036854775807, example: 9007199254740993 }
          rate: { type: number, allOf: [{ minimum: 0.10 }, { minimum: 0.5 }] }
          list: { type: array, minItems: 2.0, items: { type: number, example: 3.00 } }
`,
}

for (const [form, text] of Object.entries(WRITTEN)) {
  test(`numbers in ${form} keep their original digits on the page and in samples of every language`, async () => {
    const { blocks, request } = await referenceOf(fieldsOfJson(parseJsonOrYaml(text)))
    const shown = Object.fromEntries(
      fieldsOf(blocks).map(({ name, facts }) => [
        name,
        facts.flatMap(({ values }) => values.map((value) => value.text)).join(' | '),
      ]),
    )
    assert.match(shown.version ?? '', /1\.0 \| 1\.10/)
    assert.match(shown.id ?? '', /1\.0 ≤ x ≤ 9223372036854775807/)
    assert.match(shown.id ?? '', /9007199254740993/)
    assert.match(shown.rate ?? '', /x ≥ 0\.5/)
    assert.match(JSON.stringify(blocks), /1\.10/)
    const samples = (request?.samples ?? []).map(({ language, code }) => [language, code] as const)
    assert.ok(samples.length >= 8)
    for (const [language, code] of samples) {
      assert.match(code, /since=2\.50/, language)
      for (const digits of ['1.10', '9007199254740993', '3.00'])
        assert.ok(code.includes(digits), `${language} ${digits}\n${code}`)
      assert.doesNotMatch(code, /["']1\.10["']/, language)
    }
  })
}
