/**
 * The fetch that providers are asked with. One for each answer: it follows no redirect, ends an answer that stands still
 * or grows too large, and keeps the failure, since libraries in between wrap errors as they like.
 */
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

// Time limits are per answer, and ours: the library's own would end slow models.
let opening: Promise<{ agent: unknown; fetch: typeof import('undici').fetch }> | null = null

/** Loaded with the first question: the library is large, and most processes ask no model. */
async function openAgent() {
  const { Agent, fetch } = await import('undici')
  return { fetch, agent: new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_MS } }) }
}

export async function createBoundedFetch(
  asked: Asked,
  limits: AnswerLimits,
  signal: AbortSignal,
): Promise<BoundedFetch> {
  opening ??= openAgent()
  const { agent, fetch: undiciFetch } = await opening // before the clock of the first byte runs
  const ending = new AbortController()
  let failure: ModelError | null = null
  let tail = new Uint8Array()
  const end = (why: ModelError): ModelError => {
    failure ??= why
    ending.abort(failure)
    return failure
  }
  let timer = setTimeout(() => end(stoodStill(asked, limits.firstByteMs / 1000)), limits.firstByteMs)
  const hearByte = () => {
    clearTimeout(timer)
    if (ending.signal.aborted) return
    timer = setTimeout(() => end(stoodStill(asked, limits.stallMs / 1000)), limits.stallMs)
  }

  const watch = (body: ReadableStream<Uint8Array>) => {
    let bytes = 0
    const watching = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        hearByte()
        bytes += chunk.byteLength
        if (bytes > limits.bytes) throw end(tooLarge(asked, limits.bytes))
        tail = lastBytes(tail, chunk)
        controller.enqueue(chunk)
      },
      flush: () => clearTimeout(timer),
    })
    return failAs(body, (error) => end(failureOfConnection(asked, error))).pipeThrough(watching)
  }

  return {
    async fetch(input, init) {
      const both = AbortSignal.any([signal, ending.signal])
      const request = { ...init, redirect: 'manual', signal: both, dispatcher: agent } as object
      const response = await undiciFetch(String(input), request).catch((error: unknown) => {
        throw end(failureOfConnection(asked, error))
      })
      const { status, headers } = response as unknown as Response
      const body = response.body as ReadableStream<Uint8Array> | null
      if (!response.ok) {
        clearTimeout(timer)
        const said = await beginningOf(body, ERROR_BODY_MS)
        throw end(failureOfStatus(asked, { status, headers, body: said }))
      }
      // A page or a plain document where a stream was asked for: the address leads to something else.
      if (/html|json/.test(headers.get('content-type') ?? '')) throw end(notTheProtocol(asked))
      return new Response(body && watch(body), { status, headers })
    },
    failure: () => failure,
    sawDone: () => Buffer.from(tail).toString('latin1').includes('[DONE]'),
    [Symbol.dispose]() {
      clearTimeout(timer)
      ending.abort()
    },
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
