/** Long loops in a process that others wait for too: now and then they have their turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Breaks {
  /** Whether the loop has kept the others waiting for long enough. */
  areDue(): boolean
  /** Goes on when the others have had their turn. */
  take(): Promise<void>
}

/** Milliseconds: a person does not notice it, and a turn costs a thousandth of it. */
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
