/** Memory that V8 has freed and keeps for later. */
import { setFlagsFromString } from 'node:v8'

/** The first with a pool that can be told to keep nothing; an older one names the flag on standard error. */
const FIRST_NODE = 26

/**
 * Pages of heaps go back to the system as soon as they are empty: what makes garbage as fast as a build does holds
 * hundreds of megabytes of them otherwise, for V8 releases none that is younger than eight seconds. For processes that
 * work through large sites; no later call takes it back.
 */
export function returnFreedMemory(): void {
  if (Number.parseInt(process.versions.node, 10) >= FIRST_NODE) setFlagsFromString('--no-memory-pool')
}
