/** Runs work repeatedly in the background. */
import { pause } from './net/retry.ts'

export interface Repeated {
  work(signal: AbortSignal): Promise<void>
  /** Delay between the end of one round and the start of the next. */
  everyMs: number
  /** Delay after a failed round. Default: `everyMs`. */
  retryAfterMs?: number
  /** Delay of the first round. Default: none. */
  firstAfterMs?: number
  onFailure(error: Error): void
  onRound?(): void
}

/** Repeats until disposed, which aborts the signal and waits for the current round. */
export function repeat(repeated: Repeated): AsyncDisposable {
  const { work, everyMs, retryAfterMs = everyMs, firstAfterMs = 0, onFailure, onRound } = repeated
  const stop = new AbortController()
  const runRound = async () => {
    try {
      await work(stop.signal)
    } catch (error) {
      if (!stop.signal.aborted) onFailure(error as Error)
      return retryAfterMs
    }
    onRound?.()
    return everyMs
  }
  const repeating = (async () => {
    if (firstAfterMs > 0) await pause(firstAfterMs, stop.signal).catch(() => undefined)
    while (!stop.signal.aborted) await pause(await runRound(), stop.signal).catch(() => undefined)
  })()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await repeating
    },
  }
}
