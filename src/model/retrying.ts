/** One answer, asked for again while waiting may help. */
import { pause } from '../base/net/retry.ts'
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from './model.ts'

export interface AnswerRetryOptions {
  signal: AbortSignal
  /** No wait ends after this. */
  until: Date
  /** Before each wait. */
  onWait(seconds: number, error: ModelError): void | Promise<void>
  /** 0 up to 1. */
  random?: () => number
}

const FIRST_DELAY_SECONDS = 1
const MAX_DELAY_SECONDS = 60
/** Waiting does not mend a model that talks nonsense; a few tries mend an unlucky answer. */
const NONSENSE_TRIES = 3

/**
 * Waits as long as the provider asks for, else twice as long each time, up to a minute. Rejects with the ModelError when
 * it is final, when a wait would last beyond `until`, or when the model talks nonsense three times in a row.
 */
export async function answerWithRetry(
  model: Model,
  request: ModelRequest,
  options: AnswerRetryOptions,
): Promise<ModelAnswer> {
  const { signal, until, onWait, random = Math.random } = options
  let nonsense = 0
  for (let attempt = 0; ; attempt++) {
    try {
      return await model.answer(request, signal)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ModelError) || !error.isTemporary) throw error
      nonsense = error.reason === 'nonsense' ? nonsense + 1 : 0
      const seconds = error.retryAfterSeconds ?? delayAfter(attempt, random)
      if (nonsense === NONSENSE_TRIES || Date.now() + seconds * 1000 > until.getTime()) throw error
      await onWait(seconds, error)
      await pause(seconds * 1000, signal)
    }
  }
}

/** Between half and the whole of each delay, so that many jobs spread. */
function delayAfter(attempt: number, random: () => number): number {
  const seconds = Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** attempt)
  return seconds * (0.5 + random() / 2)
}
