/**
 * Preloaded into a program that a test starts. On request, it reports event loop stalls since the last request, and for
 * how long the thread was runnable during each but not scheduled.
 */
import { readFileSync } from 'node:fs'

/** Times in milliseconds. */
export interface Stall {
  /** Unix time. */
  began: number
  ended: number
  /** Time in which the thread was runnable but not running; 0 if the system does not report it. */
  waited: number
}

const TICK_MS = 10
/** Shorter delays are normal turns of the event loop. */
const LEAST_MS = 50

let stalls: Stall[] = []
let last = look()
setInterval(() => {
  const now = look()
  // The stall began when the late tick was due.
  const began = last.at + TICK_MS
  if (now.at - began >= LEAST_MS) stalls.push({ began, ended: now.at, waited: now.waited - last.waited })
  last = now
}, TICK_MS).unref()
process.on('message', () => {
  process.send?.({ stalls })
  stalls = []
})
// Do not keep the program alive.
process.channel?.unref()

function look(): { at: number; waited: number } {
  return { at: performance.timeOrigin + performance.now(), waited: waitedOf() }
}

/** Returns the run queue wait of the main thread, which runs the event loop: the second field of `schedstat`. */
function waitedOf(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
