/**
 * The language-model port. A conversation goes in whole, one answer comes out: text and the tools it wants used. The
 * model never runs a tool; whoever asks does, and says so in the next request.
 */
import type { JobErrorCode } from '../base/errors/job-errors.ts'

export interface Model {
  /** As configured, `<provider>:<name>`; shown to callers. */
  readonly name: string
  /**
   * One answer. Retries nothing. Rejects with ModelError, or with the signal's reason. Never longer than
   * `maxOutputTokens` and the port's own limit of bytes; an answer that does not begin within five minutes, or as long
   * as the operator says, or then stands still for one, is an error.
   */
  answer(request: ModelRequest, signal: AbortSignal, onLine?: LineListener): Promise<ModelAnswer>
}

/** Told each whole line of the text as it comes, the last one when the answer is there; none holds a key. */
export type LineListener = (line: string) => void

export interface ModelRequest {
  system: string
  messages: readonly ModelMessage[]
  tools: readonly ToolDescription[]
  maxOutputTokens: number
}

/** The conversation, as it is stored: plain JSON. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: readonly ToolCall[]; reasoning?: readonly Reasoning[] }
  | { role: 'tool'; results: readonly ToolResult[] }

export interface ToolCall {
  /** Letters, digits, `_` and `-`; unique within the conversation. */
  id: string
  name: string
  /** Whatever the model wrote, parsed when it was JSON; a string that is not JSON stays a string. Checked by the tool. */
  input: unknown
  /** Opaque: the provider wants it back with the call. */
  signature?: string
  /** Says what was repaired before the input could be read. */
  repair?: string
}

/** Thoughts that the provider wants back while the model goes on with its work. */
export interface Reasoning {
  text: string
  /** Opaque, by provider. */
  metadata?: Record<string, Record<string, unknown>>
}

export interface ToolResult {
  callId: string
  name: string
  text: string
  isError: boolean
  /** For a model that sees; what its text calls it by. */
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
  /** JSON Schema of the input, an object. */
  inputSchema: Record<string, unknown>
}

/** Never empty, unless it is `refused`. All its text can be kept in a database: well-formed, without NUL. */
export interface ModelAnswer {
  text: string
  toolCalls: ToolCall[]
  reasoning?: Reasoning[]
  /** `length`: cut off at the limit of tokens. `refused`: the provider's filter ended it. */
  finish: 'stop' | 'tool_calls' | 'length' | 'refused'
  usage: ModelUsage
}

/** As the provider counts, or an estimate; each at least 1. */
export interface ModelUsage {
  inputTokens: number
  /** Of the input, what the provider had kept from an earlier request. */
  cachedTokens?: number
  outputTokens: number
}

export type ModelErrorReason =
  /** Too many requests, or the provider is overloaded: waiting helps. */
  | 'busy'
  /** Cannot be reached, answers 5xx, breaks off: may help to wait. */
  | 'unreachable'
  /** The key is missing or refused. */
  | 'credentials_refused'
  /** There is no such model at that address. */
  | 'model_missing'
  /** The conversation is longer than the model takes. */
  | 'too_long'
  /** The provider refuses the request itself. */
  | 'refused'
  /** What it answers is not an answer: neither text nor a tool, or not the protocol. */
  | 'nonsense'
  /** It answers more than anyone reads. */
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

/** Why there is no answer, as a sentence for a docs person; never holds a key. */
export class ModelError extends Error {
  override name = 'ModelError'
  readonly reason: ModelErrorReason
  /** Waiting and asking again may mend it. */
  readonly isTemporary: boolean
  /** As the provider asked for, when it did. */
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

  /** Of a job that ends with it. */
  get code(): JobErrorCode {
    return CODES[this.reason]
  }
}
