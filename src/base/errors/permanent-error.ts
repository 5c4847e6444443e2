/** Errors that end a job. */
import { ProcessLimitError } from '../process-limit-error.ts'
import { JOB_ERRORS } from './catalogue.ts'
import type { Problem } from './problem.ts'

export type JobErrorCode = keyof typeof JOB_ERRORS

export const JOB_ERROR_CODES = Object.keys(JOB_ERRORS) as JobErrorCode[]

/**
 * Error that a retry cannot fix. Its message is a sentence for the person who requested the work, in the
 * terms of the documentation rather than of the implementation.
 */
export class PermanentError extends Error {
  override name = 'PermanentError'
  readonly code: JobErrorCode
  readonly problems: readonly Problem[] | null = null

  constructor(code: JobErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export function jobErrorCode(error: unknown): JobErrorCode {
  if (error instanceof ProcessLimitError) return 'bound_passed'
  const { code } = (error ?? {}) as { code?: unknown }
  return JOB_ERROR_CODES.find((known) => known === code) ?? 'internal'
}
