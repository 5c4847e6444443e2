/** Builds the OpenAPI 3.1 descriptions from the table of operations. Plain JSON objects; runs in a browser. */
import type { TSchema } from 'typebox'
import { listParameters } from '../../base/api/describe-parameters.ts'
import { errorStatuses, type Operation } from '../../base/api/operation.ts'
import { operationTitle } from '../../base/api/operation-title.ts'
import type { Area } from '../../base/api/roles.ts'
import { PERMISSIONS, type Permission } from '../../base/api/roles.ts'
import { ErrorBody } from '../../base/api/schema.ts'
import { ERRORS } from '../../base/errors/error-catalogue.ts'
import { ERROR_CODES, errorSentence } from '../../base/errors/errors.ts'
import { MCP_PATHS } from './mcp-description.ts'
import { describeReaderApi, IDEMPOTENCY_KEY } from './reader-description.ts'
import { SERVICE_PATHS } from './service-paths.ts'
import { describeWebhooks } from './webhook-description.ts'

type Json = { [key: string]: unknown }

/** Parts with a separate description; `null` is the whole API. */
export type DescribedPart = Exclude<Area, 'deployments' | 'discovery' | 'webhooks' | 'projects'> | null

export const DESCRIBED_PARTS: readonly Exclude<DescribedPart, 'dashboard' | null>[] = [
  'static-export',
  'analytics',
  'agent',
]

/** Version of the interface, not of the program. */
const API_VERSION = '1.0.0'

const TITLES: Record<Area, string> = {
  'static-export': 'Static export',
  analytics: 'Analytics',
  agent: 'Agent jobs',
  deployments: 'Deployments',
  discovery: 'Discovery',
  webhooks: 'Webhooks',
  projects: 'Projects',
  dashboard: 'Dashboard',
}

const SUMMARIES: Record<Area, string> = {
  'static-export': 'Pre-render a site into one self-contained archive, and download it.',
  analytics: 'Reader feedback and usage of a project.',
  agent: 'Background jobs in which an agent edits the documentation.',
  deployments: 'Bring the source up to date and publish the site.',
  discovery: 'The public text of a site for programs: its assistant, its search, its pages.',
  webhooks: 'Be told of what happens, by signed requests to an address of yours.',
  projects: 'Delete projects and feedback for good, and bring projects back.',
  dashboard: 'What the dashboard asks for beside the public API. Takes the session of a member, no key.',
}

export interface DescriptionOptions {
  /** Public URL of the server, without a trailing slash. */
  publicUrl: string
  part: DescribedPart
}

export function describeApi(operations: Record<string, Operation>, options: DescriptionOptions): Json {
  const isDescribed = ([, operation]: [string, Operation]) =>
    options.part === null || operation.area === options.part
  const described = Object.entries(operations).filter(isDescribed)
  const areas =
    options.part === null ? [...new Set(described.map(([, operation]) => operation.area))] : [options.part]
  const schemas = new Map<string, Json>()
  const refer = (schema: TSchema) => hoist(schema, schemas)
  const errorRef = refer(ErrorBody)
  const paths: Record<string, Json> = {}
  for (const [id, operation] of described) {
    paths[operation.path] ??= {}
    ;(paths[operation.path] as Json)[operation.method.toLowerCase()] = describeOperation(id, operation, refer)
  }
  if (options.part === null) Object.assign(paths, describeReaderApi(refer), MCP_PATHS, SERVICE_PATHS)
  const title = options.part === null ? 'Octavo' : `Octavo: ${TITLES[options.part]}`
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: API_VERSION,
      description: options.part === null ? 'The API of a documentation platform.' : SUMMARIES[options.part],
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.publicUrl }],
    security: [options.part === 'dashboard' ? { session: [], organization: [] } : { adminKey: [] }],
    tags: areas.map((area) => ({ name: TITLES[area], description: SUMMARIES[area] })),
    paths,
    ...(options.part === null ? { webhooks: describeWebhooks(refer) } : {}),
    components: {
      securitySchemes: options.part === 'dashboard' ? SESSION_SCHEMES : KEY_SCHEMES,
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
      headers: HEADERS,
      responses: errorResponses(errorRef),
    },
  }
}

