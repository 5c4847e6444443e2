/**
 * Loaded before a program that a test starts: tells, when asked, where its event loop has stalled since last asked, and
 * how much of that its thread was ready to run while the system let others run.
 */
import { readFileSync } from 'node:fs'

/** Times in milliseconds. */
export interface Stall {
  /** On the clock of the machine. */
  began: number
  ended: number
  /** In between, ready to run and not running; 0 where the system does not tell. */
  waited: number
}

const TICK_MS = 10
/** Shorter ones are what a turn of the loop is. */
const LEAST_MS = 50

let stalls: Stall[] = []
let last = look()
setInterval(() => {
  const now = look()
  // A tick that comes late was due before.
  const began = last.at + TICK_MS
  if (now.at - began >= LEAST_MS) stalls.push({ began, ended: now.at, waited: now.waited - last.waited })
  last = now
}, TICK_MS).unref()
process.on('message', () => {
  process.send?.({ stalls })
  stalls = []
})
// The program ends when it wants to.
process.channel?.unref()

function look(): { at: number; waited: number } {
  return { at: performance.timeOrigin + performance.now(), waited: waitedOf() }
}

/** The second figure that the system keeps of a process's first thread, which is the one of the event loop. */
function waitedOf(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
