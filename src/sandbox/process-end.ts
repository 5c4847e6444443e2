/** How a process ended that reads what others wrote, and so whether what it read can have been the reason. */
import type { ChildProcess } from 'node:child_process'

/**
 * - `memory`, `processor_time`: one of its bounds
 * - `crash`: a fault of its own, as very deep or damaged content may cause
 * - `ours`: it was ended by the one who started it
 * - `killed`: by somebody else; what it read is not the reason
 * - `exited`: by itself, with what it said to standard error
 */
export type ProcessEnding = 'memory' | 'processor_time' | 'crash' | 'ours' | 'killed' | 'exited'

const CRASHES: readonly (NodeJS.Signals | null)[] = [
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
]

/** `words` is the end of what it said. */
export function endingOf({ signalCode }: ChildProcess, words: string, isOurs: boolean): ProcessEnding {
  if (isOurs) return 'ours'
  if (/heap out of memory|Allocation failed|ERR_WORKER_OUT_OF_MEMORY/.test(words)) return 'memory'
  if (signalCode === 'SIGXCPU') return 'processor_time'
  if (CRASHES.includes(signalCode)) return 'crash'
  return signalCode === null ? 'exited' : 'killed'
}

/**
 * The system kills the largest process when it has no memory left. One that is killed while it holds more than this
 * share of what it may have is taken to have grown by what it read.
 */
const LARGE_SHARE = 0.5

/** `heldBytes`: of memory, when it was last looked at. */
export function endedByItsSize(ending: ProcessEnding, heldBytes: number, mostBytes: number): boolean {
  return ending === 'killed' && heldBytes > mostBytes * LARGE_SHARE
}