const KEY_SCHEMES: Json = {
  adminKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An admin API key (`oct_…`): a server-side secret of an organization.',
  },
  assistantKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An assistant key (`oct_ast_…`) of one project: for the public text of its site.',
  },
}

const SESSION_SCHEMES: Json = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'octavo.session_token',
    description: 'The session of a person; over https its name begins with `__Secure-`.',
  },
  organization: {
    type: 'apiKey',
    in: 'header',
    name: 'Octavo-Organization',
    description: 'Id of the organization that the person acts for, of which they are a member.',
  },
}

type Refer = (schema: TSchema) => Json

function describeOperation(id: string, operation: Operation, refer: Refer): Json {
  const { status, schema, contentType = 'application/json', headers = {} } = operation.success
  const { contentTypes = [contentType] } = operation.success
  const responses: Record<string, Json> = {
    [status]: {
      description: SUCCESS_WORDS[status],
      headers: {
        ...commonHeaders(operation),
        ...(operation.deprecated === undefined ? {} : DEPRECATION_HEADERS),
        ...(operation.method === 'GET' || operation.isQuery
          ? {}
          : { 'Idempotent-Replayed': headerRef('Idempotent-Replayed') }),
        ...Object.fromEntries(Object.entries(headers).map(([name, description]) => [name, own(description)])),
      },
      content: Object.fromEntries(contentTypes.map((type) => [type, { schema: refer(schema) }])),
    },
  }
  for (const error of errorStatuses(operation)) responses[error] = { $ref: `#/components/responses/${error}` }
  return {
    operationId: id,
    summary: operationTitle(id),
    description: `${operation.summary}.`,
    tags: [TITLES[operation.area]],
    ...securityOf(operation),
    ...(operation.deprecated === undefined ? {} : { deprecated: true }),
    parameters: [
      ...listParameters(operation.params, 'path', refer),
      ...listParameters(operation.query, 'query', refer),
      ...(operation.isQuery
        ? []
        : operation.method === 'GET'
          ? EVENT_PARAMETERS(contentType)
          : [IDEMPOTENCY_KEY]),
    ],
    ...(operation.body === null
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: refer(operation.body) } } },
        }),
    responses,
  }
}

/** Marks operations that are open to visitors, and states the role that others require. */
function securityOf(operation: Operation & { permission?: Permission | null }): Json {
  if (operation.takesAssistantKeys) return { security: [{ assistantKey: [] }, { adminKey: [] }] }
  if (operation.permission === undefined) return {}
  if (operation.permission === null) return { security: [] }
  return { 'x-permission': operation.permission, 'x-least-role': PERMISSIONS[operation.permission] }
}

const SUCCESS_WORDS = { 200: 'Done.', 201: 'Created.', 202: 'Accepted; the work goes on.' } as const

const DEPRECATION_HEADERS: Json = {
  Deprecation: own('Since when nobody should begin to use it, as `@` and seconds since 1970.'),
  Sunset: own('When it ends.'),
  Link: own('The operation that takes its place, as `successor-version`.'),
}

const EVENT_PARAMETERS = (contentType: string): Json[] =>
  contentType === 'text/event-stream'
    ? [
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'Number of the last event that arrived: the stream goes on behind it.',
          schema: { type: 'string' },
        },
      ]
    : []

function commonHeaders(operation: Operation): Json {
  const names = operation.limit === null ? ['X-Request-Id'] : ['X-Request-Id', ...LIMIT_HEADERS]
  return Object.fromEntries(names.map((name) => [name, headerRef(name)]))
}

const LIMIT_HEADERS = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
]

