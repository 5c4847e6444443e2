/** API descriptions that together cover every kind of parameter, request body and security scheme. */
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { BODIES, SECURITY } from './try-bodies.ts'
import { base, json, KINDS, LIST, MAP, OK } from './try-parts.ts'

export const ORDERS: JsonObject = {
  ...base('3.0.3', 'Orders'),
  security: [{ token: [] }],
  paths: {
    '/orders/{id}': {
      post: {
        summary: 'Change an order',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: json({ $ref: '#/components/schemas/Order' }),
        responses: OK,
      },
    },
    '/things': { get: { summary: 'List things', responses: OK } },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Order: {
        type: 'object',
        required: ['count', 'kind'],
        properties: {
          count: { type: 'integer', minimum: 1, maximum: 9 },
          kind: { type: 'string', enum: KINDS },
          at: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          note: { type: 'string', nullable: true },
          made: { type: 'string', readOnly: true },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
          parent: { $ref: '#/components/schemas/Order' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      Part: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string', minLength: 2 }, price: { type: 'number' } },
      },
    },
  },
}

const inPlace =
  (place: string) =>
  (name: string, schema: JsonObject, more: JsonObject = {}) => ({
    ...{ name, in: place, required: true, schema },
    ...more,
  })
const inPath = inPlace('path')
const inQuery = inPlace('query')

const PARAMETERS: JsonObject = {
  ...base('3.1.0', 'Parameters'),
  paths: {
    '/a/{simple}/{label}/{matrix}': {
      get: {
        summary: 'Every place',
        parameters: [
          {
            name: 'simple',
            in: 'path',
            required: true,
            schema: { type: 'array', items: { type: 'integer' } },
            example: [1, 2],
          },
          {
            name: 'label',
            in: 'path',
            required: true,
            style: 'label',
            schema: { type: 'string', example: 'x' },
          },
          {
            name: 'matrix',
            in: 'path',
            required: true,
            style: 'matrix',
            schema: { type: 'string', example: 'y' },
          },
          {
            name: 'deep',
            in: 'query',
            required: true,
            style: 'deepObject',
            schema: { type: 'object', properties: { a: { type: 'string', example: '1' } } },
          },
          {
            name: 'pipes',
            in: 'query',
            required: true,
            style: 'pipeDelimited',
            explode: false,
            schema: { type: 'array', items: { type: 'string' } },
            example: ['p', 'q'],
          },
          {
            name: 'filter',
            in: 'query',
            required: true,
            content: {
              'application/json': { schema: { type: 'object', properties: { k: { type: 'integer' } } } },
            },
          },
          { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'sid', in: 'cookie', schema: { type: 'string' } },
        ],
        responses: OK,
      },
    },
    '/styles/{list}/{map}/{dots}/{points}/{marks}/{sides}': {
      get: {
        summary: 'Every style',
        parameters: [
          inPath('list', LIST),
          inPath('map', MAP, { explode: true }),
          inPath('dots', LIST, { style: 'label', explode: true }),
          inPath('points', MAP, { style: 'label' }),
          inPath('marks', LIST, { style: 'matrix', explode: true }),
          inPath('sides', MAP, { style: 'matrix' }),
          inQuery('plain', LIST),
          inQuery('comma', LIST, { explode: false }),
          inQuery('space', LIST, { style: 'spaceDelimited', explode: false }),
          inQuery('pipe', LIST, { style: 'pipeDelimited', explode: false }),
          inQuery('joined', MAP, { explode: false }),
          inQuery('spread', {
            type: 'object',
            properties: { first: { type: 'integer' }, second: { type: 'string', example: 'a&b=c' } },
          }),
          inQuery('deep', MAP, { style: 'deepObject', explode: true }),
          inQuery('path', { type: 'string', example: 'a/b?c=ü d' }, { allowReserved: true }),
          inQuery('given', { type: 'string' }, { example: 'of the parameter' }),
          inQuery('named', { type: 'integer' }, { examples: { seven: { value: 7 } } }),
          inQuery('kind', { type: 'string', enum: KINDS, default: 'parcel' }),
          inQuery('none', { type: ['string', 'null'], maxLength: 3 }),
          { name: 'X-List', in: 'header', required: true, schema: LIST },
          { name: 'X-Map', in: 'header', required: true, explode: true, schema: MAP },
          { name: 'X-Json', in: 'header', required: true, content: { 'application/json': { schema: MAP } } },
          { name: 'theme', in: 'cookie', required: true, schema: { type: 'string', enum: ['dark'] } },
        ],
        responses: OK,
      },
    },
  },
}

const BOUNDS: JsonObject = {
  type: 'object',
  required: ['short', 'code', 'many', 'ratio', 'step', 'above', 'tree', 'labels'],
  additionalProperties: false,
  properties: {
    short: { type: 'string', maxLength: 3 },
    long: { type: 'string', minLength: 20, maxLength: 24 },
    code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
    hex: { type: 'string', pattern: '^#(?:[0-9a-f]{3}){1,2}$' },
    many: { type: 'array', minItems: 3, items: { type: 'string', minLength: 1, maxLength: 4 } },
    unique: { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'integer' } },
    kinds: { type: 'array', minItems: 2, uniqueItems: true, items: { type: 'string', enum: KINDS } },
    ratio: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    step: { type: 'integer', minimum: 7, multipleOf: 5 },
    above: { type: 'integer', exclusiveMinimum: 999 },
    small: { type: 'number', maximum: 0.5 },
    matrix: {
      type: 'array',
      items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'number' } },
    },
    tree: { $ref: '#/components/schemas/Tree' },
    labels: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1 },
    when: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    hour: { type: 'string', format: 'time' },
    span: { type: 'string', format: 'duration' },
    mail: { type: 'string', format: 'email' },
    host: { type: 'string', format: 'hostname' },
    four: { type: 'string', format: 'ipv4' },
    six: { type: 'string', format: 'ipv6' },
    link: { type: 'string', format: 'uri' },
    id: { type: 'string', format: 'uuid' },
    bytes: { type: 'string', format: 'byte' },
    pointer: { type: 'string', format: 'json-pointer' },
    flag: { type: 'boolean', default: false },
    fixed: { const: 'x' },
    nothing: { type: 'null' },
    maybe: { type: ['integer', 'null'], minimum: 1000 },
    any: {},
  },
}
const TREE: JsonObject = {
  type: 'object',
  required: ['name', 'children'],
  properties: {
    name: { type: 'string' },
    children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
  },
}

