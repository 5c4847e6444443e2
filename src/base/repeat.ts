/** Runs work repeatedly in the background. */
import { pause } from './net/retry.ts'

export interface Repeated {
  work(signal: AbortSignal): Promise<void>
  /** Delay between the end of one round and the start of the next. */
  everyMs: number
  /** Called after a failed round. The next round follows as usual. */
  onFailure(error: Error): void
  /** Called after each successful round. */
  onRound?(): void
}

/** Repeats until disposed, which aborts the signal and waits for the current round. */
export function repeat({ work, everyMs, onFailure, onRound }: Repeated): AsyncDisposable {
  const stop = new AbortController()
  const repeating = (async () => {
    while (!stop.signal.aborted) {
      await work(stop.signal).then(onRound, (error: Error) => {
        if (!stop.signal.aborted) onFailure(error)
      })
      await pause(everyMs, stop.signal).catch(() => undefined)
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await repeating
    },
  }
}
