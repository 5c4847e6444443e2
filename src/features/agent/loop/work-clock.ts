/**
 * Working time of a turn: the sum over all attempts. Excludes waiting for other services, and times when no server
 * worked on the turn.
 */

export interface WorkClock {
  workedMs(): number
  leftMs(): number
  /** Excludes time spent waiting for a service that is unavailable or busy. */
  excuse(ms: number): void
  /** Stops the clock until disposed, for waits of unknown length. */
  pause(): Disposable
  /** Aborts with an error that names the limit when the working time is used up. */
  readonly signal: AbortSignal
  [Symbol.dispose](): void
}

/** Maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** `savedMs` is the time saved by earlier attempts. */
export function startWorkClock(savedMs: number, capMs: number, capError: () => Error): WorkClock {
  const end = new AbortController()
  const began = performance.now()
  let excusedMs = 0
  let timer: NodeJS.Timeout | undefined
  let pauses = 0
  let pausedAt = 0
  const pausedMs = () => (pauses === 0 ? 0 : performance.now() - pausedAt)
  const workedMs = () => Math.max(0, savedMs + performance.now() - began - excusedMs - pausedMs())
  const leftMs = () => Math.max(0, capMs - workedMs())
  const updateTimer = () => {
    clearTimeout(timer)
    if (end.signal.aborted || pauses > 0) return
    if (leftMs() === 0) end.abort(capError())
    else timer = setTimeout(updateTimer, Math.min(Math.ceil(leftMs()), MAX_TIMER_MS))
  }
  updateTimer()
  return {
    workedMs,
    leftMs,
    excuse(ms) {
      excusedMs += ms
      updateTimer()
    },
    pause() {
      if (pauses++ === 0) pausedAt = performance.now()
      updateTimer()
      let isOver = false
      return {
        [Symbol.dispose]() {
          if (isOver) return
          isOver = true
          if (pauses === 1) excusedMs += performance.now() - pausedAt
          pauses--
          updateTimer()
        },
      }
    },
    signal: end.signal,
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
