/** What misbehaviours are put together from. */
import { pause } from '../../../src/base/net/retry.ts'
import type { ModelErrorReason, ModelResponse } from '../../../src/model/model.ts'
import { type Behaviour, beginStream, chunkOf, type Exchange, endStream, sendChunk } from '../model-server.ts'

export interface Misbehaviour {
  behave: Behaviour
  /** `endless`: nothing but the caller's own deadline ends it. */
  becomes: { error: ModelErrorReason } | { finish: ModelResponse['finish'] } | 'endless'
  /** Falls silent and keeps the connection, so that only a limit of silence ends the request. */
  isSilent?: true
}

/** Milliseconds that a slow server takes between two pieces: less than any limit of a test for a server that hangs. */
export const SLOW_MS = 40
export const MEGABYTE = 1024 * 1024

/** Sends these deltas and the end, without looking at whether they make sense. */
export function streams(deltas: object[], finish: string | null = 'stop', usage?: object): Behaviour {
  return ({ response }) => {
    beginStream(response)
    for (const delta of deltas) sendChunk(response, chunkOf(delta))
    if (finish !== null) sendChunk(response, { ...chunkOf({}, finish), ...(usage && { usage }) })
    endStream(response)
  }
}

/** Calls of tools, each fragment in a chunk of its own. */
export function calls(...fragments: object[]): Behaviour {
  return streams(
    fragments.map((fragment) => ({ tool_calls: [fragment] })),
    'tool_calls',
  )
}

export function call(name: string, args: string, more: object = {}): object {
  return { index: 0, id: 'call_1', type: 'function', function: { name, arguments: args }, ...more }
}

/** Says this much, then does something else. */
export function after(deltas: object[], then: (exchange: Exchange) => void | Promise<void>): Behaviour {
  return async (exchange) => {
    beginStream(exchange.response)
    for (const delta of deltas) sendChunk(exchange.response, chunkOf(delta))
    await then(exchange)
  }
}

/** Raw bytes in the place of an answer's stream. */
export function raw(body: string | Uint8Array, headers: Record<string, string> = {}): Behaviour {
  return ({ response }) => {
    beginStream(response, headers)
    response.end(body)
  }
}

export function hang({ gone }: Pick<Exchange, 'gone'>): Promise<void> {
  return new Promise((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }))
}

/** Writes again and again, as fast as it is taken or with a pause, until the caller is gone. */
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
