/**
 * A slot of a gate, held by long-running work. While the work only waits for other servers, the slot is released, and
 * their responses are delivered once a slot is available again.
 */
import type { FairGate } from './fair-gate.ts'

export interface Slot extends Disposable {
  readonly isHeld: boolean
  /** Resumes work: waits for a slot unless one is held. Rejects with the signal's reason. */
  acquire(): Promise<void>
  /** Releases the slot during a call to another server, and waits for a slot before it delivers the response. */
  releaseDuring<Out>(call: () => Promise<Out>): Promise<Out>
}

/** Time without activity after which the work counts as waiting. */
const IDLE_MS = 500
const POLL_INTERVAL_MS = 100

/** Creates a slot, which is not acquired initially. `path` names the owner of the work, outermost group first. */
export function createSlot(
  gate: Pick<FairGate, 'enter'>,
  path: readonly string[],
  signal: AbortSignal,
): Slot {
  let permit: Disposable | null = null
  let entering: Promise<void> | null = null
  let pendingCalls = 0
  let activeAt = performance.now()
  let watch: NodeJS.Timeout | undefined
  let isOver = false
  const leave = () => {
    permit?.[Symbol.dispose]()
    permit = null
  }
  const enter = async () => {
    permit = await gate.enter(path, signal)
    entering = null
    activeAt = performance.now()
    if (isOver) leave()
  }
  const releaseWhenIdle = () => {
    if (pendingCalls > 0 && performance.now() - activeAt >= IDLE_MS) leave()
    if (pendingCalls > 0) return
    clearInterval(watch)
    watch = undefined
  }
  const slot: Slot = {
    get isHeld() {
      return permit !== null
    },
    async acquire() {
      activeAt = performance.now()
      if (permit !== null) return
      entering ??= enter()
      await entering
    },
    async releaseDuring(call) {
      pendingCalls++
      activeAt = performance.now()
      watch ??= setInterval(releaseWhenIdle, POLL_INTERVAL_MS).unref()
      try {
        return await call()
      } finally {
        pendingCalls--
        await slot.acquire()
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
