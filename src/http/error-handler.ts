/**
 * Handles every error of a request. The response is `{ error, code, details? }`, or a page if the URL was
 * opened in a browser. Errors of the catalog and unreachable components are reported; all others are logged
 * with the request id and reported as 500.
 */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../base/api/schema.ts'
import { AppError, type ErrorCode } from '../base/errors/errors.ts'
import { createFault } from '../base/errors/fault.ts'
import { isDiskFull } from '../base/files/disk-full.ts'
import type { Log } from '../base/log.ts'
import { sendPlainPage } from '../routing/plain-page.ts'
import { BODY_LIMIT_BYTES } from '../routing/request-body.ts'
import { isDatabaseDown } from './database-down.ts'
import './request-fields.ts'
import { ERRORS, type RequestError } from '../base/errors/catalogue.ts'
import type { PlainPage } from '../routing/plain-page.ts'
import { diskFullError } from './disk-space.ts'

/** Paths whose errors are always JSON. */
const PROGRAM_PATHS = /^\/(?:v1|internal)\//

/** Messages for people, for errors whose message in the catalog addresses programmers. */
const PAGE_TEXTS: Partial<Record<ErrorCode, Pick<PlainPage, 'title' | 'about'>>> = {
  not_found: {
    title: 'There is no page at this URL',
    about: 'The URL may be mistyped, or the page was moved or removed.',
  },
}

/**
 * Creates the error handler. `hasStart` returns whether the requested host has a start page of the server.
 */
export function createErrorHandler(log: Log, hasStart: (request: FastifyRequest) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = prioritizeLimit(toAppError(error, request), request)
    if (refusal.status >= 500 && !isClientDisconnect(error, reply)) {
      const level = refusal.code === 'internal' ? 'error' : 'warn'
      log[level]({ requestId: request.id, code: refusal.code, err: error }, 'http.failed')
    }
    request.errorCode = refusal.code
    sendRefusal(reply, refusal)
    if (wantsPage(request)) return sendPlainPage(reply, errorPage(refusal, request.id, hasStart(request)))
    return reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(refusal)))
  }
}

/** Returns true if the client has caused the error by disconnecting, which the access log records. */
function isClientDisconnect(error: unknown, { raw, request }: FastifyReply): boolean {
  if (!raw.destroyed && !request.raw.destroyed) return false
  const { name, code } = error as { name?: unknown; code?: unknown }
  return name === 'AbortError' || CLIENT_DISCONNECT_CODES.has(String(code))
}

const CLIENT_DISCONNECT_CODES = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ABORT_ERR',
  'ERR_STREAM_PREMATURE_CLOSE',
])

const SHAPE_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
])

/** If both a rate limit error and a shape error apply, returns the rate limit error. */
function prioritizeLimit(refusal: AppError, request: FastifyRequest): AppError {
  return SHAPE_ERRORS.has(refusal.code) ? (request.admission?.refusal ?? refusal) : refusal
}

/** Sends an error, preserving earlier headers except those about the original body. */
function sendRefusal(reply: FastifyReply, refusal: AppError): void {
  for (const name of ['content-length', 'content-encoding', 'etag', 'location']) reply.removeHeader(name)
  if (refusal.status === 401) reply.header('WWW-Authenticate', 'Bearer')
  reply.code(refusal.status).headers(refusal.headers)
}

function errorBody(refusal: AppError): ErrorBody {
  const { message: error, code, params, details } = refusal
  return { error, code, ...(params && { params }), ...(details.length > 0 && { details: [...details] }) }
}

const MIB = 1 << 20

/** `limit` is in bytes. */
function bodyTooLarge(limit: number = BODY_LIMIT_BYTES): AppError {
  return new AppError('body_too_large', {
    params: { limit: limit >= MIB ? `${limit / MIB} MiB` : `${limit >> 10} KiB` },
    // The rest of the body is not read, so the connection cannot be reused.
    headers: { Connection: 'close' },
  })
}

function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  switch ((error as { code?: unknown } | null)?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(request.routeOptions.bodyLimit)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('invalid_request', {
        details: [{ ...createFault('content_length'), field: 'Content-Length' }],
      })
    case 'FST_ERR_BAD_URL':
      return new AppError('invalid_request', { details: [createFault('invalid_request_url')] })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('not_found')
  }
  if (isDiskFull(error)) return diskFullError(error)
  if (isDatabaseDown(error)) return new AppError('database_unavailable', { headers: { 'Retry-After': '5' } })
  return new AppError('internal', { cause: error })
}

// Error pages for users who open a URL in a browser. Programs receive JSON.

/** Returns whether a browser will display the response. Requests by scripts do not accept HTML. */
function wantsPage({ method, headers, url }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && /\btext\/html\b/.test(headers.accept ?? '') && !PROGRAM_PATHS.test(url)
}

function errorPage(refusal: AppError, requestId: string, hasStart: boolean): PlainPage {
  const start = hasStart ? '<p><a href="/">Go to the start page</a></p>\n' : ''
  return {
    ...(PAGE_TEXTS[refusal.code] ?? pageText(refusal)),
    more: `${start}<small>${refusal.status} ${refusal.code} · ${requestId}</small>`,
  }
}

function pageText({ code, message }: AppError): Pick<PlainPage, 'title' | 'about'> {
  const { remedy, isWhole }: RequestError = ERRORS[code]
  const title = isWhole ? message : message.slice(0, -remedy.length - 1)
  return { title: title.replace(/\.$/, ''), about: isWhole ? '' : remedy }
}
