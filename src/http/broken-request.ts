/** Answers what is not HTTP enough to become a request: in the error shape, and the connection ends. */
import type { Socket } from 'node:net'
import { createId } from '../base/ids.ts'

const ANSWERS: Record<string, { status: string; error: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'The headers are too large. Send less of them.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: 'The request did not arrive in time. Send it again.',
  },
}

const MALFORMED = { status: '400 Bad Request', error: 'This is not a valid HTTP request.' }

export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const answer = ANSWERS[error.code ?? ''] ?? MALFORMED
  const body = JSON.stringify({ error: answer.error })
  socket.end(
    [
      `HTTP/1.1 ${answer.status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${createId('req')}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
