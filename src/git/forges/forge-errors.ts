/**
 * Explains why a forge request failed, from its response or the lack of one, in a message for authors of
 * docs.
 */

import { unreachableMessage } from '../git-error.ts'
import { ForgeError } from './forge.ts'
import type { ForgeLocation } from './forge-location.ts'

/** Error response of a forge; used as the cause of a ForgeError. */
class ForgeRefusal extends Error {
  override name = 'ForgeRefusal'
  readonly status: number

  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}

export interface ForgeResponse {
  status: number
  headers: Headers
  text: string
}

const MAX_MESSAGE_CHARACTERS = 400
const MAX_RETRY_AFTER_SECONDS = 86_400

export function unexpectedResponseError(location: ForgeLocation): ForgeError {
  const sentence = `${location.host} returned an invalid response. Check the kind of the forge in OCTAVO_FORGES.`
  return new ForgeError('refused', sentence)
}

export function refusalStatus(error: unknown): number | null {
  return error instanceof ForgeError && error.cause instanceof ForgeRefusal ? error.cause.status : null
}

export async function nullIfNotFound<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (refusalStatus(error) === 404) return null
    throw error
  }
}

/** Creates the error for a request without a response, with the same message for all network failures. */
export function unreachableError(location: ForgeLocation, error: unknown): ForgeError {
  return new ForgeError('unreachable', unreachableMessage(location.host), { cause: error })
}

/** Creates the error for a response other than 2xx. Removes `token` from the message. */
export function toForgeError(
  location: ForgeLocation,
  { status, headers, text }: ForgeResponse,
  token: string | null,
): ForgeError {
  const { host, path, credential } = location
  const words = extractMessage(text, token)
  const cause = new ForgeRefusal(status, words)
  const quotedMessage = words ? ` Message: ${words}` : ''
  const fail = (reason: ForgeError['reason'], sentence: string, retryAfterSeconds: number | null = null) =>
    new ForgeError(reason, sentence, { cause, retryAfterSeconds })
  if (isRateLimit(status, headers, words)) {
    return fail('unreachable', `${host} limits requests at the moment.${quotedMessage}`, retryAfter(headers))
  }
  if (status >= 500 || status === 408)
    return fail('unreachable', `${host} returned an error (${status}).`, retryAfter(headers))
  if (status === 401)
    return fail(
      'credentials_refused',
      `${host} rejects the ${credential.name}: it is invalid, expired or revoked. ${credential.needs}`,
    )
  if (status === 403)
    return fail(
      'credentials_refused',
      `${host} does not allow the ${credential.name} to do this.${quotedMessage} ${credential.needs}`,
    )
  // Forges also respond with 404 to hide the existence of a repository.
  if (status === 404 || status === 410)
    return fail(
      'repository_missing',
      `${host} has no repository ${path}, or the ${credential.name} has no access to it. ${credential.needs}`,
    )
  if (status >= 300 && status < 400)
    return fail(
      'repository_missing',
      `The repository ${path} at ${host} has moved to another URL, to which the ${credential.name} is not sent. Update the URL.`,
    )
  return fail(
    'refused',
    `${host} rejects the request${quotedMessage ? `.${quotedMessage}` : ` (${status}).`}`,
  )
}

function isRateLimit(status: number, headers: Headers, words: string): boolean {
  if (status === 429) return true
  // GitHub responds with 403 for both of its rate limits.
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')
  return status === 403 && (isUsedUp || /rate limit/i.test(words))
}

/**
 * Returns the seconds to wait according to `Retry-After` (number or date), or else until the reset of the rate
 * limit; null if the response has neither.
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

export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  return `${text.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
