/** Pauses long loops, so that other work in the process is not delayed. */
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface Yielder {
  isDue(): boolean
  yieldNow(): Promise<void>
}

/** Milliseconds between breaks. Imperceptible, and a break takes only a thousandth of this time. */
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
