/**
 * Explains why a forge request failed, from its response or the lack of one, as a sentence for documentation authors.
 */

import { unreachableSentence } from '../git-error.ts'
import { ForgeError } from './forge.ts'
import type { ForgeLocation } from './forge-location.ts'

/** Error response of a forge; the cause of a ForgeError. */
class ForgeRefusal extends Error {
  override name = 'ForgeRefusal'
  readonly status: number

  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}

/** Maximum length of the forge's own message, in characters. */
const MAX_MESSAGE_CHARACTERS = 400
const MAX_RETRY_AFTER_SECONDS = 86_400

/** Error for a response that lacks expected data. */
export function unexpectedAnswerError(location: ForgeLocation): ForgeError {
  const sentence = `${location.host} gave an answer that Octavo does not understand. Is it the kind of forge that OCTAVO_FORGES says?`
  return new ForgeError('refused', sentence)
}

/** Returns the status of the response that caused an error, or null if there was none. */
export function refusalStatus(error: unknown): number | null {
  return error instanceof ForgeError && error.cause instanceof ForgeRefusal ? error.cause.status : null
}

/** Resolves to null if the forge responds with 404. */
export async function nullIfNotFound<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (refusalStatus(error) === 404) return null
    throw error
  }
}

/** Returns whether a pull request was rejected because one already exists. */
export function isAlreadyExistsError(error: unknown): boolean {
  const status = refusalStatus(error)
  return (status === 409 || status === 422) && /already exists/i.test((error as ForgeError).message)
}

/** Error for a request without a response. Refused, closed and silent hosts get the same message, as for git. */
export function unreachableError(location: ForgeLocation, error: unknown): ForgeError {
  return new ForgeError('unreachable', unreachableSentence(location.host), { cause: error })
}

/** Error for a response other than 2xx; `token` is removed from the message. */
export function toForgeError(
  location: ForgeLocation,
  response: Response,
  text: string,
  token: string | null,
): ForgeError {
  const { host, path, credential } = location
  const { status, headers } = response
  const words = extractMessage(text, token)
  const cause = new ForgeRefusal(status, words)
  const quotedMessage = words ? ` It says: ${words}` : ''
  const fail = (reason: ForgeError['reason'], sentence: string, retryAfterSeconds: number | null = null) =>
    new ForgeError(reason, sentence, { cause, retryAfterSeconds })
  if (isRateLimit(status, headers, words)) {
    return fail('unreachable', `${host} takes no more requests for now.${quotedMessage}`, retryAfter(headers))
  }
  if (status >= 500 || status === 408)
    return fail('unreachable', `${host} answers with an error (${status}).`, retryAfter(headers))
  if (status === 401)
    return fail(
      'credentials_refused',
      `${host} refuses the ${credential.name}: it is wrong, has expired or was withdrawn. ${credential.needs}`,
    )
  if (status === 403)
    return fail(
      'credentials_refused',
      `${host} does not let the ${credential.name} do this.${quotedMessage} ${credential.needs}`,
    )
  // Forges also respond with 404 to callers who must not learn that the repository exists.
  if (status === 404 || status === 410)
    return fail(
      'repository_missing',
      `${host} has no repository ${path}, or the ${credential.name} may not see it. ${credential.needs}`,
    )
  if (status >= 300 && status < 400)
    return fail(
      'repository_missing',
      `The repository ${path} at ${host} answers from another address, where the ${credential.name} is not sent: write down the new one.`,
    )
  return fail(
    'refused',
    `${host} refuses the request${quotedMessage ? `.${quotedMessage}` : ` (${status}).`}`,
  )
}

function isRateLimit(status: number, headers: Headers, words: string): boolean {
  if (status === 429) return true
  // GitHub responds with 403 for both of its rate limits.
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')
  return status === 403 && (isUsedUp || /rate limit/i.test(words))
}

/**
 * Returns the seconds to wait, or null: from `Retry-After` (number or date), else from the reset of the rate limit.
 */
function retryAfter(headers: Headers): number | null {
  const given = headers.get('retry-after')
  const reset = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset')
  const seconds =
    given === null
      ? Number(reset ?? Number.NaN) - Date.now() / 1000
      : /^\d+$/.test(given)
        ? Number(given)
        : (Date.parse(given) - Date.now()) / 1000
  if (!Number.isFinite(seconds)) return null
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER_SECONDS)
}

/** Returns the forge's own message as one line without the token, or an empty string. */
function extractMessage(text: string, token: string | null): string {
  const words = collectMessages(parseJson(text)).join(' ').replace(/\s+/g, ' ').trim()
  return shorten(token ? words.replaceAll(token, '…') : words, MAX_MESSAGE_CHARACTERS)
}

/**
 * Collects messages. Depending on the forge, `message`, `error` and `errors` contain text, lists of text, or lists of
 * objects with text.
 */
function collectMessages(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (depth > 3 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => collectMessages(one, depth + 1))
  const { message, error, error_description, errors, ...rest } = value as Record<string, unknown>
  const known = [message, error, error_description, errors].flatMap((one) => collectMessages(one, depth + 1))
  if (known.length > 0 || depth === 0) return known
  return Object.values(rest).flatMap((one) => collectMessages(one, depth + 1))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Truncates a text with an ellipsis. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  return `${text.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
