/** Errors that reject a request, with codes of the catalogue. */
import {
  DETAIL_ERRORS,
  ERRORS,
  EXPECTED_VALUES,
  FIELD_ERRORS,
  JOB_ERRORS,
  PROBLEMS,
  type RequestError,
  TEST_RESULTS,
} from './catalogue.ts'
import { ENGLISH, type Fault } from './fault.ts'
import { formatError, type Params } from './format-error.ts'

export type ErrorCode = keyof typeof ERRORS

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

/** Example values for messages with parameters, used in descriptions. */
export const EXAMPLE_PARAMS = { status: 'failed', limit: '1 MiB' }

export function errorMessage(code: ErrorCode, params: Params = {}): string {
  return formatError(errorTemplate(ERRORS[code]), params, ENGLISH)
}

function errorTemplate({ message, remedy, isWhole }: RequestError): string {
  return isWhole ? message : `${message} ${remedy}`
}

/** Error that rejects a request. Sent as `{ error, code, params?, details? }` with the status of the catalogue. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  readonly params: Params | undefined
  readonly details: readonly Fault[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    more: {
      params?: Params
      details?: readonly Fault[]
      headers?: Record<string, string>
      cause?: unknown
    } = {},
  ) {
    super(errorMessage(code, more.params), { cause: more.cause })
    this.code = code
    this.status = ERRORS[code].status
    this.params = more.params
    this.details = more.details ?? []
    this.headers = more.headers ?? {}
  }
}

export function assertNoFaults(details: readonly Fault[]): void {
  if (details.length > 0) throw new AppError('invalid_request', { details })
}

export function listErrorMessages(): Record<string, string> {
  const texts: [prefix: string, messages: Readonly<Record<string, string>>][] = [
    ['field', FIELD_ERRORS],
    ['detail', DETAIL_ERRORS],
    ['expected', EXPECTED_VALUES],
  ]
  const tables: [prefix: string, Readonly<Record<string, { message: string; remedy?: string }>>][] = [
    ['job', JOB_ERRORS],
    ['problem', PROBLEMS],
    ['test', TEST_RESULTS],
  ]
  return Object.fromEntries([
    ...ERROR_CODES.map((code) => [`request.${code}`, errorTemplate(ERRORS[code])]),
    ...texts.flatMap(([prefix, table]) =>
      Object.entries(table).map(([code, message]) => [`${prefix}.${code}`, message]),
    ),
    ...tables.flatMap(([prefix, table]) =>
      Object.entries(table).flatMap(([code, { message, remedy }]) => [
        [`${prefix}.${code}`, message],
        ...(remedy === undefined ? [] : [[`${prefix}.${code}.remedy`, remedy]]),
      ]),
    ),
  ])
}
