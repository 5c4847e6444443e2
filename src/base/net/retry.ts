/** Trying again, later and later: for calls to things that may be away for a moment. */

export interface RetryOptions {
  /** How often to try altogether, the first time included. */
  attempts: number
  /** Before the second attempt; doubled before each further one. */
  firstDelayMs: number
  maxDelayMs: number
  /** Ends the waiting; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** false for an error that another attempt cannot mend; every error is worth an attempt by default. */
  isWorthRetrying?: (error: unknown) => boolean
  /** 0 up to 1. */
  random?: () => number
}

/** Rejects with the error of the last attempt. Waits between half and the whole of each delay, so that many callers spread. */
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

/** Resolves after that time, or rejects with the signal's reason as soon as it is aborted. */
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
