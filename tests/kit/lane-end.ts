/** What is shared by the files of a process, and is closed after the last of them. */
import { after } from 'node:test'

const works: (() => Promise<unknown>)[] = []

// A file that is run by itself is the last. Benches do not begin a run of node:test: its async hooks slow every promise.
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
