/** Building blocks of misbehaviours. */
import { pause } from '../../../src/base/net/retry.ts'
import type { ModelErrorReason, ModelResponse } from '../../../src/model/model.ts'
import { type Behaviour, beginStream, chunkOf, type Exchange, endStream, sendChunk } from '../model-server.ts'

export interface Misbehaviour {
  behave: Behaviour
  /** `endless`: only the caller's own deadline ends the request. */
  becomes: { error: ModelErrorReason } | { finish: ModelResponse['finish'] } | 'endless'
  /** Stops sending but keeps the connection open, so that only an idle timeout ends the request. */
  isSilent?: true
}

/** Milliseconds between two chunks of a slow server, shorter than any idle timeout in the tests. */
export const SLOW_MS = 40
export const MEGABYTE = 1024 * 1024

/** Sends the deltas and the end of the stream without validating them. */
export function streams(deltas: object[], finish: string | null = 'stop', usage?: object): Behaviour {
  return ({ response }) => {
    beginStream(response)
    for (const delta of deltas) sendChunk(response, chunkOf(delta))
    if (finish !== null) sendChunk(response, { ...chunkOf({}, finish), ...(usage && { usage }) })
    endStream(response)
  }
}

/** Streams tool calls, with each fragment in its own chunk. */
export function calls(...fragments: object[]): Behaviour {
  return streams(
    fragments.map((fragment) => ({ tool_calls: [fragment] })),
    'tool_calls',
  )
}

export function call(name: string, args: string, more: object = {}): object {
  return { index: 0, id: 'call_1', type: 'function', function: { name, arguments: args }, ...more }
}

/** Sends the deltas, then runs `then`. */
export function after(deltas: object[], then: (exchange: Exchange) => void | Promise<void>): Behaviour {
  return async (exchange) => {
    beginStream(exchange.response)
    for (const delta of deltas) sendChunk(exchange.response, chunkOf(delta))
    await then(exchange)
  }
}

/** Sends raw bytes instead of a valid stream. */
export function raw(body: string | Uint8Array, headers: Record<string, string> = {}): Behaviour {
  return ({ response }) => {
    beginStream(response, headers)
    response.end(body)
  }
}

export function hang({ gone }: Pick<Exchange, 'gone'>): Promise<void> {
  return new Promise((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }))
}

/** Writes the piece repeatedly, with a pause or as fast as the caller reads, until the connection closes. */
export async function flood({ response, gone }: Exchange, piece: string, everyMs = 0): Promise<void> {
  while (!gone.aborted) {
    const isTaken = response.write(piece)
    if (everyMs > 0) await pause(everyMs, gone).catch(() => undefined)
    else if (!isTaken)
      await Promise.race([new Promise((next) => response.once('drain', next)), hang({ gone })])
  }
}

export const status =
  (code: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  ({ response }) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(body)
  }

export const failed = (message: string, more: object = {}) => JSON.stringify({ error: { message, ...more } })
export const dataLine = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
export const TEXT = [{ role: 'assistant', content: 'I begin' }, { content: ' to answer' }]

export const PLAN = call('plan', '{"items":[]}')
