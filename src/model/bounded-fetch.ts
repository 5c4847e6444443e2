/**
 * Fetches a response from a model provider. Follows no redirects and aborts responses that stall or grow too
 * large. Records the failure, because libraries that use this function wrap errors in their own.
 */
import type { AddressGuard } from '../base/net/address-guard.ts'
import { createGuardedConnector } from '../base/net/guarded-fetch.ts'
import type { ModelError } from './model.ts'
import {
  errorFromConnection,
  errorFromStatus,
  invalidProtocolError,
  type ModelTarget,
  responseTooLargeError,
  stalledError,
} from './model-failure.ts'

export interface ResponseLimits {
  /** Maximum size of the response after decompression. */
  bytes: number
  /** Time limit for the first byte. Slow machines may take minutes to process a long conversation. */
  firstByteMs: number
  /** Time limit between two chunks. */
  stallMs: number
}

const MAX_ANSWER_BYTES = 8 * 1024 * 1024
const MAX_STALL_MS = 60_000

export function responseLimits(firstByteMs: number): ResponseLimits {
  return { bytes: MAX_ANSWER_BYTES, firstByteMs, stallMs: Math.min(firstByteMs, MAX_STALL_MS) }
}

const MAX_ERROR_BODY_BYTES = 64 * 1024
const ERROR_BODY_TIMEOUT_MS = 3000
const CONNECT_TIMEOUT_MS = 15_000
/** Longer than the end marker of every protocol. */
const TAIL_BYTES = 32

export interface BoundedFetch {
  fetch: typeof globalThis.fetch
  /** Returns the reason why the response was aborted, or null. */
  failure(): ModelError | null
  /** Returns whether the stream contained the end marker of chat completions. */
  sawDone(): boolean
  /** Closes the connection, even during a response. */
  [Symbol.dispose](): void
}

export interface ModelConnections {
  guard: AddressGuard
  limits: ResponseLimits
}

const agents = new WeakMap<AddressGuard, Promise<{ agent: unknown; fetch: typeof import('undici').fetch }>>()

/** Returns the HTTP agent. Loads undici on first use, because it is large and most processes use no model. */
function getAgent(guard: AddressGuard) {
  const open = agents.get(guard) ?? openAgent(guard)
  agents.set(guard, open)
  return open
}

async function openAgent(guard: AddressGuard) {
  const undici = await import('undici')
  const connect = createGuardedConnector(undici, guard, { timeout: CONNECT_TIMEOUT_MS })
  // Time limits are enforced per response, because undici's own limits would abort slow models.
  return { fetch: undici.fetch, agent: new undici.Agent({ headersTimeout: 0, bodyTimeout: 0, connect }) }
}

export async function createBoundedFetch(
  modelTarget: ModelTarget,
  { guard, limits }: ModelConnections,
  signal: AbortSignal,
): Promise<BoundedFetch> {
  const { agent, fetch: undiciFetch } = await getAgent(guard) // awaited before the time limit for the first byte starts
  const end = createEnd()
  const clock = createStallTimer(modelTarget, limits, end)
  let tail: Uint8Array = new Uint8Array()

  const watch = (body: ReadableStream<Uint8Array>) => {
    let bytes = 0
    const watching = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        clock.onByte()
        bytes += chunk.byteLength
        if (bytes > limits.bytes) throw end.abortWith(responseTooLargeError(modelTarget, limits.bytes))
        tail = appendToTail(tail, chunk)
        controller.enqueue(chunk)
      },
      flush: clock.stop,
    })
    return mapStreamErrors(body, (error) =>
      end.abortWith(errorFromConnection(modelTarget, error)),
    ).pipeThrough(watching)
  }

  return {
    async fetch(input, init) {
      const combinedSignal = AbortSignal.any([signal, end.signal])
      const request = { ...init, redirect: 'manual', signal: combinedSignal, dispatcher: agent } as object
      const response = await undiciFetch(String(input), request).catch((error: unknown) => {
        throw end.abortWith(errorFromConnection(modelTarget, error))
      })
      const { status, headers } = response as unknown as Response
      const body = response.body as ReadableStream<Uint8Array> | null
      if (!response.ok) {
        clock.stop()
        const errorBody = await readBeginning(body, ERROR_BODY_TIMEOUT_MS)
        throw end.abortWith(errorFromStatus(modelTarget, { status, headers, body: errorBody }))
      }
      // A model API returns a stream. HTML or JSON indicates a wrong URL.
      if (/html|json/.test(headers.get('content-type') ?? ''))
        throw end.abortWith(invalidProtocolError(modelTarget))
      return new Response(body && watch(body), { status, headers })
    },
    failure: end.failure,
    sawDone: () => Buffer.from(tail).toString('latin1').includes('[DONE]'),
    [Symbol.dispose]() {
      clock.stop()
      end.now()
    },
  }
}

interface End {
  signal: AbortSignal
  /** Aborts the response. Repeated calls return the error of the first call. */
  abortWith(modelError: ModelError): ModelError
  failure(): ModelError | null
  now(): void
}

function createEnd(): End {
  const ending = new AbortController()
  let failure: ModelError | null = null
  return {
    signal: ending.signal,
    abortWith(modelError) {
      failure ??= modelError
      ending.abort(failure)
      return failure
    },
    failure: () => failure,
    now: () => ending.abort(),
  }
}

function createStallTimer(modelTarget: ModelTarget, limits: ResponseLimits, end: End) {
  const endIn = (ms: number) => setTimeout(() => end.abortWith(stalledError(modelTarget, ms / 1000)), ms)
  let timer = endIn(limits.firstByteMs)
  return {
    onByte() {
      clearTimeout(timer)
      if (!end.signal.aborted) timer = endIn(limits.stallMs)
    },
    stop: () => clearTimeout(timer),
  }
}

function mapStreamErrors(body: ReadableStream<Uint8Array>, explain: (error: unknown) => Error) {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await reader.read().catch((error: unknown) => {
        throw explain(error)
      })
      if (piece.done) controller.close()
      else controller.enqueue(piece.value)
    },
    cancel: (reason) => reader.cancel(reason).catch(() => undefined),
  })
}

/** Reads the start of an error response. If the time limit expires, returns the text read so far. */
async function readBeginning(body: ReadableStream<Uint8Array> | null, withinMs: number): Promise<string> {
  const reader = body?.getReader()
  const pieces: Uint8Array[] = []
  const stop = () => void reader?.cancel().catch(() => undefined)
  const timer = setTimeout(stop, withinMs)
  for (let bytes = 0; bytes < MAX_ERROR_BODY_BYTES; ) {
    const piece = await reader?.read().catch(() => undefined)
    if (piece?.value === undefined) break
    pieces.push(piece.value)
    bytes += piece.value.byteLength
  }
  clearTimeout(timer)
  stop()
  return Buffer.concat(pieces).subarray(0, MAX_ERROR_BODY_BYTES).toString('utf8')
}

function appendToTail(before: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([before, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES))
}
