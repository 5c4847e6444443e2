/** OpenAPI description of paths outside the versioned API: health, the descriptions themselves, object links. */

import { operationTitle } from '../../base/api/operation-title.ts'
import { AUTOMATION_HOOK_PATH, AutomationRun } from '../../features/automations/operations/automations.ts'
import { PUSH_PATH } from '../../features/hosting/operations/push-path.ts'
import { IDEMPOTENCY_KEY } from './reader-description.ts'

type Json = { [key: string]: unknown }

const requestId = { $ref: '#/components/headers/X-Request-Id' }
const refusal = (status: number) => ({ $ref: `#/components/responses/${status}` })

export const HEALTH_PATH = '/healthz'
export const LIVENESS_PATH = '/livez'
export const READINESS_PATH = '/readyz'
/** Metrics in the Prometheus text format. */
export const METRICS_PATH = '/metrics'
export const FULL_DESCRIPTION_PATH = '/openapi.json'
/** JSON Schema of docs.json, for editors. */
export const SETTINGS_SCHEMA_PATH = '/schema/docs.json'
/** Public key that bundles are signed with, as PEM. */
export const SIGNING_KEY_PATH = '/.well-known/octavo-signing-key.pem'
export const partDescriptionPath = (part: string) => `/openapi/${part}.json`

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
  // A path parameter may have an invalid percent-encoding.
  const any = {
    ...(parameters.length === 0 ? {} : { 400: refusal(400) }),
    408: refusal(408),
    431: refusal(431),
  }
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
        'Each part, and what is wrong with it. Only `database` counts for `ok`; the others are shared by all nodes, or cost no request.',
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

/** Object keys and file paths contain slashes, so `{key}` stands for the rest of the path. */
const objectLink = get(
  'getObject',
  'Download what a presigned link names; resumable with Range',
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
    403: refusal(403),
    404: refusal(404),
    405: refusal(405),
    412: refusal(412),
    416: refusal(416),
    500: refusal(500),
    503: refusal(503),
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

const htmlContent = { 'text/html': { schema: { type: 'string' } } }

const html = (description: string): Json => ({
  description,
  headers: { 'X-Request-Id': requestId },
  content: htmlContent,
})

const partsOfPath = (...names: string[]): Json[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))

const reviewPage = get(
  'getReviewPage',
  'A page for people: the change of an agent job, for a repository without a forge. The link lets one look, no more',
  {
    200: html('HTML.'),
    404: {
      ...html('There is no such job, or the token is not right; JSON when they are too long to be any.'),
      content: { ...htmlContent, 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
    405: refusal(405),
    500: refusal(500),
    503: refusal(503),
  },
  partsOfPath('jobId', 'token'),
)

const reviewPreview = (side: 'before' | 'after') =>
  get(
    side === 'before' ? 'getPreviewBefore' : 'getPreviewAfter',
    `A file of the rendered site ${side} the change of an agent job, as the review page shows it`,
    {
      200: { description: 'The file.', headers: { 'X-Request-Id': requestId }, content: objectBody },
      304: { description: 'The file has not changed.', headers: { 'X-Request-Id': requestId } },
      404: { description: 'There is none.', headers: { 'X-Request-Id': requestId }, content: objectBody },
      405: refusal(405),
      500: refusal(500),
      503: refusal(503),
    },
    partsOfPath('jobId', 'token', 'key'),
  )

const unsubscribeAnswers = {
  200: html('HTML that says what is or was done.'),
  404: html('The link is none of this server, or the person has left.'),
  405: refusal(405),
  408: refusal(408),
  431: refusal(431),
  500: refusal(500),
  503: refusal(503),
}

/** Submitted by people, and by their mail clients according to RFC 8058. */
const unsubscribe: Json = {
  ...get(
    'getUnsubscribePage',
    'A page for people: asks whether the mails about notifications are to stop. It changes nothing',
    unsubscribeAnswers,
    partsOfPath('token'),
  ),
  post: {
    operationId: 'unsubscribe',
    summary: operationTitle('unsubscribe'),
    description:
      'Stops the mails about notifications to one person of one organization, by the signed link in them.',
    tags: ['Service'],
    security: [],
    parameters: partsOfPath('token'),
    responses: { ...unsubscribeAnswers, 400: refusal(400), 413: refusal(413) },
  },
}

const reviewPicture = (side: 'before' | 'after') =>
  get(
    side === 'before' ? 'getPictureBefore' : 'getPictureAfter',
    `A picture of the docs folder ${side} the change of an agent job, when the job changed it`,
    {
      200: { description: 'The picture.', headers: { 'X-Request-Id': requestId }, content: objectBody },
      404: refusal(404),
      405: refusal(405),
      500: refusal(500),
      503: refusal(503),
    },
    partsOfPath('jobId', 'token', 'key'),
  )

const pushHook: Json = {
  post: {
    operationId: 'takePush',
    summary: operationTitle('takePush'),
    description:
      'Where a forge tells of pushes, comments and pull requests: GitHub, GitLab, Gitea, Forgejo or Bitbucket, signed with the secret of the webhook.',
    tags: ['Service'],
    security: [],
    parameters: partsOfPath('projectId'),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object' } } },
    },
    responses: {
      202: json('What became of it.', {
        type: 'object',
        required: ['deploymentId', 'outcome'],
        additionalProperties: false,
        properties: {
          deploymentId: { type: ['string', 'null'] },
          outcome: {
            enum: ['published', 'previewed', 'other_branch', 'automation', 'review', 'no_push', 'archived'],
          },
        },
      }),
      ...Object.fromEntries(
        [400, 401, 405, 408, 413, 415, 431, 500, 503].map((status) => [status, refusal(status)]),
      ),
    },
  },
}

const automationHook: Json = {
  post: {
    operationId: 'takeAutomationMessage',
    summary: operationTitle('takeAutomationMessage'),
    description:
      'The address of an automation with a webhook: whoever knows it may send a message, as programs that write to Slack do (`text`), or any other JSON.',
    tags: ['Service'],
    security: [],
    parameters: [...partsOfPath('automationId', 'token'), IDEMPOTENCY_KEY],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { type: 'object' } },
        'text/plain': { schema: { type: 'string' } },
      },
    },
    responses: {
      202: json('What became of it.', {
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
      ...Object.fromEntries(
        [400, 404, 405, 408, 409, 413, 415, 422, 429, 431, 500, 503].map((status) => [
          status,
          refusal(status),
        ]),
      ),
    },
  },
}

