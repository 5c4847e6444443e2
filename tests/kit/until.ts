/** Waiting in tests, however busy the machine is. */
import { setTimeout as sleep } from 'node:timers/promises'

const LOOKS = 2400
const PAUSE_MS = 50

/**
 * For what nothing tells of; answers the first value that is there. The limit is a number of looks and not a time, so that
 * it grows with the machine's load.
 */
export async function until<Value>(
  look: () => Value | Promise<Value>,
  what = 'it',
): Promise<Exclude<Value, false | null | undefined>> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<Value, false | null | undefined>
    await sleep(PAUSE_MS)
  }
  throw new Error(`${what} did not come`)
}

/** For work that ends by itself: it has the time of its test, which the runner limits. */
export function patience(): AbortSignal {
  return new AbortController().signal
}
