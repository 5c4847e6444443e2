/** How the clients send: one request, one answer; what is no success rejects with ApiError. Runs wherever `fetch` does. */

import type { ErrorBody } from '../base/api/schema.ts'
import type { ErrorCode } from '../base/errors/errors.ts'
import type { Fault } from '../base/errors/fault.ts'

export interface ClientOptions {
  /** Address of the API, for example `https://octavo.example.com`; empty in a page of the same origin. */
  baseUrl: string
  /** Admin API key; a server-side secret. */
  apiKey?: string
  /** In place of a key, for a signed-in member: the organization, beside the session that the browser sends. */
  organizationId?: () => string | null
  fetch?: typeof fetch
}

/** The API refused or failed; `details` has one sentence for each thing wrong, with the field that it is about. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** Of the error catalogue; null when something between here and the API answered. */
  readonly code: ErrorCode | null
  readonly details: readonly Fault[]
  readonly requestId: string | null
  /** Seconds to wait before the next try, when the API said so. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, body: Partial<ErrorBody>, headers: Headers) {
    super(body.error ?? `The server answered ${status} without an explanation.`)
    this.status = status
    this.code = body.code ?? null
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

  async function ask(request: Call): Promise<Response> {
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
      const response = await ask(request)
      const body = parsed(await response.text())
      if (response.ok && body !== null) return body as Answer
      throw refusalOf(response, body)
    },
    /** The body as it comes; a connection that breaks rejects. */
    async stream(request: Call): Promise<AsyncIterable<Uint8Array>> {
      const response = await ask(request)
      if (!response.ok || response.body === null) throw refusalOf(response, parsed(await response.text()))
      return chunksOf(response.body)
    },
  }
}

/** Not every browser can iterate a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined) // Of a connection that broke.
  }
}

function refusalOf(response: Response, body: unknown): ApiError {
  return new ApiError(response.status, (body ?? {}) as Partial<ErrorBody>, response.headers)
}

/** `?a=b`, or nothing. */
export function queryOf(query: Readonly<Record<string, unknown>>): string {
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