const VARIANTS: JsonObject = {
  ...base('3.1.0', 'Variants'),
  paths: {
    '/pay': {
      post: {
        summary: 'Pay',
        requestBody: json({
          type: 'object',
          required: ['by', 'amount'],
          properties: {
            amount: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
            by: {
              oneOf: [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Bank' }],
              discriminator: { propertyName: 'type' },
            },
            mixed: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
            pair: {
              type: 'array',
              prefixItems: [{ type: 'string' }, { type: 'integer' }],
              minItems: 2,
              maxItems: 2,
            },
            all: {
              allOf: [
                { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } } },
                { type: 'object', properties: { b: { type: 'integer' } } },
              ],
            },
          },
        }),
        responses: OK,
      },
    },
    '/bounds': {
      put: {
        summary: 'Keep bounds',
        requestBody: json({ $ref: '#/components/schemas/Bounds' }),
        responses: OK,
      },
    },
    '/either': {
      patch: {
        summary: 'Choose by mapping',
        requestBody: {
          required: true,
          content: {
            'application/merge-patch+json': { schema: { $ref: '#/components/schemas/Pet' } },
            'text/plain': { schema: { type: 'string' } },
          },
        },
        responses: OK,
      },
    },
    '/given': {
      post: {
        summary: 'Take what is given',
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer', maximum: 5 } } },
              examples: { first: { $ref: '#/components/examples/Four' } },
            },
          },
        },
        responses: OK,
      },
    },
  },
  components: {
    examples: { Four: { summary: 'Four', value: { n: 4 } } },
    schemas: {
      Bounds: BOUNDS,
      Tree: TREE,
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: {
          propertyName: 'species',
          mapping: { feline: '#/components/schemas/Cat', canine: '#/components/schemas/Dog' },
        },
      },
      Animal: {
        type: 'object',
        required: ['species', 'id'],
        properties: {
          id: { type: 'integer', readOnly: true },
          species: { type: 'string', enum: ['feline', 'canine'] },
          secret: { type: 'string', writeOnly: true, minLength: 12 },
        },
      },
      Cat: {
        allOf: [
          { $ref: '#/components/schemas/Animal' },
          {
            type: 'object',
            required: ['claws'],
            properties: { species: { const: 'feline' }, claws: { type: 'integer', minimum: 18 } },
          },
        ],
      },
      Dog: {
        allOf: [
          { $ref: '#/components/schemas/Animal' },
          {
            type: 'object',
            required: ['bark'],
            properties: { species: { const: 'canine' }, bark: { type: 'boolean' } },
          },
        ],
      },
      Card: {
        type: 'object',
        required: ['type', 'number'],
        properties: { type: { const: 'card' }, number: { type: 'string' } },
      },
      Bank: {
        type: 'object',
        required: ['type', 'iban'],
        properties: { type: { const: 'bank' }, iban: { type: 'string' } },
      },
    },
  },
}

export const TRY_DESCRIPTIONS: readonly JsonObject[] = [ORDERS, PARAMETERS, VARIANTS, BODIES, SECURITY]
