/** Determines how a process that reads untrusted content ended, and whether the content may be the cause. */
import type { ChildProcess } from 'node:child_process'

/**
 * - `memory`, `processor_time`: exceeded a limit
 * - `crash`: failed on its own, which very deep or damaged content may cause
 * - `ours`: ended by its parent
 * - `killed`: killed by something else; the content is not the cause
 * - `exited`: exited on its own; see its standard error
 */
export type ProcessEnding = 'memory' | 'processor_time' | 'crash' | 'ours' | 'killed' | 'exited'

const CRASH_SIGNALS: readonly (NodeJS.Signals | null)[] = [
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGILL',
  'SIGSEGV',
  'SIGSYS',
  'SIGTRAP',
]

/** Returns how a process ended. `errorOutput` is the end of its standard error. */
export function classifyEnding(
  { signalCode }: ChildProcess,
  errorOutput: string,
  isOurs: boolean,
): ProcessEnding {
  if (isOurs) return 'ours'
  if (/heap out of memory|Allocation failed|ERR_WORKER_OUT_OF_MEMORY/.test(errorOutput)) return 'memory'
  if (signalCode === 'SIGXCPU') return 'processor_time'
  if (CRASH_SIGNALS.includes(signalCode)) return 'crash'
  return signalCode === null ? 'exited' : 'killed'
}

/**
 * The system kills the largest process when memory runs out. If a killed process used more than this share of its
 * limit, its content is considered the cause.
 */
const LARGE_MEMORY_SHARE = 0.5

/**
 * Returns whether a process was likely killed for its memory usage; `usedBytes` was measured at the last
 * check.
 */
export function wasKilledForMemory(ending: ProcessEnding, usedBytes: number, limitBytes: number): boolean {
  return ending === 'killed' && usedBytes > limitBytes * LARGE_MEMORY_SHARE
}
