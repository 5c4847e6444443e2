/** Stop signal for long-running commands. */
import { constants } from 'node:os'

/** Without SIGHUP, because a handler would undo the effect of `nohup`, which ignores SIGHUP. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/**
 * Under npm, one Ctrl-C arrives two or three times: from the terminal, and from each parent process that forwards it.
 */
const DUPLICATE_SIGNAL_MS = 1000

const PARENT_POLL_INTERVAL_MS = 500

export class StoppedError extends Error {
  override name = 'StoppedError'
  /** Exit code by shell convention: 130 for SIGINT, 143 for SIGTERM. */
  exitCode = 130
}

/** Returns a signal that SIGINT or SIGTERM aborts with `reason`. A later signal ends the process immediately. */
export function createStopSignal(reason?: StoppedError): AbortSignal {
  const stop = new AbortController()
  let stoppedAt = 0
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (!stop.signal.aborted) {
        stoppedAt = Date.now()
        if (reason) reason.exitCode = toExitCode(signal)
        stop.abort(reason)
      } else if (Date.now() - stoppedAt > DUPLICATE_SIGNAL_MS) process.exit(toExitCode(signal))
    })
  }
  return stop.signal
}

function toExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

export function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** Containers are killed after ten seconds; exiting earlier allows for an error message. */
const STOP_TIMEOUT_MS = 9000

/** Ends the process if it outlasts the time limit, for example because the database does not respond. */
export function exitAfterStopTimeout(onTimeout: () => void, { drainSeconds = 0 } = {}): void {
  const longest = STOP_TIMEOUT_MS + drainSeconds * 1000
  setTimeout(() => {
    onTimeout()
    process.exit(1)
  }, longest).unref()
}

/** Stops this process when its parent has ended, since a parent that was killed cannot forward signals. */
export function exitWithParent(parent: number): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, PARENT_POLL_INTERVAL_MS)
  timer.unref()
}
