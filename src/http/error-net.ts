/**
 * The one net: whatever goes wrong in a request ends here and leaves as `{ error, code, details? }`, or as a page for who
 * opens an address in a browser. What the catalogue knows is told; a part that cannot be reached is named; everything else
 * is logged under the request id and told as 500 alone.
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
import { diskFull } from './room-for-writes.ts'

/** What is below these is for programs, whoever asks. */
const OF_PROGRAMS = /^\/(?:v1|internal)\//

/** In words for people, where the catalogue speaks to programmers. */
const WORDS: Partial<Record<ErrorCode, Pick<PlainPage, 'title' | 'about'>>> = {
  not_found: {
    title: 'There is nothing at this address',
    about: 'It may be mistyped, or what was here has been moved or removed.',
  },
}

/** `hasStart`: whether the server's own start page is at the host that was asked. */
export function createErrorNet(log: Log, hasStart: (request: FastifyRequest) => boolean) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const refusal = inOrder(toAppError(error, request), request)
    if (refusal.status >= 500 && !isAnswerUnwanted(error, reply)) {
      const level = refusal.code === 'internal' ? 'error' : 'warn'
      log[level]({ requestId: request.id, code: refusal.code, err: error }, 'http.failed')
    }
    request.errorCode = refusal.code
    refuse(reply, refusal)
    if (wantsPage(request)) return sendPlainPage(reply, errorPage(refusal, request.id, hasStart(request)))
    return reply
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(refusal)))
  }
}

/** The client went while its request was read or answered, which is what the work ended with: the access log tells it. */
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

const OF_THE_SHAPE: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'malformed_json',
  'body_too_large',
  'unsupported_media_type',
  'request_timeout',
])

/** A full limit comes before the shape, also when the shape was looked at for the sake of a possible repetition. */
function inOrder(refusal: AppError, request: FastifyRequest): AppError {
  return OF_THE_SHAPE.has(refusal.code) ? (request.admission?.refusal ?? refusal) : refusal
}

/** Headers set before stay, except those that describe another body. */
function refuse(reply: FastifyReply, refusal: AppError): void {
  for (const name of ['content-length', 'content-encoding', 'etag', 'location']) reply.removeHeader(name)
  if (refusal.status === 401) reply.header('WWW-Authenticate', 'Bearer')
  reply.code(refusal.status).headers(refusal.headers)
}

function errorBody(refusal: AppError): ErrorBody {
  const { message: error, code, details } = refusal
  return { error, code, ...(details.length === 0 ? {} : { details: [...details] }) }
}

/** `limit` is in bytes, and that of nearly all addresses stands in the catalogue. */
function bodyTooLarge(limit: number = BODY_LIMIT_BYTES): AppError {
  return new AppError('body_too_large', {
    ...(limit === BODY_LIMIT_BYTES ? {} : { sentence: `The body is larger than ${limit >> 10} KiB.` }),
    // The rest of the body is not read: the connection cannot be used again.
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
  if (isDiskFull(error)) return diskFull(error)
  if (isDatabaseDown(error)) return new AppError('database_unavailable', { headers: { 'Retry-After': '5' } })
  return new AppError('internal', { cause: error })
}

// Refusals for people: who opens an address in a browser reads a page, where programs read the error shape.

/** A browser that is about to show the answer: scripts of pages do not ask for HTML. */
function wantsPage({ method, headers, url }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && /\btext\/html\b/.test(headers.accept ?? '') && !OF_PROGRAMS.test(url)
}

/** `hasStart`: the server's own start page is at this host. */
function errorPage(refusal: AppError, requestId: string, hasStart: boolean): PlainPage {
  const start = hasStart ? '<p><a href="/">Go to the start page</a></p>\n' : ''
  return {
    ...(WORDS[refusal.code] ?? wordsOf(refusal)),
    more: `${start}<small>${refusal.status} ${refusal.code} · ${requestId}</small>`,
  }
}

function wordsOf({ code, message }: AppError): Pick<PlainPage, 'title' | 'about'> {
  const { sentence, remedy, isWhole }: CataloguedError = ERRORS[code]
  if (isWhole || message !== errorSentence(code)) return { title: message.replace(/\.$/, ''), about: '' }
  return { title: sentence.replace(/\.$/, ''), about: remedy }
}
