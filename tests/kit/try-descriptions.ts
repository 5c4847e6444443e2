/** Descriptions that together use every way to write a parameter, a body and a proof of who one is. */
import type { JsonObject } from '../../src/openapi/api-json.ts'

const OK: JsonObject = { 200: { description: 'Done' } }
const json = (schema: JsonObject): JsonObject => ({
  required: true,
  content: { 'application/json': { schema } },
})
const base = (openapi: string, title: string): JsonObject => ({ openapi, info: { title, version: '1' } })
const KINDS = ['gift', 'parcel']

const ORDERS: JsonObject = {
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
  },
  components: {
    schemas: {
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

const BODIES: JsonObject = {
  ...base('3.1.0', 'Bodies'),
  paths: {
    '/form': {
      post: {
        summary: 'Send a form',
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                required: ['a'],
                properties: { a: { type: 'string' }, list: { type: 'array', items: { type: 'string' } } },
              },
            },
          },
        },
        responses: OK,
      },
    },
    '/upload': {
      put: {
        summary: 'Upload',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: {
                  file: { type: 'string', format: 'binary' },
                  about: { type: 'object', properties: { a: { type: 'integer' } } },
                },
              },
            },
          },
        },
        responses: OK,
      },
    },
    '/xml': {
      post: {
        summary: 'Send XML',
        requestBody: {
          required: true,
          content: {
            'application/xml': {
              schema: {
                type: 'object',
                xml: { name: 'x' },
                properties: { a: { type: 'string', example: 'b' } },
              },
            },
          },
        },
        responses: OK,
      },
    },
    '/raw': {
      patch: {
        summary: 'Send a file',
        requestBody: {
          required: true,
          content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
        },
        responses: OK,
      },
    },
    '/gone': { delete: { summary: 'Remove', responses: OK } },
  },
}

const SECURITY: JsonObject = {
  ...base('3.1.0', 'Security'),
  paths: Object.fromEntries(
    ['basic', 'query', 'header', 'cookie', 'oauth', 'openid', 'digest'].map((name) => [
      `/${name}`,
      { get: { summary: `By ${name}`, security: [{ [name]: [] }], responses: OK } },
    ]),
  ),
  components: {
    securitySchemes: {
      basic: { type: 'http', scheme: 'basic' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://sign-in.test/token', scopes: { read: 'Read' } },
          authorizationCode: {
            authorizationUrl: 'https://sign-in.test/authorize',
            tokenUrl: 'https://sign-in.test/token',
            scopes: {},
          },
        },
      },
      openid: {
        type: 'openIdConnect',
        openIdConnectUrl: 'https://sign-in.test/.well-known/openid-configuration',
      },
      digest: { type: 'http', scheme: 'digest' },
    },
  },
}

export const TRY_DESCRIPTIONS: readonly JsonObject[] = [ORDERS, PARAMETERS, VARIANTS, BODIES, SECURITY]
