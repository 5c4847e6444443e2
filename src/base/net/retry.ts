/** Retries with exponential backoff, for services that may be briefly unavailable. */

export interface RetryOptions {
  /** Maximum number of attempts, including the first. */
  attempts: number
  /** Delay before the second attempt, doubled for each further one. */
  firstDelayMs: number
  maxDelayMs: number
  /** Aborts waiting; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Returns false for errors that a retry cannot fix. By default, every error is retried. */
  isWorthRetrying?: (error: unknown) => boolean
  /** Random number from 0 (inclusive) to 1 (exclusive). */
  random?: () => number
}

/**
 * Retries `work`. Rejects with the last error. Delays are randomized between half and all of it, to spread callers.
 */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const { attempts, firstDelayMs, maxDelayMs, signal, isWorthRetrying, random = Math.random } = options
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return await work(attempt)
    } catch (error) {
      signal?.throwIfAborted()
      if (attempt >= attempts || isWorthRetrying?.(error) === false) throw error
      const delay = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempt - 1))
      await pause(delay * (0.5 + random() / 2), signal)
    }
  }
}

/** Resolves after the given time, or rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
