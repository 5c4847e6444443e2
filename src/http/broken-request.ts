/** Answers what is not HTTP enough to become a request: in the error shape, and the connection ends. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorBody } from '../base/api/schema.ts'
import { ERRORS } from '../base/errors/error-catalogue.ts'
import { type ErrorCode, errorSentence } from '../base/errors/errors.ts'
import { createId } from '../base/ids.ts'

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const code = CODES[error.code ?? ''] ?? 'malformed_http'
  const { status } = ERRORS[code]
  const body = JSON.stringify({ error: errorSentence(code), code } satisfies ErrorBody)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${createId('req')}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
