/** Work that is done again and again in the background of a process. */
import { pause } from './net/retry.ts'

export interface Repeated {
  work(signal: AbortSignal): Promise<void>
  /** Between the end of one round and the beginning of the next. */
  everyMs: number
  /** A round that failed is followed by the next one like any other. */
  onFailure(error: Error): void
  /** After each round that came through. */
  onRound?(): void
}

/** Goes on until it is disposed, which waits for the round at work: its signal is aborted. */
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
