import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsIn, referenceOf } from '../../../tests/kit/made-reference.ts'
import type { Json, JsonObject } from '../../openapi/api-json.ts'

const json = (schema: Json) => ({ content: { 'application/json': { schema } } })

test('fields have ids in the format links expect and keep earlier ids as aliases', async () => {
  const item: JsonObject = { type: 'object', properties: { toNumber: { type: 'string' } } }
  const { blocks } = await referenceOf({
    parameters: [
      { name: 'idOrAlias', in: 'query', schema: { type: 'string' } },
      { name: 'X-API-Key', in: 'header', schema: { type: 'string' } },
    ],
    requestBody: json({
      type: 'object',
      properties: {
        highlightPreTag: { type: 'string' },
        list: { type: 'array', items: item },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        nested: { anyOf: [{ type: 'null' }, item] },
        plain: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
        either: { oneOf: [item, { type: 'object', properties: { uid: { type: 'string' } } }] },
      },
    }),
    responses: {
      200: json({ type: 'object', properties: { uid: { type: 'string' } } }),
      404: json({
        type: 'object',
        properties: { uid: { type: 'string' }, errorCode: { type: 'string' } },
      }),
    },
  })
  const others = Object.fromEntries(fieldsIn(blocks).map((field) => [field.id, field.others]))
  assert.deepEqual(others, {
    'parameter-id-or-alias': ['query-idoralias'],
    'parameter-x-api-key': ['header-x-api-key'],
    'body-highlight-pre-tag': ['body-highlightpretag'],
    'body-list': [],
    'body-list-items-to-number': ['body-list-to-number', 'body-list-tonumber'],
    'body-map': [],
    'body-map-additional-properties': ['body-map-key'],
    'body-nested': ['body-nested-one-of-0', 'body-nested-one-of-1'],
    'body-nested-one-of-1-to-number': ['body-nested-tonumber'],
    'body-plain': ['body-plain-one-of-0', 'body-plain-one-of-1'],
    'body-either': [],
    'body-either-one-of-0-to-number': ['body-either-object-tonumber'],
    'body-either-one-of-1-uid': ['body-either-object-2-uid'],
    'response-uid': ['response-200-uid'],
    'response-404-uid': [],
    'response-404-error-code': ['response-error-code', 'response-404-errorcode'],
  })
  const either = fieldsIn(blocks).find(({ id }) => id === 'body-either')?.blocks[0]
  assert.ok(either?.kind === 'choice')
  assert.deepEqual(
    either.choices.map(({ anchor }) => anchor?.id),
    ['body-either-one-of-0', 'body-either-one-of-1'],
  )
})
