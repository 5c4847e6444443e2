/** Streams that watch database rows poll at the same time, so that all streams of a row share one query. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BatchedCalls } from '../base/batched-calls.ts'

const POLL_INTERVAL_MS = 400

export interface SharedPolls<Found> {
  /** `row` identifies the query and must include the organization, since it is shared by all callers. */
  load(row: string, load: () => Promise<Found>): Promise<Found>
  /** Resolves at the next poll; rejects when the signal is aborted. */
  nextPoll(signal: AbortSignal): Promise<void>
}

export function createSharedPolls<Found>(): SharedPolls<Found> {
  const calls = new BatchedCalls<Found>(Number.POSITIVE_INFINITY)
  return {
    load: (row, load) => calls.share(row, load),
    nextPoll: (signal) =>
      sleep(POLL_INTERVAL_MS - (performance.now() % POLL_INTERVAL_MS), undefined, { signal }),
  }
}
