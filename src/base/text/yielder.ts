/** Breaks for long loops, so that other work in the process is not delayed. */
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Yielder {
  /** Returns whether the loop has run long enough to take a break. */
  isDue(): boolean
  /** Resolves after other work has had its turn. */
  yieldNow(): Promise<void>
}

/** Milliseconds between breaks: imperceptible, and a break costs only a thousandth of it. */
const MAX_BLOCK_MS = 10

export function createYielder(): Yielder {
  let since = performance.now()
  return {
    isDue: () => performance.now() - since > MAX_BLOCK_MS,
    async yieldNow() {
      await nextTurn()
      since = performance.now()
    },
  }
}
