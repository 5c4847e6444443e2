/**
 * A slot of a gate, held by long-running work. While the work only waits for other servers, the slot is released, and
 * their answers are delivered once a slot is available again.
 */
import type { FairGate } from './fair-gate.ts'

export interface Slot extends Disposable {
  readonly isHeld: boolean
  /** Resumes work: waits for a slot unless one is held. Rejects with the signal's reason. */
  hold(): Promise<void>
  /** Waits for another server; the answer is delivered once a slot is available. */
  aside<Out>(ask: () => Promise<Out>): Promise<Out>
}

/** Time without activity after which the work counts as waiting. */
const IDLE_MS = 500
const LOOK_MS = 100

/** Creates a slot, which is not held at first. `path` names the owner of the work, outermost group first. */
export function createSlot(
  gate: Pick<FairGate, 'enter'>,
  path: readonly string[],
  signal: AbortSignal,
): Slot {
  let place: Disposable | null = null
  let entering: Promise<void> | null = null
  let asked = 0
  let activeAt = performance.now()
  let watch: NodeJS.Timeout | undefined
  let isOver = false
  const leave = () => {
    place?.[Symbol.dispose]()
    place = null
  }
  const enter = async () => {
    place = await gate.enter(path, signal)
    entering = null
    activeAt = performance.now()
    if (isOver) leave()
  }
  const look = () => {
    if (asked > 0 && performance.now() - activeAt >= IDLE_MS) leave()
    if (asked > 0) return
    clearInterval(watch)
    watch = undefined
  }
  const slot: Slot = {
    get isHeld() {
      return place !== null
    },
    async hold() {
      activeAt = performance.now()
      if (place !== null) return
      entering ??= enter()
      await entering
    },
    async aside(ask) {
      asked++
      activeAt = performance.now()
      watch ??= setInterval(look, LOOK_MS).unref()
      try {
        return await ask()
      } finally {
        asked--
        await slot.hold()
      }
    },
    [Symbol.dispose]() {
      isOver = true
      clearInterval(watch)
      leave()
    },
  }
  return slot
}
