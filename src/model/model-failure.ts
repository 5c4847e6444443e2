/** Converts provider failures to a ModelError with a message for documentation authors. */
import { GuardedFetchError } from '../base/net/guarded-fetch.ts'
import { cutKeyPieces } from './cut-keys.ts'
import { ModelError, type ModelErrorReason } from './model.ts'
import { readRetryAfter } from './retry-after.ts'

/** The model that was called, for error messages. */
export interface Asked {
  /** Name for the start of a sentence: `Anthropic`, `The model server at http://127.0.0.1:11434`. */
  who: string
  /** Name of the model at the provider. */
  modelId: string
  /** All keys of the node, none of which may be quoted. */
  keys: readonly string[]
}

const QUOTE_LENGTH = 300

/**
 * Messages about too long conversations: OpenAI, Azure, vLLM and Mistral mention the context length, Gemini the token
 * count, llama.cpp the context size, TGI `inputs` tokens, Anthropic the prompt or the context limit, xAI the prompt
 * length.
 */
const TOO_LONG =
  /context.{0,2}(length|window|size|limit)|maximum (context|model|prompt) length|(too many|maximum number of) (input )?tokens|`inputs` (tokens \+|must have less)|too long|reduce the length of the (input )?(messages|prompt)|input token count/i
/** With status 429: a single request exceeds the limit per minute, so waiting does not help. */
const OVER_RATE = /^request too large/i
const OVERLOADED = /overload|rate.?limit|too many requests|at capacity|resource.?exhausted|server is busy/i
const UNPAID = /insufficient.?(quota|balance|credit)|billing|credit balance/i
const NO_MODEL = /model.{0,120}(not found|does not exist|not exist|not loaded|try pulling)|model_not_found/is

/** Converts a response with an error status. `body` is its beginning. */
export function failureOfStatus(
  asked: Asked,
  response: { status: number; headers: Headers; body: string },
): ModelError {
  const { status, headers, body } = response
  const said = messageOf(body)
  const reason = reasonOf(status, said)
  if (status >= 300 && status < 400) return redirected(asked, headers)
  const retryAfterSeconds = readRetryAfter(headers, body)
  return new ModelError(reason, sentenceOf(asked, reason, said, status), { retryAfterSeconds })
}

/** Converts an error reported within a response that has already started. */
export function failureInStream(asked: Asked, error: unknown): ModelError {
  const { name, statusCode, value, message } = (error ?? {}) as Record<string, unknown>
  const reported = reportIn(value)
  if (reported === null && (name === 'AI_JSONParseError' || name === 'AI_TypeValidationError'))
    return notTheProtocol(asked)
  const said = reported ?? (typeof error === 'string' ? error : String(message ?? ''))
  const kinds = kindsIn(error) + kindsIn(value)
  const reason = reasonOf(typeof statusCode === 'number' ? statusCode : 500, `${kinds} ${said}`)
  const retryAfterSeconds = readRetryAfter(new Headers(), said)
  return new ModelError(reason, sentenceOf(asked, reason, said, null), { retryAfterSeconds })
}

/** Converts a connection failure before or during a response. */
export function failureOfConnection(asked: Asked, error: unknown): ModelError {
  const refusal = refusalIn(error)
  if (refusal !== null) return new ModelError('unreachable', `${asked.who} is not asked. ${refusal}`)
  const code = codeOf(error)
  const what = CONNECTION_FAULTS[code] ?? `the connection failed (${code})`
  return new ModelError('unreachable', `${asked.who} cannot be reached: ${what}.`)
}

function refusalIn(error: unknown): string | null {
  const { cause } = error as { cause?: unknown }
  const refused = [error, cause].find((one) => one instanceof GuardedFetchError)
  return refused instanceof GuardedFetchError ? refused.message : null
}

const CONNECTION_FAULTS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens at that address. Is it running?',
  ENOTFOUND: 'its host name leads nowhere',
  EAI_AGAIN: 'its host name cannot be looked up right now',
  ECONNRESET: 'it broke the connection off',
  EPIPE: 'it broke the connection off',
  UND_ERR_SOCKET: 'it broke the connection off',
  UND_ERR_CONNECT_TIMEOUT: 'it does not take connections',
  ETIMEDOUT: 'it does not take connections',
}

export function brokeOff(asked: Asked): ModelError {
  return new ModelError('unreachable', `${asked.who} stopped in the middle of an answer.`)
}

export function stoodStill(asked: Asked, seconds: number): ModelError {
  return new ModelError('unreachable', `${asked.who} sent nothing for ${seconds} seconds.`)
}

export function tooLarge(asked: Asked, bytes: number): ModelError {
  return new ModelError('too_large', `${asked.who} sent an answer of more than ${bytes} bytes.`)
}

