/**
 * A job that has no attempts left. See queue.ts for how that happens. `endExhausted` in src/app/jobs.ts ends its row.
 */
import type { JobName, Jobs } from './jobs.ts'

export interface ExhaustedJob<Name extends JobName = JobName> {
  name: Name
  payload: Jobs[Name]
  jobId: string
  attempts: number
  reason: ExhaustedReason
}

export interface ExhaustedReason {
  /** How the last attempt ended: the handler threw, its worker died or stalled, or the deadline passed. */
  kind: 'threw' | 'worker_lost' | 'deadline'
  /** For `threw`, the error's message, which may contain internals; else a predefined sentence. */
  message: string
}

export const WORKER_LOST = 'The process that ran it ended or stopped answering.'

/** Parses the output that the library stored for the last attempt: an error's fields, or `{ value: { message } }`. */
export function describeFailure(output: unknown): ExhaustedReason {
  const found = output as { message?: unknown; value?: { message?: unknown } } | null
  const message = String(found?.message ?? found?.value?.message ?? 'unknown')
  if (message === 'job heartbeat timeout') {
    return { kind: 'worker_lost', message: WORKER_LOST }
  }
  if (message === 'job timed out' || message.startsWith('handler execution exceeded ')) {
    return { kind: 'deadline', message: 'It took longer than it may.' }
  }
  return { kind: 'threw', message }
}
