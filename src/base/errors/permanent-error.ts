import type { JobErrorCode } from './job-errors.ts'
import type { Problem } from './problem.ts'

/**
 * A failure that trying again will not mend. Its message is a sentence for the person who asked for the work, in words of
 * documentation, not of machines.
 */
export class PermanentError extends Error {
  override name = 'PermanentError'
  readonly code: JobErrorCode
  /** Mistakes of the content that it is made of; null when it is not. */
  readonly problems: readonly Problem[] | null = null

  constructor(code: JobErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
