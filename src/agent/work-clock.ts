/** The time that a turn has worked: of all its attempts together, without what it waited for and what no server worked. */

export interface WorkClock {
  /** Of the turn, up to now. */
  workedMs(): number
  /** Of its cap. */
  leftMs(): number
  /** Time that is waited now, or was, for what is away or busy: it is no work. */
  excuse(ms: number): void
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
  const workedMs = () => Math.max(0, savedMs + performance.now() - began - excusedMs)
  const leftMs = () => Math.max(0, capMs - workedMs())
  const look = () => {
    clearTimeout(timer)
    if (leftMs() === 0) end.abort(capError())
    else timer = setTimeout(look, Math.min(Math.ceil(leftMs()), MAX_TIMER_MS))
  }
  look()
  return {
    workedMs,
    leftMs,
    excuse(ms) {
      excusedMs += ms
      if (!end.signal.aborted) look()
    },
    signal: end.signal,
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
