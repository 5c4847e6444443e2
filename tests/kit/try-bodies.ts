/** API descriptions that cover every kind of request body and security scheme. */
import type { JsonObject } from '../../src/openapi/api-json.ts'
import { base, KINDS, MAP, OK } from './try-parts.ts'

export const BODIES: JsonObject = {
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
    '/styled': {
      post: {
        summary: 'Send a styled form',
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                required: ['tags', 'place', 'filter', 'more'],
                properties: {
                  tags: { type: 'array', items: { type: 'string', enum: KINDS }, minItems: 2 },
                  place: MAP,
                  filter: MAP,
                  more: { type: 'array', items: { type: 'integer' } },
                  text: { type: 'string', example: 'a + b & c=d; ü' },
                },
              },
              encoding: {
                tags: { style: 'spaceDelimited', explode: false },
                place: { contentType: 'application/json' },
                filter: { style: 'deepObject', explode: true },
              },
            },
          },
        },
        responses: OK,
      },
    },
    '/parts': {
      post: {
        summary: 'Send parts',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['files', 'about', 'count', 'icon'],
                properties: {
                  files: { type: 'array', items: { type: 'string', format: 'binary' } },
                  icon: { type: 'string', contentMediaType: 'image/png' },
                  about: MAP,
                  list: { type: 'array', items: MAP },
                  count: { type: 'integer', minimum: 500 },
                  isOpen: { type: 'boolean' },
                  kind: { type: 'string', enum: KINDS },
                },
              },
              encoding: { icon: { contentType: 'image/png, image/jpeg' } },
            },
          },
        },
        responses: OK,
      },
    },
    '/csv': {
      post: {
        summary: 'Send a table',
        requestBody: {
          required: true,
          content: { 'text/csv': { schema: { type: 'string' }, example: 'a,b\n1,2' } },
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

const KINDS_OF_PROOF = ['token', 'basic', 'query', 'header', 'cookie', 'oauth', 'openid', 'digest']
const WAYS: Readonly<Record<string, JsonObject[]>> = {
  ...Object.fromEntries(KINDS_OF_PROOF.map((name) => [name, [{ [name]: [] }]])),
  several: [{ token: [], header: [], query: [] }],
  either: [{ basic: [] }, { header: [] }],
  maybe: [{ token: [] }, {}],
  nobody: [],
}

export const SECURITY: JsonObject = {
  ...base('3.1.0', 'Security'),
  security: [{ token: [] }],
  paths: Object.fromEntries(
    Object.entries(WAYS).map(([name, security]) => [
      `/${name}`,
      { get: { summary: `By ${name}`, security, responses: OK } },
    ]),
  ),
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
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