export function notTheProtocol(asked: Asked): ModelError {
  return new ModelError(
    'nonsense',
    `${asked.who} sent something that is not an answer of a model. Does the address belong to a model server?`,
  )
}

export function emptyAnswer(asked: Asked): ModelError {
  return new ModelError('nonsense', `The model ${asked.modelId} answered with nothing.`)
}

/** Error for an invalid tool call: some providers parse them and abort the response. */
export function unreadableCall(asked: Asked): ModelError {
  return new ModelError('nonsense', `The model ${asked.modelId} wrote a tool call that cannot be read.`)
}

export function onlyThoughts(asked: Asked, maxOutputTokens: number): ModelError {
  return new ModelError(
    'nonsense',
    `The model ${asked.modelId} used up its ${maxOutputTokens} tokens without an answer.`,
  )
}

function redirected(asked: Asked, headers: Headers): ModelError {
  const target = URL.parse(headers.get('location') ?? '')?.origin
  const where = target === undefined ? 'elsewhere' : `to ${quote(asked, target)}`
  return new ModelError(
    'refused',
    `${asked.who} redirects ${where}, which is not followed. Enter the address of the model itself.`,
  )
}

function reasonOf(status: number, said: string): ModelErrorReason {
  if (UNPAID.test(said) && status < 500) return 'refused'
  if (status === 429 && OVER_RATE.test(said)) return 'too_long'
  if (status === 429 || status === 529 || (status >= 500 && OVERLOADED.test(said))) return 'busy'
  if (status === 401 || status === 403) return 'credentials_refused'
  if (status === 413 || TOO_LONG.test(said)) return 'too_long'
  if (status === 404 || NO_MODEL.test(said)) return 'model_missing'
  if (status === 408 || status === 409 || status === 425) return 'unreachable'
  if (status < 500) return status === 400 && /api.?key/i.test(said) ? 'credentials_refused' : 'refused'
  if (/authentication_error|permission_error/.test(said)) return 'credentials_refused'
  if (/invalid_request_error/.test(said)) return 'refused'
  return 'unreachable'
}

function sentenceOf(asked: Asked, reason: ModelErrorReason, said: string, status: number | null): string {
  const { who, modelId } = asked
  const number = status === null ? '' : ` (${status})`
  const opening: Partial<Record<ModelErrorReason, string>> = {
    busy: `${who} is busy${number}`,
    credentials_refused: `${who} refuses the key${number}; check it`,
    model_missing: `${who} does not have the model ${modelId}${number}; check its name and the address`,
    too_long: `The conversation is longer than the model ${modelId} takes${number}`,
    refused: UNPAID.test(said)
      ? `${who} refuses to work until the account is paid${number}`
      : `${who} refuses the request${number}`,
  }
  const begin = opening[reason] ?? `${who} failed${number}`
  const quoted = quote(asked, said)
  return quoted === '' ? `${begin}.` : `${begin}: “${quoted}”`
}

/** Quotes a provider's message: shortened, on one line, without keys. */
function quote(asked: Asked, said: string): string {
  const line = cutKeyPieces(said, asked.keys, [asked.modelId])
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > QUOTE_LENGTH ? `${line.slice(0, QUOTE_LENGTH).toWellFormed()}…` : line
}

/** Extracts the error message from a body in the formats of providers; empty for an HTML page. */
function messageOf(body: string): string {
  try {
    const json: unknown = JSON.parse(body)
    return reportIn(Array.isArray(json) ? json[0] : json) ?? ''
  } catch {
    return /^\s*</.test(body) ? '' : body.slice(0, 4 * QUOTE_LENGTH)
  }
}

function reportIn(value: unknown): string | null {
  const { error, message, detail } = (value ?? {}) as Record<string, unknown>
  for (const one of [error, message, detail]) {
    if (typeof one === 'string' && one !== '') return one
    const inner = (one ?? {}) as Record<string, unknown>
    if (typeof inner.message === 'string') return `${inner.message}${codeWord(inner.code)}`
  }
  return null
}

/** Returns a code such as `insufficient_quota`, which is more specific than the message. */
function codeWord(code: unknown): string {
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : ''
}

/** Collects error types such as `overloaded_error` from all levels of an error. */
function kindsIn(value: unknown): string {
  const { type, code, data, error } = (value ?? {}) as Record<string, unknown>
  const inner = [data, error].filter((one) => one !== null && typeof one === 'object')
  return [type, code].filter((one) => typeof one === 'string').join(' ') + inner.map(kindsIn).join(' ')
}

function codeOf(error: unknown): string {
  for (let one = error, depth = 0; one && depth < 8; one = (one as Error).cause, depth++) {
    const { code, errors } = one as { code?: unknown; errors?: unknown }
    if (typeof code === 'string' && /^\w{1,60}$/.test(code)) return code
    if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0])
  }
  return 'unknown'
}