export const SERVICE_PATHS: Record<string, Json> = {
  [PUSH_PATH]: pushHook,
  [AUTOMATION_HOOK_PATH]: automationHook,
  '/': get('getFrontPage', 'A page for people that names the product and links to the descriptions', {
    200: {
      description: 'HTML.',
      headers: { 'X-Request-Id': requestId },
      content: { 'text/html': { schema: { type: 'string' } } },
    },
    405: refusal(405),
  }),
  '/_octavo/objects/{key}': objectLink,
  '/unsubscribe/{token}': unsubscribe,
  '/reviews/{jobId}/{token}': reviewPage,
  '/reviews/{jobId}/{token}/before/{key}': reviewPreview('before'),
  '/reviews/{jobId}/{token}/after/{key}': reviewPreview('after'),
  '/reviews/{jobId}/{token}/pictures/before/{key}': reviewPicture('before'),
  '/reviews/{jobId}/{token}/pictures/after/{key}': reviewPicture('after'),
  [HEALTH_PATH]: get('getHealth', 'Whether the process is up', {
    200: json('It is up.', {
      type: 'object',
      required: ['ok', 'version'],
      additionalProperties: false,
      properties: { ok: { const: true }, version: { type: 'string' } },
    }),
    405: refusal(405),
  }),
  [LIVENESS_PATH]: get(
    'getLiveness',
    'Whether the process answers: one that does not is to be started again',
    {
      200: json('It answers.', {
        type: 'object',
        required: ['ok'],
        additionalProperties: false,
        properties: { ok: { const: true } },
      }),
      405: refusal(405),
    },
  ),
  [READINESS_PATH]: get('getReadiness', 'Whether this node can serve', {
    200: json('It can. `parts` says which part that all nodes share is not well.', readiness),
    405: refusal(405),
    503: json('It cannot: `parts` says why.', readiness),
  }),
  [METRICS_PATH]: get(
    'getMetrics',
    'Figures of this node in the text form of Prometheus, for the addresses and the token that its operator has named',
    {
      200: {
        description: 'The figures.',
        headers: { 'X-Request-Id': requestId },
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      403: refusal(403),
      405: refusal(405),
      500: refusal(500),
    },
  ),
  [FULL_DESCRIPTION_PATH]: get('getDescription', 'This description', {
    200: json('An OpenAPI 3.1 document.', openapiDocument),
    405: refusal(405),
  }),
  [SETTINGS_SCHEMA_PATH]: get('getSettingsSchema', 'JSON Schema of docs.json', {
    200: json('A JSON Schema, draft 7.', {
      type: 'object',
      required: ['$schema', 'properties', 'definitions'],
      properties: { $schema: text(), properties: { type: 'object' }, definitions: { type: 'object' } },
    }),
    405: refusal(405),
  }),
  [SIGNING_KEY_PATH]: get('getSigningKey', 'The public key that bundles are signed with', {
    200: {
      description: 'An Ed25519 public key in PEM (SPKI).',
      headers: { 'X-Request-Id': requestId },
      content: { 'application/x-pem-file': { schema: text('^-----BEGIN PUBLIC KEY-----') } },
    },
    404: refusal(404),
    405: refusal(405),
    500: refusal(500),
  }),
  '/openapi/{part}.json': get(
    'getPartDescription',
    'The description of one part of the API',
    { 200: json('An OpenAPI 3.1 document.', openapiDocument), 404: refusal(404), 405: refusal(405) },
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
