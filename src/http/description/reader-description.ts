/** OpenAPI description of the reader API: public, each operation with two URLs. */
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

const headerRef = (name: string): Json => ({ $ref: `#/components/headers/${name}` })
const refusal = (status: number): Json => ({ $ref: `#/components/responses/${status}` })

const LIMIT_HEADERS = [
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
  description: 'The same key and body within 24 hours give the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** Returns the paths of the description. `refer` creates a reference to a schema in the components. */
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
    ? 'At the host name of a published site.'
    : "At the API's host, for bundles that the customer hosts: browsers may ask from the project's own domains only."
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
      ...Object.fromEntries(errorStatuses(operation).map((status) => [status, refusal(status)])),
      ...(operation.limit === null ? {} : { 429: tooMany() }),
    },
  }
}

function successText({ body, success }: ReaderOperation): string {
  if (body === null) return 'What was found.'
  return success.contentType === undefined ? 'Done, and kept.' : 'Events, until the answer ends.'
}

/** A private site responds with 401 to readers who are not signed in. */
function errorStatuses({ body }: ReaderOperation): number[] {
  const ofAll = [400, 401, 403, 404, 405, 408, 431, 500, 503]
  return body === null ? ofAll : [...ofAll, 409, 413, 415, 422]
}

function tooMany(): Json {
  return {
    description:
      'The limit of the sender is reached, or the site gets so much that each entry costs some computing.',
    headers: {
      ...Object.fromEntries(
        ['X-Request-Id', 'Retry-After', ...LIMIT_HEADERS].map((name) => [name, headerRef(name)]),
      ),
      [CHALLENGE_HEADER]: {
        description:
          'With a challenge: `"<challenge>";bits=<n>`. It is solved by a text of at most 64 characters for which SHA-256 of `<challenge>:<text>` begins with n zero bits. Send the same again with `proof` within two minutes.',
        schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+";bits=\\d+$' },
      },
    },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}
