/** Cleanup of resources that all test files of a process share, run after the last file. */
import { after } from 'node:test'

const works: (() => Promise<unknown>)[] = []

// A file that runs on its own is the last one. Benchmarks must not start a run of node:test, because its async hooks
// slow down every promise.
if (process.env.OCTAVO_TEST_LANES === undefined) {
  if (process.argv[1]?.endsWith('.test.ts')) after(endLane)
  else process.once('beforeExit', () => void endLane())
}

export function atLaneEnd(work: () => Promise<unknown>): void {
  works.push(work)
}

export async function endLane(): Promise<void> {
  for (const work of works.splice(0)) await work()
}
