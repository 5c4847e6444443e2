/** The time that a turn has worked: of all its attempts together, without what it waited for and what no server worked. */

export interface WorkClock {
  /** Of the turn, up to now. */
  workedMs(): number
  /** Of its cap. */
  leftMs(): number
  /** Time that is waited now, or was, for what is away or busy: it is no work. */
  excuse(ms: number): void
  /** Until it is disposed nothing is work: for what is waited for without knowing how long. */
  pause(): Disposable
  /** Aborted with the cap's error when the turn has worked for so long. */
  readonly signal: AbortSignal
  [Symbol.dispose](): void
}

/** The longest delay that a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** `savedMs` is what the attempts before have saved. */
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
  const look = () => {
    clearTimeout(timer)
    if (end.signal.aborted || pauses > 0) return
    if (leftMs() === 0) end.abort(capError())
    else timer = setTimeout(look, Math.min(Math.ceil(leftMs()), MAX_TIMER_MS))
  }
  look()
  return {
    workedMs,
    leftMs,
    excuse(ms) {
      excusedMs += ms
      look()
    },
    pause() {
      if (pauses++ === 0) pausedAt = performance.now()
      look()
      let isOver = false
      return {
        [Symbol.dispose]() {
          if (isOver) return
          isOver = true
          if (pauses === 1) excusedMs += performance.now() - pausedAt
          pauses--
          look()
        },
      }
    },
    signal: end.signal,
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
