/** Rounds that take the newest state of a folder, one after the other. */
import { setTimeout } from 'node:timers/promises'
import { isTooEarly } from './folder-states.ts'

export interface Rounds {
  /** Resolves when a round is over that began after this call. */
  refresh(): Promise<void>
  /** Resolves when none is under way. */
  ended(): Promise<void>
}

const BREATH_MS = 50

/** Calls during a round are one more round together. `failed` is told why one was not finished. */
export function createRounds(
  round: () => Promise<void>,
  failed: (error: unknown) => void,
  stop: AbortSignal,
): Rounds {
  let running: Promise<void> | null = null
  let isWanted = false
  const run = async () => {
    while (isWanted && !stop.aborted) {
      isWanted = false
      await round().catch(async (error: unknown) => {
        if (!isTooEarly(error)) return failed(error)
        // The files change faster than they can be read.
        isWanted = true
        await setTimeout(BREATH_MS)
      })
    }
  }
  return {
    refresh() {
      isWanted = true
      running ??= run().finally(() => {
        running = null
      })
      return running
    },
    ended: async () => running ?? undefined,
  }
}
