/**
 * Streams that follow rows poll at the same moments, so that all streams of a row, whether of one client or
 * thousands, share one query.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { JoinedCalls } from '../base/joined-calls.ts'

/** Interval between two polls, short enough to appear live. */
const LOOK_MS = 400

export interface SharedLooks<Found> {
  /** `row` identifies the query and must include the organization, since it is shared by all callers. */
  ask(row: string, ask: () => Promise<Found>): Promise<Found>
  /** Resolves at the next poll; rejects when the signal is aborted. */
  next(signal: AbortSignal): Promise<void>
}

export function createSharedLooks<Found>(): SharedLooks<Found> {
  const calls = new JoinedCalls<Found>(Number.POSITIVE_INFINITY)
  return {
    ask: (row, ask) => calls.share(row, ask),
    next: (signal) => sleep(LOOK_MS - (performance.now() % LOOK_MS), undefined, { signal }),
  }
}
