/**
 * The language model interface. A request contains the whole conversation, and the answer consists of text and tool
 * calls. The caller executes the tools and returns their results in the next request.
 */
import type { JobErrorCode } from '../base/errors/job-errors.ts'

export interface Model {
  /** Configured name, `<provider>:<name>`; shown to callers. */
  readonly name: string
  /**
   * Returns one answer without retries. Rejects with ModelError, or with the signal's reason. Answers are limited to
   * `maxOutputTokens` and a number of bytes. An answer that does not start within five minutes, or the operator's
   * limit, or that stalls for a minute, is an error.
   */
  answer(request: ModelRequest, signal: AbortSignal, onLine?: LineListener): Promise<ModelAnswer>
}

/** Called with each complete line of text as it arrives, and with the last one at the end. Lines contain no keys. */
export type LineListener = (line: string) => void

export interface ModelRequest {
  system: string
  messages: readonly ModelMessage[]
  tools: readonly ToolDescription[]
  maxOutputTokens: number
}

/** A message of a conversation as stored: plain JSON. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: readonly ToolCall[]; reasoning?: readonly Reasoning[] }
  | { role: 'tool'; results: readonly ToolResult[] }

export interface ToolCall {
  /** Consists of letters, digits, `_` and `-`; unique within the conversation. */
  id: string
  name: string
  /** Arguments written by the model, parsed if they are JSON, otherwise a string. Validated by the tool. */
  input: unknown
  /** Opaque; must be returned to the provider with the call. */
  signature?: string
  /** Describes repairs that were necessary to parse the input. */
  repair?: string
}

/** Reasoning that must be returned to the provider while the model continues its work. */
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
  /** For models that accept images; `text` refers to it by its path. */
  picture?: SeenPicture
}

export interface SeenPicture {
  path: string
  mediaType: string
  base64: string
}

export interface ToolDescription {
  name: string
  description: string
  /** JSON Schema of the input, whose type is object. */
  inputSchema: Record<string, unknown>
}

/**
 * Answer of a model. Never empty, unless `refused`. Text can be stored in the database: well-formed and without NUL.
 */
export interface ModelAnswer {
  text: string
  toolCalls: ToolCall[]
  reasoning?: Reasoning[]
  /** `length`: truncated at the token limit. `refused`: aborted by the provider's filter. */
  finish: 'stop' | 'tool_calls' | 'length' | 'refused'
  usage: ModelUsage
}

/** Token counts of the provider, or an estimate; each at least 1. */
export interface ModelUsage {
  inputTokens: number
  /** Input tokens that the provider read from its cache. */
  cachedTokens?: number
  outputTokens: number
}

export type ModelErrorReason =
  /** Too many requests, or the provider is overloaded: waiting helps. */
  | 'busy'
  /** No connection, status 5xx, or an interrupted response: waiting may help. */
  | 'unreachable'
  /** The key is missing or rejected. */
  | 'credentials_refused'
  /** The model does not exist at that URL. */
  | 'model_missing'
  /** The conversation exceeds the context window. */
  | 'too_long'
  /** The provider rejects the request itself. */
  | 'refused'
  /** The response is unusable: neither text nor a tool call, or not the protocol. */
  | 'nonsense'
  /** The response exceeds the size limit. */
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

/** Failure of a model request, with a message for documentation authors that never contains a key. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly reason: ModelErrorReason
  /** Whether a retry may succeed. */
  readonly isTemporary: boolean
  /** Delay requested by the provider, if any. */
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

  /** Error code for a job that ends with this error. */
  get code(): JobErrorCode {
    return CODES[this.reason]
  }
}
