/** Server-sent events in order, with comments in between that keep proxies from closing the connection. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export interface ServerEvent {
  event: string
  /** Number of the event. If the source does not number its events, they are numbered when they are sent. */
  id?: number
  data: unknown
}

const HEARTBEAT_MS = 15_000

export interface EventStreamOptions {
  /** Number of the last event that the client received. Numbering continues after it. */
  lastEventId: string | undefined
  /** Ends the stream when the client disconnects or the server stops. */
  signal: AbortSignal
  heartbeatMs?: number
}

/** The stream ends with its source; the source is stopped when the client disconnects. */
export function createEventStream(source: AsyncIterable<ServerEvent>, options: EventStreamOptions): Readable {
  return Readable.from(formatEventStream(source, options), { objectMode: false, highWaterMark: 16_384 })
}

async function* formatEventStream(
  source: AsyncIterable<ServerEvent>,
  { lastEventId, signal, heartbeatMs = HEARTBEAT_MS }: EventStreamOptions,
): AsyncGenerator<string> {
  let counted = parseLastEventId(lastEventId)
  const events = source[Symbol.asyncIterator]()
  const stopped = Promise.withResolvers<'stopped'>()
  const stop = () => stopped.resolve('stopped')
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    yield 'retry: 2000\n\n'
    let next = events.next()
    while (true) {
      const beat = heartbeat(heartbeatMs)
      const came = await Promise.race([next, beat.due, stopped.promise]).finally(beat.cancel)
      if (came === 'stopped') {
        next.catch(() => undefined) // A source that is stopped while waiting rejects, which is not an error.
        return
      }
      if (came === 'heartbeat') {
        yield ': still here\n\n'
        continue
      }
      if (came.done === true) return
      counted++
      const { event, data, id = counted } = came.value
      yield `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
      next = events.next()
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // Not awaited, because a source that is waiting for a change ends when the signal aborts.
    void events.return?.()?.catch(() => undefined)
  }
}

function heartbeat(ms: number): { due: Promise<'heartbeat'>; cancel: () => void } {
  const { promise, resolve } = Promise.withResolvers<'heartbeat'>()
  const timer = setTimeout(resolve, ms, 'heartbeat')
  return { due: promise, cancel: () => clearTimeout(timer) }
}

/** Parses the `Last-Event-ID` header; 0 if it is missing or invalid. */
export function parseLastEventId(lastEventId: string | undefined): number {
  return /^\d{1,12}$/.test(lastEventId ?? '') ? Number(lastEventId) : 0
}

/** Returns a signal that aborts when the response is complete, the client disconnects, or the server stops. */
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
