/**
 * Interface of language models. A request contains the whole conversation. An answer consists of text and
 * tool calls, whose results the caller sends in the next request.
 */
import type { JobErrorCode } from '../base/errors/permanent-error.ts'

export interface Model {
  /** Configured name, `<provider>:<name>`. Not secret. */
  readonly name: string
  /**
   * Requests one answer without retries. Rejects with ModelError, or with the reason of the signal. The answer
   * is limited to `maxOutputTokens` and a number of bytes, must start within five minutes or the operator's
   * limit, and must not stall for a minute.
   */
  answer(request: ModelRequest, signal: AbortSignal, onLine?: LineListener): Promise<ModelResponse>
}

/** Called with each line of text when it is complete. Keys are removed. */
export type LineListener = (line: string) => void

export interface ModelRequest {
  system: string
  messages: readonly ModelMessage[]
  tools: readonly ToolDescription[]
  maxOutputTokens: number
}

/** Message of a conversation, stored as JSON. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: readonly ToolCall[]; reasoning?: readonly Reasoning[] }
  | { role: 'tool'; results: readonly ToolResult[] }

export interface ToolCall {
  /** Consists of letters, digits, `_` and `-`; unique within the conversation. */
  id: string
  name: string
  /** Arguments written by the model; a string if they are not valid JSON. The tool validates them. */
  input: unknown
  /** Opaque data that must be returned to the provider with the call. */
  signature?: string
  /** Describes how invalid input was repaired. */
  repair?: string
}

/** Reasoning, which must be returned to the provider until the model finishes its work. */
export interface Reasoning {
  text: string
  /** Opaque data by provider. */
  metadata?: Record<string, Record<string, unknown>>
}

export interface ToolResult {
  callId: string
  name: string
  text: string
  isError: boolean
  /** Only sent to models that accept images. `text` mentions the path of the picture. */
  picture?: InputImage
}

export interface InputImage {
  path: string
  mediaType: string
  base64: string
}

export interface ToolDescription {
  name: string
  description: string
  /** JSON Schema of type `object`. */
  inputSchema: Record<string, unknown>
}

/**
 * Response of a model. Empty only if `refused`. The text is well-formed and without NUL, so that it can be stored in
 * the database.
 */
export interface ModelResponse {
  text: string
  toolCalls: ToolCall[]
  reasoning?: Reasoning[]
  /** `length`: truncated at the token limit. `refused`: aborted by a content filter of the provider. */
  finish: 'stop' | 'tool_calls' | 'length' | 'refused'
  usage: ModelUsage
}

/** Token counts reported by the provider or, if implausible, estimated. At least 1. */
export interface ModelUsage {
  inputTokens: number
  /** Input tokens that the provider read from its cache. */
  cachedTokens?: number
  outputTokens: number
}

export type ModelErrorReason =
  /** Too many requests, or an overloaded provider. A retry may succeed. */
  | 'busy'
  /** No connection, status 5xx, or an interrupted response. A retry may succeed. */
  | 'unreachable'
  | 'credentials_refused'
  | 'model_missing'
  /** The conversation exceeds the context window. */
  | 'too_long'
  /** The provider rejected the request as invalid. */
  | 'refused'
  /** The response has neither text nor a tool call, or does not follow the protocol. */
  | 'nonsense'
  | 'too_large'

const CODES: Record<ModelErrorReason, JobErrorCode> = {
  busy: 'model_unreachable',
  unreachable: 'model_unreachable',
  credentials_refused: 'model_key_refused',
  model_missing: 'model_missing',
  too_long: 'model_failed',
  refused: 'model_failed',
  nonsense: 'model_failed',
  too_large: 'model_failed',
}

/** Failed request, with a message for documentation authors that contains no keys. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly reason: ModelErrorReason
  /** Whether a retry may succeed. */
  readonly isTemporary: boolean
  /** Delay requested by the provider, or null. */
  readonly retryAfterSeconds: number | null

  constructor(
    reason: ModelErrorReason,
    sentence: string,
    more: { retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(sentence, { cause: more.cause })
    this.reason = reason
    this.isTemporary = ['busy', 'unreachable', 'nonsense'].includes(reason)
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }

  get code(): JobErrorCode {
    return CODES[this.reason]
  }
}
