/** Requests an answer, with retries while waiting may help. */
import { pause } from '../base/net/retry.ts'
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from './model.ts'

export interface AnswerRetryOptions {
  signal: AbortSignal
  /** Deadline for all waits. */
  until: Date
  /** Called before each wait. */
  onWait(seconds: number, error: ModelError): void | Promise<void>
  /** Random number from 0 (inclusive) to 1 (exclusive). */
  random?: () => number
}

const FIRST_DELAY_SECONDS = 1
const MAX_DELAY_SECONDS = 60
/** Number of attempts after unusable answers: a single one may be bad luck, but waiting does not help. */
const MAX_NONSENSE_ATTEMPTS = 3

/**
 * Waits as long as the provider requests, otherwise with exponential backoff up to a minute. Rejects with the
 * ModelError if it is permanent, if the wait would exceed `until`, or after three consecutive unusable answers.
 */
export async function answerWithRetry(
  model: Model,
  request: ModelRequest,
  options: AnswerRetryOptions,
): Promise<ModelAnswer> {
  const { signal, until, onWait, random = Math.random } = options
  let nonsenseCount = 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await model.answer(request, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ModelError) || !error.isTemporary) throw error
      nonsenseCount = error.reason === 'nonsense' ? nonsenseCount + 1 : 0
      const seconds = error.retryAfterSeconds ?? delayAfter(attempt, random)
      if (nonsenseCount === MAX_NONSENSE_ATTEMPTS || Date.now() + seconds * 1000 > until.getTime())
        throw error
      await onWait(seconds, error)
      await pause(seconds * 1000, signal)
    }
  }
}

/** Randomizes each delay between half and all of it, to spread jobs. */
function delayAfter(attempt: number, random: () => number): number {
  const seconds = Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** attempt)
  return seconds * (0.5 + random() / 2)
}
