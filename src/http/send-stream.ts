/** Streams responses of events or text. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createEventStream, type ServerEvent } from '../routing/event-stream.ts'
import type { Stream } from '../routing/handler.ts'

export interface StreamScope {
  /** Aborted when the client has disconnected or the server stops. */
  signal: AbortSignal
  /** Returns whether the key or session is still valid. */
  isStillGiven(): Promise<boolean>
  /** Whether to begin with a byte order mark, as CSV does. */
  hasMark?: boolean
}

export function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: Stream,
  { signal, isStillGiven, hasMark = false }: StreamScope,
): FastifyReply {
  if ('contentType' in stream) {
    const { contentType, body, headers = {} } = stream
    reply.headers(headers).header('Content-Type', `${contentType}; charset=utf-8`)
    if (request.method === 'HEAD') return reply.send()
    const pieces = hasMark && contentType === 'text/csv' ? prependByteOrderMark(body) : body
    return reply.send(Readable.from(pieces, { objectMode: false }))
  }
  reply.header('Content-Type', 'text/event-stream; charset=utf-8')
  reply.header('X-Accel-Buffering', 'no') // Buffering proxies would delay events.
  if (request.method === 'HEAD') return reply.send()
  const lastEventId = request.headers['last-event-id'] as string | undefined
  return reply.send(createEventStream(streamWhileAuthorized(stream, isStillGiven), { lastEventId, signal }))
}

/**
 * Ends the stream when the key is revoked or the member leaves. Events that arrive together are checked only
 * once.
 */
async function* streamWhileAuthorized(
  events: AsyncIterable<ServerEvent>,
  isStillGiven: () => Promise<boolean>,
): AsyncGenerator<ServerEvent> {
  let isGiven = false
  for await (const event of events) {
    isGiven ||= await isStillGiven()
    if (!isGiven) return
    setImmediate(() => {
      isGiven = false
    })
    yield event
  }
}

async function* prependByteOrderMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield '\ufeff'
  yield* pieces
}
