/** The typed client of the API: no dependency, runs wherever `fetch` does. */
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
  method: 'GET' | 'POST'
  path: string
  body?: unknown
  idempotencyKey?: string
  signal?: AbortSignal
}

export type OctavoClient = ReturnType<typeof createClient>

export function createClient(options: ClientOptions) {
  const base = options.baseUrl.replace(/\/+$/, '')
  const send = options.fetch ?? fetch

  async function call<Answer>(request: Call): Promise<Answer> {
    const headers: Record<string, string> = { authorization: `Bearer ${options.apiKey}` }
    if (request.body !== undefined) headers['content-type'] = 'application/json'
    if (request.idempotencyKey !== undefined) headers['idempotency-key'] = request.idempotencyKey
    const response = await send(base + request.path, {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...(request.signal ? { signal: request.signal } : {}),
    })
    const text = await response.text()
    const body = parsed(text)
    if (response.ok && body !== null) return body as Answer
    const { error, details } = (body ?? {}) as { error?: string; details?: { message: string }[] }
    throw new ApiError(
      response.status,
      error ?? `The server answered ${response.status} without an explanation.`,
      (details ?? []).map((detail) => detail.message),
      response.headers,
    )
  }

  const job = (jobId: string) => `/v1/static-export/jobs/${encodeURIComponent(jobId)}`
  return {
    startExport: (body: StartExportBody, more: { idempotencyKey?: string; signal?: AbortSignal } = {}) =>
      call<ExportJob>({ method: 'POST', path: '/v1/static-export/jobs', body, ...more }),
    getExport: (jobId: string, signal?: AbortSignal) =>
      call<ExportJob>({ method: 'GET', path: job(jobId), ...(signal ? { signal } : {}) }),
    listExports: (page: { limit?: number; cursor?: string } = {}) => {
      const query = new URLSearchParams(Object.entries(page).map(([name, value]) => [name, String(value)]))
      return call<ExportJobList>({ method: 'GET', path: `/v1/static-export/jobs?${query}` })
    },
    generateBundle: (jobId: string) => call<ExportBundle>({ method: 'POST', path: `${job(jobId)}/bundle` }),
    cancelExport: (jobId: string) => call<ExportJob>({ method: 'POST', path: `${job(jobId)}/cancel` }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
