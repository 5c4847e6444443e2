import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getOwnField, type Json, type JsonObject } from '../../openapi/api-json.ts'
import { upgradeSwagger } from './spec-swagger.ts'

const OLD: JsonObject = {
  swagger: '2.0',
  host: 'old.example.com',
  basePath: '/v1/',
  schemes: ['https', 'http'],
  consumes: ['application/json'],
  produces: ['application/json'],
  securityDefinitions: {
    basic: { type: 'basic' },
    code: { type: 'oauth2', flow: 'accessCode', tokenUrl: 't', scopes: { read: 'Reads' } },
  },
  definitions: {
    Pet: { type: 'object', discriminator: 'kind', properties: { friend: { $ref: '#/definitions/Pet' } } },
  },
  parameters: {
    Page: { in: 'query', name: 'page', type: 'integer', minimum: 1 },
    Pet: {
      in: 'body',
      name: 'pet',
      required: true,
      description: 'The pet',
      schema: { $ref: '#/definitions/Pet' },
    },
  },
  responses: { Bad: { description: 'Bad', schema: { $ref: '#/definitions/Pet' } } },
  paths: {
    '/pets': {
      get: {
        parameters: [
          { $ref: '#/parameters/Page' },
          { in: 'query', name: 'ids', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
        ],
        responses: {
          200: { description: 'ok', schema: { type: 'array' }, examples: { 'text/csv': 'a,b' } },
          400: { $ref: '#/responses/Bad' },
        },
      },
      post: { parameters: [{ $ref: '#/parameters/Pet' }], responses: {} },
      put: {
        parameters: [{ in: 'formData', name: 'photo', type: 'file', required: true }],
        responses: { 204: { description: 'x' } },
      },
    },
  },
}

const made = upgradeSwagger(structuredClone(OLD))

function at(...path: string[]): Json | undefined {
  let value: Json | undefined = made
  for (const part of path) value = Array.isArray(value) ? value[Number(part)] : getOwnField(value, part)
  return value
}

test('converts host, basePath and schemes to servers', () => {
  assert.deepEqual(at('servers'), [
    { url: 'https://old.example.com/v1' },
    { url: 'http://old.example.com/v1' },
  ])
})

test('converts parameter keywords to a schema and collectionFormat multi to explode', () => {
  assert.deepEqual(at('paths', '/pets', 'get', 'parameters'), [
    { in: 'query', name: 'page', schema: { type: 'integer', minimum: 1 } },
    { in: 'query', name: 'ids', explode: true, schema: { type: 'array', items: { type: 'string' } } },
  ])
})

test('converts body parameters, also referenced ones, to requestBody and form fields to a form', () => {
  assert.deepEqual(at('paths', '/pets', 'post', 'parameters'), [])
  assert.deepEqual(at('paths', '/pets', 'post', 'requestBody'), {
    description: 'The pet',
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
  })
  const form = ['paths', '/pets', 'put', 'requestBody', 'content', 'multipart/form-data', 'schema']
  assert.deepEqual(at(...form, 'required'), ['photo'])
  assert.equal(at(...form, 'properties', 'photo', 'format'), 'binary')
})

test('converts responses to content for each media type and example', () => {
  const responses = ['paths', '/pets', 'get', 'responses']
  assert.deepEqual(at(...responses, '200', 'content'), {
    'application/json': { schema: { type: 'array' } },
    'text/csv': { schema: { type: 'array' }, example: 'a,b' },
  })
  assert.deepEqual(at(...responses, '400', 'content', 'application/json', 'schema'), {
    $ref: '#/components/schemas/Pet',
  })
})

test('converts security definitions and discriminators', () => {
  assert.deepEqual(at('components', 'securitySchemes', 'basic'), { type: 'http', scheme: 'basic' })
  assert.deepEqual(at('components', 'securitySchemes', 'code', 'flows'), {
    authorizationCode: { tokenUrl: 't', scopes: { read: 'Reads' } },
  })
  const pet = ['components', 'schemas', 'Pet']
  assert.deepEqual(at(...pet, 'discriminator'), { propertyName: 'kind' })
  assert.equal(at(...pet, 'properties', 'friend', '$ref'), '#/components/schemas/Pet')
})

test('does not throw on malformed Swagger documents', () => {
  const bad: JsonObject[] = [
    { swagger: '2.0' },
    { swagger: '2.0', paths: null },
    {
      swagger: '2.0',
      paths: {
        '/x': { get: null, post: { parameters: [null, { in: 'body' }, 3], responses: { 200: null } } },
      },
    },
    {
      swagger: '2.0',
      paths: [],
      definitions: 'x',
      securityDefinitions: { a: null },
      schemes: 'https',
      host: 4,
    },
  ]
  for (const one of bad) assert.equal(upgradeSwagger(one).openapi, '3.0.0')
})