const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    required: true,
    description: 'Names this request in the logs of the server.',
    schema: { type: 'string', pattern: '^req_[0-9a-z]{26}$' },
  },
  'RateLimit-Policy': {
    required: true,
    description: 'Name of the limit, its quota (`q`) and its window in seconds (`w`), as a structured field.',
    schema: { type: 'string', examples: ['"exportStarts";q=20;w=3600'] },
  },
  RateLimit: {
    required: true,
    description: 'What is left (`r`) and the seconds until more is free (`t`), as a structured field.',
    schema: { type: 'string', examples: ['"exportStarts";r=19;t=3600'] },
  },
  'X-RateLimit-Limit': integerHeader('How much the window holds.'),
  'X-RateLimit-Remaining': integerHeader('How much is left of it.'),
  'X-RateLimit-Reset': integerHeader('Seconds until more is free.'),
  'Retry-After': integerHeader('Seconds to wait; a request after them is not refused for the limit.'),
  'WWW-Authenticate': { required: true, description: 'Always `Bearer`.', schema: { const: 'Bearer' } },
  Allow: { required: true, description: 'The methods that this address takes.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'Stands on an answer that was given before.',
    schema: { const: 'true' },
  },
}

/** Headers of each refusal in addition to `X-Request-Id`. */
const ERROR_HEADERS: Record<number, readonly string[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', ...LIMIT_HEADERS],
}

const ERROR_WORDS: Record<number, string> = {
  400: 'The body or query is not valid; `details` names every fault.',
  401: 'No key, or not a valid one.',
  403: 'The scope, the address or the plan does not allow it.',
  404: 'There is no such thing in this organization.',
  405: 'The address does not take this method.',
  408: 'The request did not arrive in time.',
  409: 'The state of the thing forbids it, or the first request with this Idempotency-Key is still at work.',
  412: 'The object is not the one that the condition names.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  416: 'The range lies behind the end of the object.',
  422: 'The Idempotency-Key was used with another body.',
  429: 'The limit is reached.',
  431: 'The headers are too large.',
  500: 'A fault of the server, logged under the request id.',
  503: 'A part that the request needs is not there.',
}

function errorResponses(errorRef: Json): Record<string, Json> {
  const statuses = Object.keys(ERROR_WORDS).map(Number)
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = ERROR_CODES.filter((code) => ERRORS[code].status === status)
      const names = ['X-Request-Id', ...(ERROR_HEADERS[status] ?? [])]
      const response: Json = {
        description: ERROR_WORDS[status],
        headers: Object.fromEntries(names.map((name) => [name, headerRef(name)])),
        content: {
          'application/json': {
            schema: errorRef,
            examples: Object.fromEntries(
              codes.map((code) => [
                code,
                { summary: ERRORS[code].remedy, value: { error: errorSentence(code), code } },
              ]),
            ),
          },
        },
      }
      return [String(status), response]
    }),
  )
}

function headerRef(name: string): Json {
  return { $ref: `#/components/headers/${name}` }
}

function integerHeader(description: string): Json {
  return { required: true, description, schema: { type: 'integer', minimum: 0 } }
}

function own(description: string): Json {
  return { required: true, description, schema: { type: 'string' } }
}

/** Moves every schema with a title into the components and replaces it with a reference. */
function hoist(schema: unknown, schemas: Map<string, Json>, isNamed = true): Json {
  const { title } = schema as { title?: unknown }
  if (isNamed && typeof title === 'string') {
    if (!schemas.has(title)) {
      schemas.set(title, {}) // Set first, so that recursive schemas terminate.
      schemas.set(title, hoist(schema, schemas, false))
    }
    return { $ref: `#/components/schemas/${title}` }
  }
  const entries = Object.entries(schema as Json)
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, hoistBelow(keyword, value, schemas)]))
}

function hoistBelow(keyword: string, value: unknown, schemas: Map<string, Json>): unknown {
  switch (keyword) {
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Json).map(([name, schema]) => [name, hoist(schema, schemas)]),
      )
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
      return (value as unknown[]).map((schema) => hoist(schema, schemas))
    case 'items':
    case 'additionalProperties':
      return typeof value === 'object' ? hoist(value, schemas) : value
    default:
      return value
  }
}
