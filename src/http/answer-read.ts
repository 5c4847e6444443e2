/** GET and HEAD: shape, handler, answer; or a stream of events or text. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createEventStream, type ServerEvent } from './event-stream.ts'
import type { Answer, StreamAnswer } from './handler.ts'
import { checkKeyProjects } from './key-projects.ts'
import { addressOf, admissionOf, JSON_TYPE, queryStringOf } from './request-parts.ts'
import type { OperationRoute, OperationRouteDeps, WrittenAnswer } from './route.ts'

export async function answerRead(
  deps: OperationRouteDeps,
  { operation, handle, shape, answers }: OperationRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = admissionOf(request)
  const { query, parsed } = shape.check({
    params: request.params as Record<string, string>,
    queryString: queryStringOf(request),
    body: undefined,
  })
  const params = addressOf(shape, request)
  const db = deps.database.queries
  const lastEventId = request.headers['last-event-id'] as string | undefined
  let connected: AbortSignal | null = null
  const call = {
    ...{ db, caller, requestId: request.id, params, query, lastEventId },
    /** Made for who asks for it: most are done before it could end. */
    get signal() {
      connected ??= whileConnected(reply, deps.stopping)
      return connected
    },
  }
  await checkKeyProjects(db, caller, operation, params)
  reply.code(operation.success.status)
  if (operation.isShared) {
    const name = `${caller.kind === 'visitor' ? caller.id : caller.organizationId} ${request.url}`
    return sendWritten(reply, await answers.share(name, async () => written(await handle(call, parsed))))
  }
  const result = await handle(call, parsed)
  if (operation.success.contentTypes !== undefined) return sendStream(request, reply, result as StreamAnswer)
  if (operation.success.contentType !== 'text/event-stream') return sendWritten(reply, written(result))
  reply.header('Content-Type', 'text/event-stream; charset=utf-8')
  reply.header('X-Accel-Buffering', 'no') // Proxies that buffer would hold the events back.
  if (request.method === 'HEAD') return reply.send()
  return reply.send(
    createEventStream(result as AsyncIterable<ServerEvent>, { lastEventId, signal: call.signal }),
  )
}

function written(result: unknown): WrittenAnswer {
  const { body, headers = {} } = result as Answer<unknown>
  return { headers, body: Buffer.from(JSON.stringify(body)) }
}

function sendWritten(reply: FastifyReply, { headers, body }: WrittenAnswer): FastifyReply {
  return reply.headers(headers).header('Content-Type', JSON_TYPE).send(body)
}

function sendStream(request: FastifyRequest, reply: FastifyReply, answer: StreamAnswer): FastifyReply {
  const { contentType, body, headers = {} } = answer
  reply.headers(headers).header('Content-Type', `${contentType}; charset=utf-8`)
  if (request.method === 'HEAD') return reply.send()
  return reply.send(Readable.from(body, { objectMode: false }))
}

/** Ends when the answer is over, its reader has gone, or the server stops. */
export function whileConnected(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const connected = new AbortController()
  const end = () => connected.abort()
  stopping.addEventListener('abort', end, { once: true })
  reply.raw.once('close', () => {
    stopping.removeEventListener('abort', end)
    end()
  })
  if (stopping.aborted || reply.raw.destroyed) end()
  return connected.signal
}
