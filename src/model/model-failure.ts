/** Converts provider errors to ModelErrors with messages for documentation authors. */
import { GuardedFetchError } from '../base/net/guarded-fetch.ts'
import { ModelError, type ModelErrorReason } from './model.ts'
import { redactKeyPieces } from './redact-keys.ts'
import { readRetryAfter } from './retry-after.ts'

export interface ModelTarget {
  /** Name for the start of a sentence: `Anthropic`, `The model server at http://127.0.0.1:11434`. */
  subject: string
  modelId: string
  /** All configured model keys, which must not appear in messages. */
  keys: readonly string[]
}

const MAX_QUOTE_CHARACTERS = 300

/**
 * Matches messages about conversations that are too long. OpenAI, Azure, vLLM and Mistral mention the context
 * length, Gemini the token count, llama.cpp the context size, TGI `inputs` tokens, Anthropic the prompt or
 * the context limit, xAI the prompt length.
 */
const CONTEXT_TOO_LONG_PATTERN =
  /context.{0,2}(length|window|size|limit)|maximum (context|model|prompt) length|(too many|maximum number of) (input )?tokens|`inputs` (tokens \+|must have less)|too long|reduce the length of the (input )?(messages|prompt)|input token count/i
/**
 * Matches the message of a 429 response to a single request that exceeds the limit per minute. A retry cannot succeed.
 */
const REQUEST_TOO_LARGE_PATTERN = /^request too large/i
const OVERLOADED_PATTERN =
  /overload|rate.?limit|too many requests|at capacity|resource.?exhausted|server is busy/i
const INSUFFICIENT_CREDIT_PATTERN = /insufficient.?(quota|balance|credit)|billing|credit balance/i
const MODEL_NOT_FOUND_PATTERN =
  /model.{0,120}(not found|does not exist|not exist|not loaded|try pulling)|model_not_found/is

/** Converts a response with an error status. `body` is the beginning of the body. */
export function errorFromStatus(
  modelTarget: ModelTarget,
  response: { status: number; headers: Headers; body: string },
): ModelError {
  const { status, headers, body } = response
  const providerMessage = readErrorMessage(body)
  const reason = classifyError(status, providerMessage)
  if (status >= 300 && status < 400) return redirectedError(modelTarget, headers)
  const retryAfterSeconds = readRetryAfter(headers, body)
  return new ModelError(reason, buildMessage(modelTarget, reason, providerMessage, status), {
    retryAfterSeconds,
  })
}

/** Converts an error that the provider sent after the response had started. */
export function errorFromStream(modelTarget: ModelTarget, error: unknown): ModelError {
  const { name, statusCode, value, message } = (error ?? {}) as Record<string, unknown>
  const reported = findErrorMessage(value)
  if (reported === null && (name === 'AI_JSONParseError' || name === 'AI_TypeValidationError'))
    return invalidProtocolError(modelTarget)
  const providerMessage = reported ?? (typeof error === 'string' ? error : String(message ?? ''))
  const kinds = listErrorKinds(error) + listErrorKinds(value)
  const reason = classifyError(
    typeof statusCode === 'number' ? statusCode : 500,
    `${kinds} ${providerMessage}`,
  )
  const retryAfterSeconds = readRetryAfter(new Headers(), providerMessage)
  return new ModelError(reason, buildMessage(modelTarget, reason, providerMessage, null), {
    retryAfterSeconds,
  })
}

export function errorFromConnection(modelTarget: ModelTarget, error: unknown): ModelError {
  const refusal = findRefusal(error)
  if (refusal !== null)
    return new ModelError('unreachable', `${modelTarget.subject} cannot be queried. ${refusal}`)
  const code = connectionErrorCode(error)
  const description = CONNECTION_FAULTS[code] ?? `the connection failed (${code})`
  return new ModelError('unreachable', `${modelTarget.subject} cannot be reached: ${description}.`)
}

function findRefusal(error: unknown): string | null {
  const { cause } = error as { cause?: unknown }
  const refused = [error, cause].find((one) => one instanceof GuardedFetchError)
  return refused instanceof GuardedFetchError ? refused.message : null
}

const CONNECTION_FAULTS: Record<string, string> = {
  ECONNREFUSED: 'nothing is listening at that URL. Is it running?',
  ENOTFOUND: 'its host name does not exist',
  EAI_AGAIN: 'its host name cannot be resolved at the moment',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  UND_ERR_CONNECT_TIMEOUT: 'it does not accept connections',
  ETIMEDOUT: 'it does not accept connections',
}

export function interruptedError(modelTarget: ModelTarget): ModelError {
  return new ModelError('unreachable', `${modelTarget.subject} stopped in the middle of a response.`)
}

export function stalledError(modelTarget: ModelTarget, seconds: number): ModelError {
  return new ModelError('unreachable', `${modelTarget.subject} sent nothing for ${seconds} seconds.`)
}

export function responseTooLargeError(modelTarget: ModelTarget, bytes: number): ModelError {
  return new ModelError('too_large', `${modelTarget.subject} sent a response of more than ${bytes} bytes.`)
}

export function invalidProtocolError(modelTarget: ModelTarget): ModelError {
  return new ModelError(
    'nonsense',
    `${modelTarget.subject} sent an invalid response. Does the URL belong to a model server?`,
  )
}

