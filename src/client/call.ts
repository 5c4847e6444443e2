/** Request layer of the clients. Unsuccessful responses reject with ApiError. Runs wherever `fetch` is available. */

import type { ErrorBody } from '../base/api/schema.ts'
import type { ErrorCode } from '../base/errors/errors.ts'
import type { Fault } from '../base/errors/fault.ts'
import type { Params } from '../base/errors/format-error.ts'

export interface ClientOptions {
  /** URL of the API, for example `https://octavo.example.com`; empty for pages of the same origin. */
  baseUrl: string
  /** Admin API key; keep it on the server. */
  apiKey?: string
  /** For signed-in members instead of a key: the organization, sent along with the browser's session. */
  organizationId?: () => string | null
  fetch?: typeof fetch
}

/** Error response of the API. `details` has a message for each mistake, with its code and field. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** Code from the error catalogue; null if the response came from something else, such as a proxy. */
  readonly code: ErrorCode | null
  readonly params: Params | undefined
  readonly details: readonly Fault[]
  readonly requestId: string | null
  /** Seconds to wait before retrying, if the API sent them. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, body: Partial<ErrorBody>, headers: Headers) {
    super(body.error ?? `The server answered ${status} without an explanation.`)
    this.status = status
    this.code = body.code ?? null
    this.params = body.params
    this.details = body.details ?? []
    this.requestId = headers.get('x-request-id')
    const retryAfter = headers.get('retry-after')
    this.retryAfterSeconds = retryAfter === null ? null : Number(retryAfter)
  }
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: unknown
  idempotencyKey?: string
  lastEventId?: string | number
  signal?: AbortSignal | undefined
}

export type Caller = ReturnType<typeof createCaller>

export function createCaller(options: ClientOptions) {
  const base = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const send = options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))

  async function sendRequest(request: Call): Promise<Response> {
    const headers: Record<string, string> = {}
    const organizationId = options.organizationId?.() ?? null
    if (options.apiKey !== undefined) headers.authorization = `Bearer ${options.apiKey}`
    if (organizationId !== null) headers['octavo-organization'] = organizationId
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

  return {
    async call<Answer>(request: Call): Promise<Answer> {
      const response = await sendRequest(request)
      const body = parsed(await response.text())
      if (response.ok && body !== null) return body as Answer
      throw toApiError(response, body)
    },
    /** Streams the response body; rejects if the connection breaks. */
    async stream(request: Call): Promise<AsyncIterable<Uint8Array>> {
      const response = await sendRequest(request)
      if (!response.ok || response.body === null) throw toApiError(response, parsed(await response.text()))
      return readChunks(response.body)
    },
  }
}

/** Iterates over a stream with its reader, because not every browser supports async iteration of streams. */
async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined) // The connection may be broken.
  }
}

function toApiError(response: Response, body: unknown): ApiError {
  return new ApiError(response.status, (body ?? {}) as Partial<ErrorBody>, response.headers)
}

export function toQueryString(query: Readonly<Record<string, unknown>>): string {
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
