/** Why a forge did not do it: its answer, or the lack of one, as a sentence for a docs person. */

import { unreachableSentence } from '../git-error.ts'
import { ForgeError } from './forge.ts'
import type { ForgePlace } from './forge-place.ts'

/** What a forge said no with; the cause of a ForgeError. */
class ForgeRefusal extends Error {
  override name = 'ForgeRefusal'
  readonly status: number

  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}

/** Of the forge's own words, in characters. */
const MAX_WORDS = 400
const MAX_RETRY_AFTER_SECONDS = 86_400

/** For an answer that lacks what it should hold. */
export function notUnderstood(place: ForgePlace): ForgeError {
  const sentence = `${place.host} gave an answer that Octavo does not understand. Is it the kind of forge that OCTAVO_FORGES says?`
  return new ForgeError('refused', sentence)
}

/** The status of the answer that an error stands for; null when there was no answer, or it was understood otherwise. */
export function refusedWith(error: unknown): number | null {
  return error instanceof ForgeError && error.cause instanceof ForgeRefusal ? error.cause.status : null
}

/** What a forge tells of somebody or something; null where it knows nothing of it. */
export async function nullWhenMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (refusedWith(error) === 404) return null
    throw error
  }
}

/** Whether a pull request was refused because there is one already. */
export function saysAlreadyExists(error: unknown): boolean {
  const status = refusedWith(error)
  return (status === 409 || status === 422) && /already exists/i.test((error as ForgeError).message)
}

/** For a request without an answer: refused, closed and silent addresses look the same, as for git. */
export function unreachable(place: ForgePlace, error: unknown): ForgeError {
  return new ForgeError('unreachable', unreachableSentence(place.host), { cause: error })
}

/** For an answer other than 2xx; `token` is kept out of the sentence. */
export function explainRefusal(
  place: ForgePlace,
  response: Response,
  text: string,
  token: string | null,
): ForgeError {
  const { host, path, credential } = place
  const { status, headers } = response
  const words = wordsOf(text, token)
  const cause = new ForgeRefusal(status, words)
  const said = words ? ` It says: ${words}` : ''
  const fail = (reason: ForgeError['reason'], sentence: string, retryAfterSeconds: number | null = null) =>
    new ForgeError(reason, sentence, { cause, retryAfterSeconds })
  if (isRateLimit(status, headers, words)) {
    return fail('unreachable', `${host} takes no more requests for now.${said}`, retryAfter(headers))
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
      `${host} does not let the ${credential.name} do this.${said} ${credential.needs}`,
    )
  // Forges answer 404 also to those who may not know that the repository exists.
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
  return fail('refused', `${host} refuses the request${said ? `.${said}` : ` (${status}).`}`)
}

function isRateLimit(status: number, headers: Headers, words: string): boolean {
  if (status === 429) return true
  // GitHub answers 403 to both of its limits.
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after')
  return status === 403 && (isUsedUp || /rate limit/i.test(words))
}

/** Seconds to wait as the forge says, or null: `Retry-After` as a number or a date, else when the window is reset. */
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

/** The forge's own words in one line, without the token; empty when there are none. */
function wordsOf(text: string, token: string | null): string {
  const words = collectWords(parseJson(text)).join(' ').replace(/\s+/g, ' ').trim()
  return shorten(token ? words.replaceAll(token, '…') : words, MAX_WORDS)
}

/** `message`, `error` and `errors` hold text, lists of it, or lists of objects that hold it, depending on the forge. */
function collectWords(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (depth > 3 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.slice(0, 5).flatMap((one) => collectWords(one, depth + 1))
  const { message, error, error_description, errors, ...rest } = value as Record<string, unknown>
  const known = [message, error, error_description, errors].flatMap((one) => collectWords(one, depth + 1))
  if (known.length > 0 || depth === 0) return known
  return Object.values(rest).flatMap((one) => collectWords(one, depth + 1))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Cut with a sign that it was. */
export function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  return `${text.slice(0, maxCharacters - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
