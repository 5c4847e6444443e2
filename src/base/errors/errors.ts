/** Errors that reject a request, with codes of the catalogue. */
import { type CataloguedError, ERRORS } from './error-catalogue.ts'
import type { Fault } from './fault.ts'

export type ErrorCode = keyof typeof ERRORS

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

/** Returns the default message of an error code. */
export function errorSentence(code: ErrorCode): string {
  const { sentence, remedy, isWhole }: CataloguedError = ERRORS[code]
  return isWhole ? sentence : `${sentence} ${remedy}`
}

/** Error that rejects a request. Sent as `{ error, code, details? }` with the status of the catalogue. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  readonly details: readonly Fault[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    more: {
      sentence?: string
      details?: readonly Fault[]
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(more.sentence ?? errorSentence(code), { cause: more.cause })
    this.code = code
    this.status = ERRORS[code].status
    this.details = more.details ?? []
    this.headers = more.headers ?? {}
  }
}

/** Throws `invalid_request` if there are faults. */
export function assertNoFaults(details: readonly Fault[]): void {
  if (details.length > 0) throw new AppError('invalid_request', { details })
}
