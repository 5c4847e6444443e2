/**
 * Streams that follow rows look at them at the same moments, so that all streams at one row, of one reader or of
 * thousands, cost one query.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { JoinedCalls } from '../base/joined-calls.ts'

/** Between two looks: soon enough for an eye. */
const LOOK_MS = 400

export interface SharedLooks<Found> {
  /** `row` names what is asked for, whoever may ask: the organization is a part of it. */
  ask(row: string, ask: () => Promise<Found>): Promise<Found>
  /** Resolves at the next moment; rejects when the signal is aborted. */
  next(signal: AbortSignal): Promise<void>
}

export function createSharedLooks<Found>(): SharedLooks<Found> {
  const calls = new JoinedCalls<Found>(Number.POSITIVE_INFINITY)
  return {
    ask: (row, ask) => calls.share(row, ask),
    next: (signal) => sleep(LOOK_MS - (performance.now() % LOOK_MS), undefined, { signal }),
  }
}
