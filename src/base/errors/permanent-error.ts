import type { JobErrorCode } from './job-errors.ts'
import type { Problem } from './problem.ts'

/**
 * Error that a retry cannot fix. Its message is a sentence for the person who requested the work, in the language of
 * the documentation rather than of internals.
 */
export class PermanentError extends Error {
  override name = 'PermanentError'
  readonly code: JobErrorCode
  /** Problems in the content that caused the error, or null. */
  readonly problems: readonly Problem[] | null = null

  constructor(code: JobErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
