/**
 * OpenAPI description of the paths outside the versioned API: health checks, descriptions, links to objects.
 */

import { operationTitle } from '../../base/api/operation-title.ts'
import { AUTOMATION_HOOK_PATH, AutomationRun } from '../../features/automations/operations/automations.ts'
import { PUSH_PATH } from '../../features/hosting/operations/push-path.ts'
import { headerRef, IDEMPOTENCY_KEY, refusals } from './reader-description.ts'

type Json = { [key: string]: unknown }

const requestId = headerRef('X-Request-Id')

export const HEALTH_PATH = '/healthz'
export const LIVENESS_PATH = '/livez'
export const READINESS_PATH = '/readyz'
export const METRICS_PATH = '/metrics'
export const FULL_DESCRIPTION_PATH = '/openapi.json'
export const SETTINGS_SCHEMA_PATH = '/schema/docs.json'
export const SIGNING_KEY_PATH = '/.well-known/octavo-signing-key.pem'
export const areaDescriptionPath = (part: string) => `/openapi/${part}.json`

const text = (pattern?: string) => ({ type: 'string', ...(pattern === undefined ? {} : { pattern }) })

function json(description: string, schema: Json): Json {
  return {
    description,
    headers: { 'X-Request-Id': requestId },
    content: { 'application/json': { schema } },
  }
}

function get(operationId: string, sentence: string, responses: Json, parameters: Json[] = []): Json {
  const words = { operationId, summary: operationTitle(operationId), description: `${sentence}.` }
  // Invalid percent-encoding in a path parameter results in 400.
  const any = refusals(...(parameters.length === 0 ? [] : [400]), 405, 408, 431)
  return {
    get: { ...words, tags: ['Service'], security: [], parameters, responses: { ...any, ...responses } },
  }
}

const readiness = {
  type: 'object',
  required: ['ok', 'parts'],
  additionalProperties: false,
  properties: {
    ok: { type: 'boolean' },
    parts: {
      type: 'object',
      description:
        'State of each component. Only `database` affects `ok`, because a failure of any other component affects either all nodes equally or no requests.',
      additionalProperties: { type: 'string', examples: ['ok'] },
    },
  },
}

const openapiDocument = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: { openapi: text('^3\\.1\\.'), info: { type: 'object' }, paths: { type: 'object' } },
}

const objectHeaders = (...more: string[]) => ({
  'X-Request-Id': requestId,
  ETag: { required: true, description: 'Changes when the object changes.', schema: text('^"') },
  ...Object.fromEntries(more.map((name) => [name, { required: true, schema: { type: 'string' } }])),
})

const objectBody = { '*/*': { schema: { contentMediaType: 'application/octet-stream' } } }

/** `{key}` matches the rest of the path, because object keys and file paths contain slashes. */
const objectLink = get(
  'getObject',
  'Download the file of a presigned link; resumable with Range',
  {
    200: {
      description: 'The whole object.',
      headers: objectHeaders('Content-Length', 'Content-Disposition', 'Accept-Ranges'),
      content: objectBody,
    },
    206: {
      description: 'The bytes of the range.',
      headers: objectHeaders('Content-Length', 'Content-Disposition', 'Content-Range'),
      content: objectBody,
    },
    304: { description: 'The object has not changed.', headers: objectHeaders() },
    ...refusals(403, 404, 405, 412, 416, 500, 503),
  },
  [
    { name: 'key', in: 'path', required: true, schema: { type: 'string' } },
    ...['expires', 'filename', 'signature'].map((name) => ({
      name,
      in: 'query',
      required: true,
      schema: { type: 'string' },
    })),
    { name: 'Range', in: 'header', schema: { type: 'string' } },
  ],
)

const html = (description: string): Json => ({
  description,
  headers: { 'X-Request-Id': requestId },
  content: { 'text/html': { schema: text() } },
})

