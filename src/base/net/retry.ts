/** Retries with exponential backoff, for services that may be temporarily unavailable. */

export interface RetryOptions {
  signal: AbortSignal
  /** Time in milliseconds after which no further attempt is made, except for the first retry after a slow attempt. */
  patienceMs: number
  isWorthRetrying(error: unknown): boolean
  requestedSeconds(error: unknown): number | null
  onWait(seconds: number, error: unknown): void | Promise<void>
  random?: (() => number) | undefined
}

const MAX_DELAY_SECONDS = 60

/**
 * Waits for the time that the service requests, if any. Otherwise the delay grows from one second to a minute, and is
 * randomized between half and all of it to spread callers. Rejects with the last error.
 */
export async function retry<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, isWorthRetrying, requestedSeconds, onWait, random = Math.random } = options
  const until = performance.now() + options.patienceMs
  for (let delay = 1; ; delay = Math.min(delay * 2, MAX_DELAY_SECONDS)) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!isWorthRetrying(error)) throw error
      const seconds = requestedSeconds(error) ?? delay * (0.5 + random() / 2)
      const isFirst = delay === 1 && seconds * 1000 <= options.patienceMs
      if (!isFirst && performance.now() + seconds * 1000 > until) throw error
      await onWait(seconds, error)
      await pause(seconds * 1000, signal)
    }
  }
}

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
