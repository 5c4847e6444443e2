/**
 * The fetch that providers are asked with. One for each answer: it follows no redirect, ends an answer that stands still
 * or grows too large, and keeps the failure, since libraries in between wrap errors as they like.
 */
import type { AddressGuard } from '../base/net/address-guard.ts'
import { guardedConnector } from '../base/net/guarded-fetch.ts'
import type { ModelError } from './model.ts'
import {
  type Asked,
  failureOfConnection,
  failureOfStatus,
  notTheProtocol,
  stoodStill,
  tooLarge,
} from './model-failure.ts'

export interface AnswerLimits {
  /** Of the answer, as it comes unpacked. */
  bytes: number
  /** Until the first byte: models on a slow machine read a long conversation for minutes before they say anything. */
  firstByteMs: number
  /** Between two pieces of an answer. */
  stallMs: number
}

const ANSWER_BYTES = 8 * 1024 * 1024
const LONGEST_STALL_MS = 60_000

export function answerLimits(firstByteMs: number): AnswerLimits {
  return { bytes: ANSWER_BYTES, firstByteMs, stallMs: Math.min(firstByteMs, LONGEST_STALL_MS) }
}

const ERROR_BODY_BYTES = 64 * 1024
const ERROR_BODY_MS = 3000
const CONNECT_MS = 15_000
/** Longer than the end mark of any protocol. */
const TAIL_BYTES = 32

export interface BoundedFetch {
  fetch: typeof globalThis.fetch
  /** Why it ended early; null while it has not. */
  failure(): ModelError | null
  /** The stream came to the end mark of chat completions. */
  sawDone(): boolean
  /** Ends the connection, whatever its state. */
  [Symbol.dispose](): void
}

export interface ModelConnections {
  /** Where models may be. */
  guard: AddressGuard
  limits: AnswerLimits
}

const agents = new WeakMap<AddressGuard, Promise<{ agent: unknown; fetch: typeof import('undici').fetch }>>()

/** Loaded with the first question: the library is large, and most processes ask no model. */
function agentOf(guard: AddressGuard) {
  const open = agents.get(guard) ?? openAgent(guard)
  agents.set(guard, open)
  return open
}

async function openAgent(guard: AddressGuard) {
  const undici = await import('undici')
  const connect = guardedConnector(undici, guard, { timeout: CONNECT_MS })
  // Time limits are per answer, and ours: the library's own would end slow models.
  return { fetch: undici.fetch, agent: new undici.Agent({ headersTimeout: 0, bodyTimeout: 0, connect }) }
}

export async function createBoundedFetch(
  asked: Asked,
  { guard, limits }: ModelConnections,
  signal: AbortSignal,
): Promise<BoundedFetch> {
  const { agent, fetch: undiciFetch } = await agentOf(guard) // before the clock of the first byte runs
  const end = createEnd()
  const clock = createClock(asked, limits, end)
  let tail: Uint8Array = new Uint8Array()

  const watch = (body: ReadableStream<Uint8Array>) => {
    let bytes = 0
    const watching = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        clock.hearByte()
        bytes += chunk.byteLength
        if (bytes > limits.bytes) throw end.because(tooLarge(asked, limits.bytes))
        tail = lastBytes(tail, chunk)
        controller.enqueue(chunk)
      },
      flush: clock.stop,
    })
    return failAs(body, (error) => end.because(failureOfConnection(asked, error))).pipeThrough(watching)
  }

  return {
    async fetch(input, init) {
      const both = AbortSignal.any([signal, end.signal])
      const request = { ...init, redirect: 'manual', signal: both, dispatcher: agent } as object
      const response = await undiciFetch(String(input), request).catch((error: unknown) => {
        throw end.because(failureOfConnection(asked, error))
      })
      const { status, headers } = response as unknown as Response
      const body = response.body as ReadableStream<Uint8Array> | null
      if (!response.ok) {
        clock.stop()
        const said = await beginningOf(body, ERROR_BODY_MS)
        throw end.because(failureOfStatus(asked, { status, headers, body: said }))
      }
      // A page or a plain document where a stream was asked for: the address leads to something else.
      if (/html|json/.test(headers.get('content-type') ?? '')) throw end.because(notTheProtocol(asked))
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
  /** Ends it, and gives the first reason that there was. */
  because(why: ModelError): ModelError
  failure(): ModelError | null
  now(): void
}

function createEnd(): End {
  const ending = new AbortController()
  let failure: ModelError | null = null
  return {
    signal: ending.signal,
    because(why) {
      failure ??= why
      ending.abort(failure)
      return failure
    },
    failure: () => failure,
    now: () => ending.abort(),
  }
}

/** Ends an answer that does not begin, or does not go on. */
function createClock(asked: Asked, limits: AnswerLimits, end: End) {
  const endIn = (ms: number) => setTimeout(() => end.because(stoodStill(asked, ms / 1000)), ms)
  let timer = endIn(limits.firstByteMs)
  return {
    hearByte() {
      clearTimeout(timer)
      if (!end.signal.aborted) timer = endIn(limits.stallMs)
    },
    stop: () => clearTimeout(timer),
  }
}

/** The same bytes; an error of the source becomes ours. */
function failAs(body: ReadableStream<Uint8Array>, explain: (error: unknown) => Error) {
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

/** The status is the answer: what came of the text, in that time, is enough. */
async function beginningOf(body: ReadableStream<Uint8Array> | null, withinMs: number): Promise<string> {
  const reader = body?.getReader()
  const pieces: Uint8Array[] = []
  const stop = () => void reader?.cancel().catch(() => undefined)
  const timer = setTimeout(stop, withinMs)
  for (let bytes = 0; bytes < ERROR_BODY_BYTES; ) {
    const piece = await reader?.read().catch(() => undefined)
    if (piece?.value === undefined) break
    pieces.push(piece.value)
    bytes += piece.value.byteLength
  }
  clearTimeout(timer)
  stop()
  return Buffer.concat(pieces).subarray(0, ERROR_BODY_BYTES).toString('utf8')
}

function lastBytes(before: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([before, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES))
}
