/**
 * The fetch that providers are asked with. One for each answer: it follows no redirect, ends an answer that stands still
 * or grows too large, and keeps the failure, since libraries in between wrap errors as they like.
 */
import { Agent, fetch as undiciFetch } from 'undici'
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

export const ANSWER_LIMITS: AnswerLimits = { bytes: 8 * 1024 * 1024, firstByteMs: 300_000, stallMs: 60_000 }

const ERROR_BODY_BYTES = 64 * 1024
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
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_MS } })

export function createBoundedFetch(asked: Asked, limits: AnswerLimits, signal: AbortSignal): BoundedFetch {
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
        const said = await beginningOf(body)
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

async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of body ?? []) {
      pieces.push(piece)
      bytes += piece.byteLength
      if (bytes >= ERROR_BODY_BYTES) break
    }
  } catch {
    // The status is the answer; whatever came of its text is enough.
  }
  return Buffer.concat(pieces).subarray(0, ERROR_BODY_BYTES).toString('utf8')
}

function lastBytes(before: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([before, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES))
}
