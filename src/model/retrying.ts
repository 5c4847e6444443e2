/** Requests an answer and retries temporary errors. */
import { type RetryOptions, retry } from '../base/net/retry.ts'
import { type Model, ModelError, type ModelRequest, type ModelResponse } from './model.ts'

/** Maximum number of attempts with unusable answers. Such answers may be random, so a retry requires no delay. */
const MAX_UNUSABLE_RESPONSES = 3

/**
 * Rejects with the ModelError if it is permanent, if the delay would exceed `patienceMs`, or after three
 * consecutive unusable answers.
 */
export async function requestWithRetry(
  model: Model,
  request: ModelRequest,
  options: Pick<RetryOptions, 'signal' | 'patienceMs' | 'onWait' | 'random'>,
): Promise<ModelResponse> {
  let nonsenseCount = 0
  return await retry(() => model.answer(request, options.signal), {
    ...options,
    isWorthRetrying(error) {
      if (!(error instanceof ModelError) || !error.isTemporary) return false
      nonsenseCount = error.reason === 'nonsense' ? nonsenseCount + 1 : 0
      return nonsenseCount < MAX_UNUSABLE_RESPONSES
    },
    requestedSeconds: (error) => (error as ModelError).retryAfterSeconds,
  })
}
