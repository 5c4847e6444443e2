/** Breaks for long loops, so that other work in the process is not delayed. */
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Breaks {
  /** Returns whether the loop has run long enough to take a break. */
  areDue(): boolean
  /** Resolves after other work has had its turn. */
  take(): Promise<void>
}

/** Milliseconds between breaks: imperceptible, and a break costs only a thousandth of it. */
const LONGEST_MS = 10

export function createBreaks(): Breaks {
  let since = performance.now()
  return {
    areDue: () => performance.now() - since > LONGEST_MS,
    async take() {
      await nextTurn()
      since = performance.now()
    },
  }
}
