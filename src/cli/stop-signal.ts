/** How a command that runs until it is told to stop learns of it. */
import { constants } from 'node:os'

/** Not SIGHUP: whoever starts with `nohup` has it ignored, and a handler would undo that. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Ctrl-C under npm arrives two or three times: from the terminal, and from each process above that hands it on. */
const ONE_PRESS_MS = 1000

/** Between two looks at whose child this process is. */
const LOOK_MS = 500

/** Of a command whose work is given up. Whoever stopped it knows where. */
export class StoppedError extends Error {
  override name = 'StoppedError'
  /** As shells have it: 130 for SIGINT, 143 for SIGTERM. */
  exitCode = 130
}

/** Aborted at the first signal, for `reason`; one that comes later ends the process at once. */
export function createStopSignal(reason?: StoppedError): AbortSignal {
  const stop = new AbortController()
  let stoppedAt = 0
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (!stop.signal.aborted) {
        stoppedAt = Date.now()
        if (reason) reason.exitCode = exitCodeOf(signal)
        stop.abort(reason)
      } else if (Date.now() - stoppedAt > ONE_PRESS_MS) process.exit(exitCodeOf(signal))
    })
  }
  return stop.signal
}

function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/** Resolves when the signal is aborted. */
export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** Containers kill after ten seconds, and then nobody learns what was in the way. */
const LONGEST_STOP_MS = 9000

/** Ends the process when it still runs by then: a database that does not answer would hold it for ever. */
export function exitAfterLongestStop(tooLong: () => void, { drainSeconds = 0 } = {}): void {
  const longest = LONGEST_STOP_MS + drainSeconds * 1000
  setTimeout(() => {
    tooLong()
    process.exit(1)
  }, longest).unref()
}

/** A parent that was killed outright hands no signal on: its child tells itself to stop. */
export function endWithParent(parent: number): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_MS)
  timer.unref()
}
