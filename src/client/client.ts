/** The typed client of the API: no dependency, runs wherever `fetch` does. */
import type {
  AgentJob,
  AgentJobList,
  AgentReview,
  CreateAgentJobBody,
  ListAgentJobsQuery,
} from '../contract/agent.ts'
import type {
  FeedbackDetail,
  FeedbackExportQuery,
  FeedbackList,
  FeedbackQuery,
  UpdatedFeedback,
  UpdateFeedbackBody,
  UpdateManyFeedbackBody,
  UpdateManyFeedbackQuery,
} from '../contract/feedback.ts'
import type { ExportBundle, ExportJob, ExportJobList, StartExportBody } from '../contract/static-export.ts'

export interface ClientOptions {
  /** Address of the API, for example `https://octavo.example.com`. */
  baseUrl: string
  /** Admin API key; a server-side secret. */
  apiKey: string
  fetch?: typeof fetch
}

/** The API refused or failed; `details` has one sentence for each thing wrong. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly details: readonly string[]
  readonly requestId: string | null
  /** Seconds to wait before the next try, when the API said so. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, error: string, details: readonly string[], headers: Headers) {
    super(error)
    this.status = status
    this.details = details
    this.requestId = headers.get('x-request-id')
    const retryAfter = headers.get('retry-after')
    this.retryAfterSeconds = retryAfter === null ? null : Number(retryAfter)
  }
}

interface Call {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  body?: unknown
  idempotencyKey?: string
  lastEventId?: number
  signal?: AbortSignal
}

export type OctavoClient = ReturnType<typeof createClient>

export function createClient(options: ClientOptions) {
  const base = options.baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? fetch

  async function ask(request: Call): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${options.apiKey}` }
    if (request.body !== undefined) headers['content-type'] = 'application/json'
    if (request.idempotencyKey !== undefined) headers['idempotency-key'] = request.idempotencyKey
    if (request.lastEventId !== undefined) headers['last-event-id'] = String(request.lastEventId)
    return send(base + request.path, {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...(request.signal ? { signal: request.signal } : {}),
    })
  }

  async function call<Answer>(request: Call): Promise<Answer> {
    const response = await ask(request)
    const body = parsed(await response.text())
    if (response.ok && body !== null) return body as Answer
    throw refusalOf(response, body)
  }

  /** The body as it comes; a connection that breaks rejects. */
  async function stream(request: Call): Promise<AsyncIterable<Uint8Array>> {
    const response = await ask(request)
    if (!response.ok || response.body === null) throw refusalOf(response, parsed(await response.text()))
    return response.body as unknown as AsyncIterable<Uint8Array>
  }

  const job = (jobId: string) => `/v1/static-export/jobs/${encodeURIComponent(jobId)}`
  const agent = (projectId: string) => `/v2/agent/${encodeURIComponent(projectId)}`
  const agentJob = (projectId: string, id: string) => `${agent(projectId)}/job/${encodeURIComponent(id)}`
  const steer = (word: string) => (projectId: string, id: string) =>
    call<AgentJob>({ method: 'POST', path: `${agentJob(projectId, id)}/${word}` })
  const feedback = (projectId: string) => `/v1/analytics/${encodeURIComponent(projectId)}/feedback`
  return {
    startExport: (body: StartExportBody, more: { idempotencyKey?: string; signal?: AbortSignal } = {}) =>
      call<ExportJob>({ method: 'POST', path: '/v1/static-export/jobs', body, ...more }),
    getExport: (jobId: string, signal?: AbortSignal) =>
      call<ExportJob>({ method: 'GET', path: job(jobId), ...(signal ? { signal } : {}) }),
    listExports: (page: { limit?: number; cursor?: string } = {}) =>
      call<ExportJobList>({ method: 'GET', path: `/v1/static-export/jobs${queryOf(page)}` }),
    generateBundle: (jobId: string) => call<ExportBundle>({ method: 'POST', path: `${job(jobId)}/bundle` }),
    cancelExport: (jobId: string) => call<ExportJob>({ method: 'POST', path: `${job(jobId)}/cancel` }),

    createAgentJob: (projectId: string, body: CreateAgentJobBody, more: { idempotencyKey?: string } = {}) =>
      call<AgentJob>({ method: 'POST', path: `${agent(projectId)}/job`, body, ...more }),
    listAgentJobs: (projectId: string, query: ListAgentJobsQuery = {}) =>
      call<AgentJobList>({ method: 'GET', path: `${agent(projectId)}/jobs${queryOf(query)}` }),
    getAgentJob: (projectId: string, id: string, signal?: AbortSignal) =>
      call<AgentJob>({ method: 'GET', path: agentJob(projectId, id), ...(signal ? { signal } : {}) }),
    sendAgentMessage: (
      projectId: string,
      id: string,
      body: { prompt: string },
      more: { idempotencyKey?: string } = {},
    ) => call<AgentJob>({ method: 'POST', path: `${agentJob(projectId, id)}/message`, body, ...more }),
    cancelAgentJob: steer('cancel'),
    archiveAgentJob: steer('archive'),
    acceptAgentJob: steer('accept'),
    declineAgentJob: steer('decline'),
    getAgentReview: (projectId: string, id: string) =>
      call<AgentReview>({ method: 'GET', path: `${agentJob(projectId, id)}/review` }),
    /** Server-sent events, as they come. A connection that breaks rejects; `followAgentJob` goes on behind it. */
    streamAgentEvents: (
      projectId: string,
      id: string,
      more: { lastEventId?: number; signal?: AbortSignal } = {},
    ) => stream({ method: 'GET', path: `${agentJob(projectId, id)}/events`, ...more }),

    listFeedback: (projectId: string, query: FeedbackQuery = {}) =>
      call<FeedbackList>({ method: 'GET', path: feedback(projectId) + queryOf(query) }),
    getFeedback: (projectId: string, feedbackId: string) =>
      call<FeedbackDetail>({
        method: 'GET',
        path: `${feedback(projectId)}/${encodeURIComponent(feedbackId)}`,
      }),
    updateFeedback: (projectId: string, feedbackId: string, body: UpdateFeedbackBody) =>
      call<FeedbackDetail>({
        method: 'PATCH',
        path: `${feedback(projectId)}/${encodeURIComponent(feedbackId)}`,
        body,
      }),
    updateManyFeedback: (projectId: string, query: UpdateManyFeedbackQuery, body: UpdateManyFeedbackBody) =>
      call<UpdatedFeedback>({ method: 'PATCH', path: feedback(projectId) + queryOf(query), body }),
    /** JSON lines or CSV, as they come. A connection that breaks rejects; `downloadFeedback` goes on behind it. */
    exportFeedback: (projectId: string, query: FeedbackExportQuery = {}, signal?: AbortSignal) =>
      stream({
        method: 'GET',
        path: `${feedback(projectId)}/export${queryOf(query)}`,
        ...(signal ? { signal } : {}),
      }),
  }
}

function refusalOf(response: Response, body: unknown): ApiError {
  const { error, details } = (body ?? {}) as { error?: string; details?: { message: string }[] }
  return new ApiError(
    response.status,
    error ?? `The server answered ${response.status} without an explanation.`,
    (details ?? []).map((detail) => detail.message),
    response.headers,
  )
}

/** `?a=b`, or nothing. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
