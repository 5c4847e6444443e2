/**
 * The central error handler: every error of a request becomes `{ error, code, details? }`, or a page when a browser
 * opens the URL. Errors from the catalog are reported as they are; an unreachable component is named; everything else
 * is logged with the request id and reported only as 500.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../base/api/schema.ts'
import { AppError, type ErrorCode } from '../base/errors/errors.ts'
import { isDiskFull } from '../base/files/disk-full.ts'
import type { Log } from '../base/log.ts'
import { sendPlainPage } from '../routing/plain-page.ts'
import { BODY_LIMIT_BYTES } from '../routing/request-body.ts'
import { isDatabaseDown } from './database-down.ts'
import './request-fields.ts'
import { type CataloguedError, ERRORS } from '../base/errors/error-catalogue.ts'
import { errorSentence } from '../base/errors/errors.ts'
import type { PlainPage } from '../routing/plain-page.ts'
import { diskFullError } from './disk-space.ts'

/** Paths that always get JSON errors. */
const PROGRAM_PATHS = /^\/(?:v1|internal)\//

/** Texts for people, where the catalog addresses programmers. */
const PAGE_TEXTS: Partial<Record<ErrorCode, Pick<PlainPage, 'title' | 'about'>>> = {
  not_found: {
    title: 'There is nothing at this address',
    about: 'It may be mistyped, or what was here has been moved or removed.',
  },
}

/** `hasStart`: whether the requested host has the server's own start page. */
export function createErrorHandler(log: Log, hasStart: (request: FastifyRequest) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = prioritizeLimit(toAppError(error, request), request)
    if (refusal.status >= 500 && !isAnswerUnwanted(error, reply)) {
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

/** Whether the error only results from the client disconnecting, which the access log already records. */
function isAnswerUnwanted(error: unknown, { raw, request }: FastifyReply): boolean {
  if (!raw.destroyed && !request.raw.destroyed) return false
  const { name, code } = error as { name?: unknown; code?: unknown }
  return name === 'AbortError' || ENDED_BY_CLIENT.has(String(code))
}

const ENDED_BY_CLIENT = new Set([
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

/** A reached limit takes precedence over shape errors, even if the shape was checked for a possible retry. */
function prioritizeLimit(refusal: AppError, request: FastifyRequest): AppError {
  return SHAPE_ERRORS.has(refusal.code) ? (request.admission?.refusal ?? refusal) : refusal
}

/** Preserves headers set earlier, except those that describe another body. */
function sendRefusal(reply: FastifyReply, refusal: AppError): void {
  for (const name of ['content-length', 'content-encoding', 'etag', 'location']) reply.removeHeader(name)
  if (refusal.status === 401) reply.header('WWW-Authenticate', 'Bearer')
  reply.code(refusal.status).headers(refusal.headers)
}

function errorBody(refusal: AppError): ErrorBody {
  const { message: error, code, details } = refusal
  return { error, code, ...(details.length === 0 ? {} : { details: [...details] }) }
}

/** `limit` is in bytes. The catalog states the default limit. */
function bodyTooLarge(limit: number = BODY_LIMIT_BYTES): AppError {
  return new AppError('body_too_large', {
    ...(limit === BODY_LIMIT_BYTES ? {} : { sentence: `The body is larger than ${limit >> 10} KiB.` }),
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
        details: [{ message: 'Content-Length does not fit the body', field: 'Content-Length' }],
      })
    case 'FST_ERR_BAD_URL':
      return new AppError('invalid_request', { details: [{ message: 'The address is not a valid URL' }] })
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('not_found')
  }
  if (isDiskFull(error)) return diskFullError(error)
  if (isDatabaseDown(error)) return new AppError('database_unavailable', { headers: { 'Retry-After': '5' } })
  return new AppError('internal', { cause: error })
}

// Error pages for people who open a URL in a browser, where programs get the JSON error.

/** Whether a browser will display the response. Scripts do not request HTML. */
function wantsPage({ method, headers, url }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && /\btext\/html\b/.test(headers.accept ?? '') && !PROGRAM_PATHS.test(url)
}

/** `hasStart`: whether this host has the server's own start page. */
function errorPage(refusal: AppError, requestId: string, hasStart: boolean): PlainPage {
  const start = hasStart ? '<p><a href="/">Go to the start page</a></p>\n' : ''
  return {
    ...(PAGE_TEXTS[refusal.code] ?? pageText(refusal)),
    more: `${start}<small>${refusal.status} ${refusal.code} · ${requestId}</small>`,
  }
}

function pageText({ code, message }: AppError): Pick<PlainPage, 'title' | 'about'> {
  const { sentence, remedy, isWhole }: CataloguedError = ERRORS[code]
  if (isWhole || message !== errorSentence(code)) return { title: message.replace(/\.$/, ''), about: '' }
  return { title: sentence.replace(/\.$/, ''), about: remedy }
}
