/**
 * A place at a gate that long work holds while it works. While all of it waits for other servers, the place is given to
 * others, and whatever they have answered goes on when there is a place again.
 */
import type { FairGate } from './fair-gate.ts'

export interface Slot extends Disposable {
  readonly isHeld: boolean
  /** The work goes on: waits for a place unless it has one. Rejects with the signal's reason. */
  hold(): Promise<void>
  /** Asks another server; the answer is handed on when there is a place. */
  aside<Out>(ask: () => Promise<Out>): Promise<Out>
}

/** Without a sign of work for so long, it only waits. */
const IDLE_MS = 500
const LOOK_MS = 100

/** `path` names whose work it is, from the outermost group. No place is held at first. */
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
