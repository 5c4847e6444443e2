/** Answers that are sent piece by piece: events, or text. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createEventStream, type ServerEvent } from '../routing/event-stream.ts'
import type { Stream } from '../routing/handler.ts'

export interface StreamScope {
  /** Ends when the client has gone or the server stops. */
  signal: AbortSignal
  /** Whether the key or session is still what it was. */
  isStillGiven(): Promise<boolean>
  /** CSV begins with a byte order mark. */
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
    const pieces = hasMark && contentType === 'text/csv' ? behindMark(body) : body
    return reply.send(Readable.from(pieces, { objectMode: false }))
  }
  reply.header('Content-Type', 'text/event-stream; charset=utf-8')
  reply.header('X-Accel-Buffering', 'no') // Proxies that buffer would hold the events back.
  if (request.method === 'HEAD') return reply.send()
  const lastEventId = request.headers['last-event-id'] as string | undefined
  return reply.send(createEventStream(whileGiven(stream, isStillGiven), { lastEventId, signal }))
}

/** A key that is revoked, or a member who leaves, is told nothing from then on. Events that come together share a look. */
async function* whileGiven(
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

async function* behindMark(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield '\ufeff'
  yield* pieces
}
