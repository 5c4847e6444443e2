/** OpenAPI description of the public reader API, where each operation has two URLs. */
import type { TSchema } from 'typebox'
import { listParameters } from '../../base/api/describe-parameters.ts'
import { operationTitle } from '../../base/api/operation-title.ts'
import {
  CHALLENGE_HEADER,
  READER_OPERATIONS,
  READER_PATH,
  READER_SITE_PATH,
  type ReaderOperation,
} from '../../features/reader/operations/reader.ts'

type Json = { [key: string]: unknown }

export const headerRef = (name: string): Json => ({ $ref: `#/components/headers/${name}` })
export const refusal = (status: number): Json => ({ $ref: `#/components/responses/${status}` })
export const refusals = (...statuses: number[]): Json =>
  Object.fromEntries(statuses.map((status) => [status, refusal(status)]))

export const LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

export const SITE_ID: Json = {
  name: 'siteId',
  in: 'path',
  required: true,
  schema: { type: 'string', examples: ['site_01jd4q8r6v0000000000000000'] },
}

export const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Repeating a request with the same key and body within 24 hours returns the first response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** Returns the `paths` object. `refer` creates a reference to a schema in the components. */
export function describeReaderApi(refer: (schema: TSchema) => Json): Record<string, Json> {
  const paths: Record<string, Json> = {}
  for (const [id, operation] of Object.entries(READER_OPERATIONS)) {
    const method = operation.method.toLowerCase()
    const hosted = `${READER_PATH}${operation.path}`
    const bySite = `${READER_SITE_PATH}${operation.path}`
    paths[hosted] = { ...paths[hosted], [method]: describe(id, operation, refer, 'hosted') }
    paths[bySite] = { ...paths[bySite], [method]: describe(id, operation, refer, 'bySite') }
  }
  return paths
}

function describe(
  id: string,
  operation: ReaderOperation,
  refer: (schema: TSchema) => Json,
  address: 'hosted' | 'bySite',
): Json {
  const isHosted = address === 'hosted'
  const operationId = isHosted ? id : `${id}BySite`
  const location = isHosted
    ? 'Served at the host name of a published site.'
    : "Served at the API's host, for client-hosted bundles. Browsers can only send requests from the project's own domains."
  return {
    operationId,
    summary: operationTitle(operationId),
    description: `${operation.summary}.\n\n${location}`,
    tags: ['Reader'],
    security: [],
    parameters: [
      ...(isHosted ? [] : [SITE_ID]),
      ...(operation.method === 'POST' && operation.success.contentType === undefined
        ? [IDEMPOTENCY_KEY]
        : []),
      ...listParameters(operation.query ?? null, 'query', refer),
    ],
    ...(operation.body === null
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: refer(operation.body) } } },
        }),
    responses: {
      [operation.success.status]: {
        description: successText(operation),
        headers: Object.fromEntries(
          ['X-Request-Id', ...(operation.limit === null ? [] : LIMIT_HEADERS)].map((name) => [
            name,
            headerRef(name),
          ]),
        ),
        content: {
          [operation.success.contentType ?? 'application/json']: { schema: refer(operation.success.schema) },
        },
      },
      ...refusals(...errorStatuses(operation)),
      ...(operation.limit === null ? {} : { 429: tooMany() }),
    },
  }
}

function successText({ body, success }: ReaderOperation): string {
  if (body === null) return 'The result.'
  return success.contentType === undefined ? 'Created.' : 'Events, until the response ends.'
}

/** A private site responds with 401 to readers who are not signed in. */
function errorStatuses({ body }: ReaderOperation): number[] {
  const ofAll = [400, 401, 403, 404, 405, 408, 431, 500, 503]
  return body === null ? ofAll : [...ofAll, 409, 413, 415, 422]
}

function tooMany(): Json {
  return {
    description:
      "The sender's rate limit is reached, or the site is receiving so much feedback that a proof-of-work challenge is required.",
    headers: {
      ...Object.fromEntries(
        ['X-Request-Id', 'Retry-After', ...LIMIT_HEADERS].map((name) => [name, headerRef(name)]),
      ),
      [CHALLENGE_HEADER]: {
        description:
          'If a challenge is required: `"<challenge>";bits=<n>`. Find a text of at most 64 characters for which the SHA-256 hash of `<challenge>:<text>` begins with n zero bits, and repeat the request with `proof` within two minutes.',
        schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+";bits=\\d+$' },
      },
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}