const pathParameters = (...names: string[]): Json[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

const reviewPreview = (side: 'before' | 'after') =>
  get(
    side === 'before' ? 'getPreviewBefore' : 'getPreviewAfter',
    `Return a file of the rendered site ${side} the change of an agent job, as shown on the review page`,
    {
      200: { description: 'The file.', headers: { 'X-Request-Id': requestId }, content: objectBody },
      304: { description: 'The file has not changed.', headers: { 'X-Request-Id': requestId } },
      404: { description: 'Not found.', headers: { 'X-Request-Id': requestId }, content: objectBody },
      ...refusals(405, 500, 503),
    },
    pathParameters('jobId', 'token', 'key'),
  )

const unsubscribeResponses = {
  200: html('HTML page with the result.'),
  404: html('The link is invalid, or the person is no longer a member.'),
  ...refusals(405, 408, 431, 500, 503),
}

/** Called by users, and by mail clients for one-click unsubscribe (RFC 8058). */
const unsubscribe: Json = {
  ...get(
    'getUnsubscribePage',
    'Show a page that asks whether to stop notification emails. Changes nothing',
    unsubscribeResponses,
    pathParameters('token'),
  ),
  post: {
    operationId: 'unsubscribe',
    summary: operationTitle('unsubscribe'),
    description:
      'Unsubscribe a member of an organization from notification emails, with the signed link in the email.',
    tags: ['Service'],
    security: [],
    parameters: pathParameters('token'),
    responses: { ...unsubscribeResponses, ...refusals(400, 413) },
  },
}

const reviewImage = (side: 'before' | 'after') =>
  get(
    side === 'before' ? 'getPictureBefore' : 'getPictureAfter',
    `Return an image of the docs folder ${side} the change of an agent job, if the job changed it`,
    {
      200: { description: 'The image.', headers: { 'X-Request-Id': requestId }, content: objectBody },
      ...refusals(404, 405, 500, 503),
    },
    pathParameters('jobId', 'token', 'key'),
  )

const pushHook: Json = {
  post: {
    operationId: 'takePush',
    summary: operationTitle('takePush'),
    description:
      'Receive pushes, comments and pull requests from GitHub, GitLab, Gitea, Forgejo or Bitbucket, signed with the webhook secret.',
    tags: ['Service'],
    security: [],
    parameters: pathParameters('projectId'),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    responses: {
      202: json('Result of the request.', {
        type: 'object',
        required: ['deploymentId', 'outcome'],
        additionalProperties: false,
        properties: {
          deploymentId: { type: ['string', 'null'] },
          outcome: {
            enum: [
              'published',
              'previewed',
              'other_branch',
              'automation',
              'statements',
              'review',
              'no_push',
              'archived',
            ],
          },
        },
      }),
      ...refusals(400, 401, 405, 408, 413, 415, 431, 500, 503),
    },
  },
}

const automationHook: Json = {
  post: {
    operationId: 'takeAutomationMessage',
    summary: operationTitle('takeAutomationMessage'),
    description:
      'Send a message to an automation with a webhook trigger: Slack-style JSON with `text`, or any other JSON. Anyone with the URL can send.',
    tags: ['Service'],
    security: [],
    parameters: [...pathParameters('automationId', 'token'), IDEMPOTENCY_KEY],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { type: 'object' } },
        'text/plain': { schema: { type: 'string' } },
      },
    },
    responses: {
      202: json('Result of the request.', {
        type: 'object',
        required: ['runId', 'state', 'reason', 'jobId'],
        additionalProperties: false,
        properties: {
          runId: AutomationRun.properties.runId,
          state: AutomationRun.properties.state,
          reason: AutomationRun.properties.reason,
          jobId: AutomationRun.properties.jobId,
        },
      }),
      ...refusals(400, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 503),
    },
  },
}

export const SERVICE_PATHS: Record<string, Json> = {
  [PUSH_PATH]: pushHook,
  [AUTOMATION_HOOK_PATH]: automationHook,
  '/': get('getFrontPage', 'Show the dashboard', {
    200: html('HTML.'),
  }),
  '/_octavo/objects/{key}': objectLink,
  '/unsubscribe/{token}': unsubscribe,
  '/reviews/{jobId}/{token}/before/{key}': reviewPreview('before'),
  '/reviews/{jobId}/{token}/after/{key}': reviewPreview('after'),
  '/reviews/{jobId}/{token}/pictures/before/{key}': reviewImage('before'),
  '/reviews/{jobId}/{token}/pictures/after/{key}': reviewImage('after'),
  [HEALTH_PATH]: get('getHealth', 'Check whether the process is up', {
    200: json('The process is up.', {
      type: 'object',
      required: ['ok', 'version'],
      additionalProperties: false,
      properties: { ok: { const: true }, version: { type: 'string' } },
    }),
  }),
  [LIVENESS_PATH]: get(
    'getLiveness',
    'Liveness: check whether the process responds. Restart it if it does not',
    {
      200: json('The process responds.', {
        type: 'object',
        required: ['ok'],
        additionalProperties: false,
        properties: { ok: { const: true } },
      }),
    },
  ),
  [READINESS_PATH]: get('getReadiness', 'Readiness: check whether this node can serve requests', {
    200: json('Ready. `parts` reports shared services that are failing.', readiness),
    503: json('Not ready. `parts` states why.', readiness),
  }),
  [METRICS_PATH]: get(
    'getMetrics',
    'Return the metrics of this node in the Prometheus text format, for the IP addresses and token allowed by the operator',
    {
      200: {
        description: 'Metrics in the Prometheus text format.',
        headers: { 'X-Request-Id': requestId },
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      ...refusals(403, 405, 500),
    },
  ),
  [FULL_DESCRIPTION_PATH]: get('getDescription', 'Return this description', {
    200: json('An OpenAPI 3.1 document.', openapiDocument),
  }),
  [SETTINGS_SCHEMA_PATH]: get('getSettingsSchema', 'Return the JSON Schema of docs.json', {
    200: json('A JSON Schema, draft 7.', {
      type: 'object',
      required: ['$schema', 'properties', 'definitions'],
      properties: { $schema: text(), properties: { type: 'object' }, definitions: { type: 'object' } },
    }),
  }),
  [SIGNING_KEY_PATH]: get('getSigningKey', 'Return the public key that bundles are signed with', {
    200: {
      description: 'An Ed25519 public key in PEM (SPKI).',
      headers: { 'X-Request-Id': requestId },
      content: { 'application/x-pem-file': { schema: text('^-----BEGIN PUBLIC KEY-----') } },
    },
    ...refusals(404, 405, 500),
  }),
  '/openapi/{part}.json': get(
    'getPartDescription',
    'Return the description of one part of the API',
    { 200: json('An OpenAPI 3.1 document.', openapiDocument), ...refusals(404) },
    [
      {
        name: 'part',
        in: 'path',
        required: true,
        schema: { enum: ['static-export', 'analytics', 'agent', 'dashboard'] },
      },
    ],
  ),
}
