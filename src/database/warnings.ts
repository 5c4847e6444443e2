/** What exports and deployments keep of what went wrong. */

import type { JobErrorCode } from '../base/errors/job-errors.ts'
import { storableText } from '../base/text/storable.ts'
import type { WarningRow } from './schema/hosting.ts'

/** In a row; all of them are counted. */
const WARNINGS_KEPT = 100
/** Characters of each: it may quote what an author wrote. */
const MESSAGE_KEPT = 4000

export interface WorkFailure {
  error: string
  code: JobErrorCode
  /** Without them, those of the row stay. */
  warnings?: readonly WarningRow[]
}

/** Columns to set. */
export function warningColumns(warnings: readonly WarningRow[]) {
  const kept = warnings.slice(0, WARNINGS_KEPT).map(({ path, line, message, code, remedy }) => ({
    path: storableText(path),
    line,
    message: storableText(message.slice(0, MESSAGE_KEPT)),
    ...(code === undefined ? {} : { code }),
    ...(remedy === undefined ? {} : { remedy: storableText(remedy.slice(0, MESSAGE_KEPT)) }),
  }))
  return { warnings: JSON.stringify(kept), warning_count: warnings.length }
}

/** Columns to set, by whoever gives the work back to the queue. */
export function queuedColumns({ error, code }: WorkFailure) {
  return { status: 'queued' as const, error: storableText(error), error_code: code }
}

/** Columns to set. */
export function failedColumns({ error, code, warnings }: WorkFailure) {
  return {
    status: 'failed' as const,
    error: storableText(error),
    error_code: code,
    ...(warnings && warningColumns(warnings)),
  }
}
