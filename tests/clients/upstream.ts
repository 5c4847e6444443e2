/** Operations that clients of other platforms call, with the responses of those platforms, as OpenAPI 3.0. */

type Json = { readonly [key: string]: unknown }

const text = { type: 'string' }
const number = { type: 'number' }
const count = { type: 'integer', minimum: 0 }
const flag = { type: 'boolean' }
const time = { type: 'string', format: 'date-time' }
const orNull = (schema: Json) => ({ ...schema, nullable: true })
const oneOf = (...values: string[]) => ({ type: 'string', enum: values })
const list = (items: Json) => ({ type: 'array', items })
/** Builds an object schema. Fields are required unless their name ends in `?`. */
function object(fields: Record<string, Json>): Json {
  const names = Object.keys(fields)
  const required = names.filter((name) => !name.endsWith('?'))
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), fields[name]])),
    ...(required.length > 0 && { required }),
  }
}

const SOURCE = oneOf('code_snippet', 'contextual', 'agent', 'thumbs_only')
const STATUS = oneOf('pending', 'in_progress', 'resolved', 'dismissed')
const ENTRY = {
  id: text,
  path: text,
  comment: orNull(text),
  createdAt: orNull(text),
  source: SOURCE,
  status: STATUS,
}
const TOTALS = object({ human: number, ai: number, total: number })
const BY_PAGE = list(object({ path: text, human: number, ai: number, total: number }))
const AGENT_JOB = object({
  id: text,
  status: oneOf('active', 'completed', 'archived', 'failed'),
  source: object({ repository: text, ref: orNull(text) }),
  model: text,
  prLink: orNull(text),
  createdAt: time,
  archivedAt: orNull(time),
})
const SESSION = object({
  'sessionId?': text,
  'subdomain?': text,
  'branch?': orNull(text),
  'haulted?': flag,
  'haultReason?': oneOf('completed', 'github_missconfigured', 'error', 'processing', 'interrupted'),
  'pullRequestLink?': text,
  'messageToUser?': text,
  'todos?': list(
    object({
      'content?': text,
      'status?': oneOf('pending', 'in_progress', 'completed', 'cancelled'),
      'priority?': oneOf('high', 'medium', 'low'),
      'id?': text,
    }),
  ),
  'title?': text,
  'createdAt?': time,
})
const EXPORT_JOB = object({
  jobId: text,
  status: oneOf('queued', 'running', 'completed', 'failed'),
  progress: { type: 'number', minimum: 0, maximum: 100 },
  pageCount: count,
  createdAt: time,
  updatedAt: time,
  'error?': orNull(text),
})
const MESSAGE_BODY = object({
  fp: text,
  messages: list(
    object({
      id: text,
      role: oneOf('system', 'user', 'assistant', 'data'),
      'content?': text,
      parts: list(object({ type: text, 'text?': text })),
    }),
  ),
  'threadId?': text,
  'retrievalPageSize?': number,
  'filter?': object({ 'version?': text, 'language?': text, 'groups?': list(text) }),
  'context?': list(
    object({ type: oneOf('code', 'textSelection'), value: text, 'path?': text, 'elementId?': text }),
  ),
  'currentPath?': text,
})

interface Row {
  status: number
  answer: Json
  body?: Json
  query?: Record<string, Json>
  /** Content type of a streamed response. */
  type?: string
}

const DATES = { dateFrom: text, dateTo: text }
const CURSOR = { limit: number, cursor: text }
const OFFSET = { limit: { type: 'integer' }, offset: { type: 'integer' } }
const analytics = (rest: string) => `GET /v1/analytics/{projectId}/${rest}`

