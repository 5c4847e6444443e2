/** Columns that record the warnings and errors of exports and deployments. */

import type { JobErrorCode } from '../base/errors/job-errors.ts'
import { storableText } from '../base/text/storable.ts'
import type { WarningRow } from './schema/hosting.ts'

/** Maximum number stored per row. The count includes all of them. */
const WARNINGS_KEPT = 100
/** Maximum characters of each message, since it may quote an author's text. */
const MESSAGE_KEPT = 4000

export interface WorkFailure {
  error: string
  code: JobErrorCode
  /** If left out, the row's current warnings stay. */
  warnings?: readonly WarningRow[]
}

/** Columns to set for warnings. */
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

/** Columns to set when the work is returned to the queue. */
export function queuedColumns({ error, code }: WorkFailure) {
  return { status: 'queued' as const, error: storableText(error), error_code: code }
}

/** Columns to set for failed work. */
export function failedColumns({ error, code, warnings }: WorkFailure) {
  return {
    status: 'failed' as const,
    error: storableText(error),
    error_code: code,
    ...(warnings && warningColumns(warnings)),
  }
}
