/** Builds OpenAPI 3.1 descriptions from the operation tables. Also runs in browsers. */
import type { TSchema } from 'typebox'
import { listParameters } from '../../base/api/describe-parameters.ts'
import { errorStatuses, type Operation } from '../../base/api/operation.ts'
import { operationTitle } from '../../base/api/operation-title.ts'
import type { Area } from '../../base/api/roles.ts'
import { PERMISSIONS, type Permission } from '../../base/api/roles.ts'
import { ErrorBody } from '../../base/api/schema.ts'
import { ERRORS } from '../../base/errors/catalogue.ts'
import { ERROR_CODES, EXAMPLE_PARAMS, errorMessage } from '../../base/errors/errors.ts'
import { MCP_PATHS } from './mcp-description.ts'
import { describeReaderApi, headerRef, IDEMPOTENCY_KEY, LIMIT_HEADERS } from './reader-description.ts'
import { SERVICE_PATHS } from './service-paths.ts'
import { describeWebhooks } from './webhook-description.ts'

type Json = { [key: string]: unknown }

/** Area with a separate description; `null` for the whole API. */
export type DescribedArea = Exclude<Area, 'deployments' | 'discovery' | 'webhooks' | 'projects'> | null

export const DESCRIBED_AREAS: readonly Exclude<DescribedArea, 'dashboard' | null>[] = [
  'static-export',
  'analytics',
  'agent',
]

/** Version of the API, not of the program. */
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
  'static-export': 'Pre-render a site into a self-contained archive and download it.',
  analytics: 'Reader feedback and usage of a project.',
  agent: 'Background jobs in which an agent edits the documentation.',
  deployments: 'Update the source and publish the site.',
  discovery: 'Public text of a site for programs: its assistant, search and pages.',
  webhooks: 'Receive events as signed requests to your own URL.',
  projects: 'Permanently delete projects and feedback, and restore projects.',
  dashboard:
    "Requests of the dashboard that are not part of the public API. They require a member's session, not a key.",
}

export interface DescriptionOptions {
  /** Without a trailing slash. */
  publicUrl: string
  part: DescribedArea
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
    description:
      'An assistant key (`oct_ast_…`) of one project, which gives access to the public text of its site.',
  },
}

const SESSION_SCHEMES: Json = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'octavo.session_token',
    description: 'Session cookie of a person. Over https, its name begins with `__Secure-`.',
  },
  organization: {
    type: 'apiKey',
    in: 'header',
    name: 'Octavo-Organization',
    description: 'ID of the organization that the request is for. The person must be a member.',
  },
}

type Refer = (schema: TSchema) => Json

