/**
 * Job that has no attempts left. For the causes, see queue.ts. `endExhausted` in src/app/jobs.ts updates its
 * row.
 */
import type { JobName, Jobs } from './job-settings.ts'

export interface ExhaustedJob<Name extends JobName = JobName> {
  name: Name
  payload: Jobs[Name]
  jobId: string
  attempts: number
  reason: ExhaustedReason
}

export interface ExhaustedReason {
  /** The handler threw an error, the worker died or stalled, or the deadline passed. */
  kind: 'threw' | 'worker_lost' | 'deadline'
  /** For `threw`, the message of the error, which may contain internals; otherwise a predefined message. */
  message: string
}

export const WORKER_LOST = 'The process that ran it stopped or did not respond.'

/** Parses the stored output of the last attempt: the fields of an error, or `{ value: { message } }`. */
export function describeFailure(output: unknown): ExhaustedReason {
  const found = output as { message?: unknown; value?: { message?: unknown } } | null
  const message = String(found?.message ?? found?.value?.message ?? 'unknown')
  if (message === 'job heartbeat timeout') {
    return { kind: 'worker_lost', message: WORKER_LOST }
  }
  if (message === 'job timed out' || message.startsWith('handler execution exceeded ')) {
    return { kind: 'deadline', message: 'It exceeded its time limit.' }
  }
  return { kind: 'threw', message }
}