/** Keyed by operation ID. */
const ROWS: Record<string, [address: string, row: Row]> = {
  listFeedback: [
    analytics('feedback'),
    {
      status: 200,
      query: { ...DATES, source: SOURCE, status: text, ...CURSOR },
      answer: object({
        feedback: list({
          anyOf: [
            object({ ...ENTRY, helpful: flag, contact: orNull(text) }),
            object({ ...ENTRY, code: text, filename: orNull(text), lang: orNull(text) }),
            object(ENTRY),
          ],
        }),
        nextCursor: orNull(text),
        hasMore: flag,
      }),
    },
  ],
  feedbackByPage: [
    analytics('feedback/by-page'),
    {
      status: 200,
      query: { ...DATES, source: SOURCE, status: text, limit: number },
      answer: object({
        feedback: list(
          object({ path: text, thumbsUp: number, thumbsDown: number, code: number, total: number }),
        ),
        hasMore: flag,
      }),
    },
  ],
  listConversations: [
    analytics('assistant'),
    {
      status: 200,
      query: { ...DATES, ...CURSOR },
      answer: object({
        conversations: list(
          object({
            ...{ id: text, timestamp: text, query: text, response: text },
            'responseType?': oneOf('answer', 'clarifying_question'),
            sources: list(object({ title: text, url: text })),
            resolutionStatus: oneOf('answered', 'unanswered'),
            queryCategory: orNull(text),
            'pageUrl?': orNull(text),
          }),
        ),
        nextCursor: orNull(text),
        hasMore: flag,
      }),
    },
  ],
  getThread: [
    analytics('assistant/threads/{threadId}'),
    {
      status: 200,
      answer: object({
        threadId: text,
        createdAt: text,
        messages: list(
          object({ id: text, role: oneOf('user', 'assistant'), content: text, createdAt: text }),
        ),
      }),
    },
  ],
  callerStats: [
    analytics('assistant/caller-stats'),
    { status: 200, query: DATES, answer: object({ web: number, api: number, other: number, total: number }) },
  ],
  listSearches: [
    analytics('searches'),
    {
      status: 200,
      query: { ...DATES, ...CURSOR },
      answer: object({
        searches: list(
          object({
            ...{ searchQuery: text, hits: number, ctr: number },
            topClickedPage: orNull(text),
            lastSearchedAt: text,
          }),
        ),
        totalSearches: count,
        nextCursor: orNull(text),
      }),
    },
  ],
  listViews: [
    analytics('views'),
    {
      status: 200,
      query: { ...DATES, ...OFFSET },
      answer: object({ totals: TOTALS, views: BY_PAGE, hasMore: flag }),
    },
  ],
  listVisitors: [
    analytics('visitors'),
    {
      status: 200,
      query: { ...DATES, ...OFFSET },
      answer: object({ totals: TOTALS, visitors: BY_PAGE, hasMore: flag }),
    },
  ],
  createJob: [
    'POST /v2/agent/{projectId}/job',
    { status: 201, body: object({ prompt: text }), answer: AGENT_JOB },
  ],
  getJob: ['GET /v2/agent/{projectId}/job/{id}', { status: 200, answer: AGENT_JOB }],
  sendFollowUp: [
    'POST /v2/agent/{projectId}/job/{id}/message',
    { status: 200, body: object({ prompt: text }), answer: AGENT_JOB },
  ],
  createSession: [
    'POST /v1/agent/{projectId}/job',
    {
      status: 200,
      type: 'text/event-stream',
      body: object({
        messages: list(object({ role: oneOf('system', 'user', 'assistant'), content: text })),
        'branch?': text,
        'asDraft?': flag,
        'model?': oneOf('sonnet', 'opus'),
      }),
      answer: text,
    },
  ],
  getSession: ['GET /v1/agent/{projectId}/job/{id}', { status: 200, answer: SESSION }],
  listSessions: [
    'GET /v1/agent/{projectId}/jobs',
    {
      status: 200,
      query: { skip: { type: 'integer' }, take: { type: 'integer' } },
      answer: object({ 'allSessions?': list(SESSION) }),
    },
  ],
  startExport: [
    'POST /v1/static-export/jobs',
    {
      status: 202,
      body: object({ domain: text, 'version?': text, 'paths?': list(text) }),
      answer: EXPORT_JOB,
    },
  ],
  getExport: ['GET /v1/static-export/jobs/{jobId}', { status: 200, answer: EXPORT_JOB }],
  makeBundle: [
    'POST /v1/static-export/jobs/{jobId}/bundle',
    { status: 200, answer: object({ jobId: text, bundleUrl: text, sizeBytes: count, expiresAt: time }) },
  ],
  triggerUpdate: [
    'POST /v1/project/update/{projectId}',
    { status: 202, answer: object({ 'statusId?': text }) },
  ],
  getUpdateStatus: [
    'GET /v1/project/update-status/{statusId}',
    {
      status: 200,
      answer: object({
        ...{ '_id?': text, 'projectId?': text, 'createdAt?': text, 'endedAt?': text },
        'status?': oneOf('queued', 'in_progress', 'success', 'failure'),
        ...{ 'summary?': text, 'logs?': list(text), 'subdomain?': text },
        ...{ 'screenshot?': text, 'screenshotLight?': text, 'screenshotDark?': text },
        'author?': orNull(object({ 'name?': text, 'avatarUrl?': text, 'githubUserId?': number })),
        'commit?': object({
          ...{ 'sha?': text, 'ref?': text, 'message?': text },
          'filesChanged?': object({ 'added?': list(text), 'modified?': list(text), 'removed?': list(text) }),
        }),
        'source?': oneOf(
          ...['internal', 'github-app-installation', 'api', 'github', 'dashboard', 'gitlab', 'onboarding'],
        ),
      }),
    },
  ],
  triggerPreview: [
    'POST /v1/project/preview/{projectId}',
    {
      status: 202,
      body: object({ branch: text }),
      answer: object({ 'statusId?': text, 'previewUrl?': text }),
    },
  ],
  triggerAutomation: [
    'POST /v1/workflow/{projectId}/{workflowSchemaId}/trigger',
    { status: 202, answer: object({ 'schemaId?': text, 'instanceId?': text, 'jobId?': text }) },
  ],
  sendMessage: [
    'POST /discovery/v2/assistant/{domain}/message',
    { status: 200, type: 'text/event-stream', body: MESSAGE_BODY, answer: text },
  ],
  sendMessageV1: [
    'POST /discovery/v1/assistant/{domain}/message',
    { status: 200, type: 'text/plain', body: MESSAGE_BODY, answer: text },
  ],
  search: [
    'POST /discovery/v1/search/{domain}',
    {
      status: 200,
      body: object({
        query: text,
        'pageSize?': { type: 'integer', minimum: 1, maximum: 50 },
        'scoreThreshold?': number,
        'filter?': object({ 'version?': text, 'language?': text, 'tag?': text, 'groups?': list(text) }),
      }),
      answer: list(object({ 'content?': text, 'path?': text, 'metadata?': { type: 'object' } })),
    },
  ],
  getPage: [
    'POST /discovery/v1/page/{domain}',
    {
      status: 200,
      body: object({ path: text, 'groups?': list(text) }),
      answer: object({ 'path?': text, 'content?': text }),
    },
  ],
}