export function emptyResponseError(modelTarget: ModelTarget): ModelError {
  return new ModelError('nonsense', `The model ${modelTarget.modelId} returned an empty answer.`)
}

/** Error for an invalid tool call. Some providers validate tool calls and abort the response. */
export function unreadableToolCallError(modelTarget: ModelTarget): ModelError {
  return new ModelError('nonsense', `The model ${modelTarget.modelId} sent an invalid tool call.`)
}

export function onlyReasoningError(modelTarget: ModelTarget, maxOutputTokens: number): ModelError {
  return new ModelError(
    'nonsense',
    `The model ${modelTarget.modelId} used its ${maxOutputTokens} tokens without an answer.`,
  )
}

function redirectedError(modelTarget: ModelTarget, headers: Headers): ModelError {
  const target = URL.parse(headers.get('location') ?? '')?.origin
  const where = target === undefined ? 'elsewhere' : `to ${quote(modelTarget, target)}`
  return new ModelError(
    'refused',
    `${modelTarget.subject} redirects ${where}, which is not allowed. Enter the URL of the model itself.`,
  )
}

function classifyError(status: number, providerMessage: string): ModelErrorReason {
  if (INSUFFICIENT_CREDIT_PATTERN.test(providerMessage) && status < 500) return 'refused'
  if (status === 429 && REQUEST_TOO_LARGE_PATTERN.test(providerMessage)) return 'too_long'
  if (status === 429 || status === 529 || (status >= 500 && OVERLOADED_PATTERN.test(providerMessage)))
    return 'busy'
  if (status === 401 || status === 403) return 'credentials_refused'
  if (status === 413 || CONTEXT_TOO_LONG_PATTERN.test(providerMessage)) return 'too_long'
  if (status === 404 || MODEL_NOT_FOUND_PATTERN.test(providerMessage)) return 'model_missing'
  if (status === 408 || status === 409 || status === 425) return 'unreachable'
  if (status < 500)
    return status === 400 && /api.?key/i.test(providerMessage) ? 'credentials_refused' : 'refused'
  if (/authentication_error|permission_error/.test(providerMessage)) return 'credentials_refused'
  if (/invalid_request_error/.test(providerMessage)) return 'refused'
  return 'unreachable'
}

function buildMessage(
  modelTarget: ModelTarget,
  reason: ModelErrorReason,
  providerMessage: string,
  status: number | null,
): string {
  const { subject, modelId } = modelTarget
  const number = status === null ? '' : ` (${status})`
  const opening: Partial<Record<ModelErrorReason, string>> = {
    busy: `${subject} is busy${number}`,
    credentials_refused: `${subject} rejects the key${number}. Check it`,
    model_missing: `${subject} does not have the model ${modelId}${number}. Check its name and the URL`,
    too_long: `The conversation is too long for the model ${modelId}${number}`,
    refused: INSUFFICIENT_CREDIT_PATTERN.test(providerMessage)
      ? `${subject} requires payment for the account${number}`
      : `${subject} rejects the request${number}`,
  }
  const begin = opening[reason] ?? `${subject} failed${number}`
  const quoted = quote(modelTarget, providerMessage)
  return quoted === '' ? `${begin}.` : `${begin}: “${quoted}”`
}

/** Quotes a provider's message on one line, shortened and without keys. */
function quote(modelTarget: ModelTarget, providerMessage: string): string {
  const line = redactKeyPieces(providerMessage, modelTarget.keys, [modelTarget.modelId])
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length > MAX_QUOTE_CHARACTERS ? `${line.slice(0, MAX_QUOTE_CHARACTERS).toWellFormed()}…` : line
}

/** Extracts the error message from the formats of the providers. Returns an empty string for an HTML page. */
function readErrorMessage(body: string): string {
  try {
    const json: unknown = JSON.parse(body)
    return findErrorMessage(Array.isArray(json) ? json[0] : json) ?? ''
  } catch {
    return /^\s*</.test(body) ? '' : body.slice(0, 4 * MAX_QUOTE_CHARACTERS)
  }
}

function findErrorMessage(value: unknown): string | null {
  const { error, message, detail } = (value ?? {}) as Record<string, unknown>
  for (const one of [error, message, detail]) {
    if (typeof one === 'string' && one !== '') return one
    const inner = (one ?? {}) as Record<string, unknown>
    if (typeof inner.message === 'string') return `${inner.message}${formatErrorCode(inner.code)}`
  }
  return null
}

/** Returns an error code such as `insufficient_quota`, which is more specific than the message. */
function formatErrorCode(code: unknown): string {
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : ''
}

/** Joins the error types in a nested error, such as `overloaded_error`. */
function listErrorKinds(value: unknown): string {
  const { type, code, data, error } = (value ?? {}) as Record<string, unknown>
  const inner = [data, error].filter((one) => one !== null && typeof one === 'object')
  return [type, code].filter((one) => typeof one === 'string').join(' ') + inner.map(listErrorKinds).join(' ')
}

function connectionErrorCode(error: unknown): string {
  for (let one = error, depth = 0; one && depth < 8; one = (one as Error).cause, depth++) {
    const { code, errors } = one as { code?: unknown; errors?: unknown }
    if (typeof code === 'string' && /^\w{1,60}$/.test(code)) return code
    if (Array.isArray(errors) && errors.length > 0) return connectionErrorCode(errors[0])
  }
  return 'unknown'
}