function describeOperation(id: string, operation: Operation, refer: Refer): Json {
  const { status, schema, contentType = 'application/json', headers = {} } = operation.success
  const { contentTypes = [contentType] } = operation.success
  const responses: Record<string, Json> = {
    [status]: {
      description: SUCCESS_DESCRIPTIONS[status],
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
    ...describeSecurity(operation),
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

/** Returns the security requirement: empty for public operations, else with the required role. */
function describeSecurity(operation: Operation & { permission?: Permission | null }): Json {
  if (operation.takesAssistantKeys) return { security: [{ assistantKey: [] }, { adminKey: [] }] }
  if (operation.permission === undefined) return {}
  if (operation.permission === null) return { security: [] }
  if (operation.permission === 'machine') return { 'x-permission': operation.permission }
  return { 'x-permission': operation.permission, 'x-least-role': PERMISSIONS[operation.permission] }
}

const SUCCESS_DESCRIPTIONS = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted. The work continues in the background.',
} as const

const DEPRECATION_HEADERS: Json = {
  Deprecation: own('When the operation was deprecated, as `@` and a Unix time in seconds.'),
  Sunset: own('When the operation will be removed.'),
  Link: own('The replacement operation, as `successor-version`.'),
}

const EVENT_PARAMETERS = (contentType: string): Json[] =>
  contentType === 'text/event-stream'
    ? [
        {
          name: 'Last-Event-ID',
          in: 'header',
          description: 'Number of the last received event; the stream continues after it.',
          schema: { type: 'string' },
        },
      ]
    : []

function commonHeaders(operation: Operation): Json {
  const names = operation.limit === null ? ['X-Request-Id'] : ['X-Request-Id', ...LIMIT_HEADERS]
  return Object.fromEntries(names.map((name) => [name, headerRef(name)]))
}

const HEADERS: Record<string, Json> = {
  'X-Request-Id': {
    required: true,
    description: "Identifies this request in the server's logs.",
    schema: { type: 'string', pattern: '^req_[0-9a-z]{26}$' },
  },
  'RateLimit-Policy': {
    required: true,
    description: 'Name of the limit, its quota (`q`) and its window in seconds (`w`), as a structured field.',
    schema: { type: 'string', examples: ['"exportStarts";q=20;w=3600'] },
  },
  RateLimit: {
    required: true,
    description:
      'Remaining requests (`r`) and seconds until more are available (`t`), as a structured field.',
    schema: { type: 'string', examples: ['"exportStarts";r=19;t=3600'] },
  },
  'X-RateLimit-Limit': integerHeader('Requests allowed per window.'),
  'X-RateLimit-Remaining': integerHeader('Remaining requests in the window.'),
  'X-RateLimit-Reset': integerHeader('Seconds until more requests are available.'),
  'Retry-After': integerHeader('Seconds to wait before the next request.'),
  'WWW-Authenticate': { required: true, description: 'Always `Bearer`.', schema: { const: 'Bearer' } },
  Allow: { required: true, description: 'Methods allowed at this path.', schema: { type: 'string' } },
  'Idempotent-Replayed': {
    description: 'Present if the response is a replay of an earlier one.',
    schema: { const: 'true' },
  },
}

/** Response headers by status, in addition to `X-Request-Id`. */
const ERROR_HEADERS: Record<number, readonly string[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', ...LIMIT_HEADERS],
}

const ERROR_DESCRIPTIONS: Record<number, string> = {
  400: 'The body or query is invalid. `details` lists every error.',
  401: 'The key is missing or invalid.',
  403: 'Not allowed by the scope, IP address or plan.',
  404: 'Not found in this organization.',
  405: 'Method not allowed at this path.',
  408: 'The request took too long to arrive.',
  409: 'Not possible in the current state, or the first request with this Idempotency-Key is still running.',
  412: 'The object does not match the condition.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not JSON.',
  416: 'The range is beyond the end of the object.',
  422: 'The Idempotency-Key was already used with another body.',
  429: 'The rate limit is reached.',
  431: 'The headers are too large.',
  500: 'Internal error, logged under the request ID.',
  503: 'A required service is unavailable.',
}

function errorResponses(errorRef: Json): Record<string, Json> {
  const statuses = Object.keys(ERROR_DESCRIPTIONS).map(Number)
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = ERROR_CODES.filter((code) => ERRORS[code].status === status)
      const names = ['X-Request-Id', ...(ERROR_HEADERS[status] ?? [])]
      const response: Json = {
        description: ERROR_DESCRIPTIONS[status],
        headers: Object.fromEntries(names.map((name) => [name, headerRef(name)])),
        content: {
          'application/json': {
            schema: errorRef,
            examples: Object.fromEntries(
              codes.map((code) => [
                code,
                { summary: ERRORS[code].remedy, value: { error: errorMessage(code, EXAMPLE_PARAMS), code } },
              ]),
            ),
          },
        },
      }
      return [String(status), response]
    }),
  )
}

function integerHeader(description: string): Json {
  return { required: true, description, schema: { type: 'integer', minimum: 0 } }
}

function own(description: string): Json {
  return { required: true, description, schema: { type: 'string' } }
}

/** Replaces each schema that has a title with a reference to the components. */
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