export interface UpstreamOperation {
  id: string
  method: string
  pattern: RegExp
  status: number
  /** Schema of the response, or null for a stream. */
  answer: Json | null
}

export const UPSTREAM_OPERATIONS: readonly UpstreamOperation[] = Object.entries(ROWS).map(
  ([id, [address, { status, answer, type }]]) => {
    const [method = '', path = ''] = address.split(' ')
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return { id, method, pattern, status, answer: type === undefined ? answer : null }
  },
)

export function upstreamDescription(): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [operationId, [address, row]] of Object.entries(ROWS)) {
    const [method = '', path = ''] = address.split(' ')
    const { status, answer, body, query = {}, type = 'application/json' } = row
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
    paths[path] ??= {}
    ;(paths[path] as Record<string, Json>)[method.toLowerCase()] = {
      operationId,
      tags: ['upstream'],
      parameters: [
        ...inPath.map((name) => ({ name, in: 'path', required: true, schema: text })),
        ...Object.entries(query).map(([name, schema]) => ({ name, in: 'query', required: false, schema })),
      ],
      ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
      responses: { [status]: { description: 'Done.', content: { [type]: { schema: answer } } } },
    }
  }
  return {
    openapi: '3.0.3',
    info: { title: 'Upstream', version: '1' },
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}
