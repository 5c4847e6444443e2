/** Columns that record the warnings and errors of exports and deployments. */

import type { JobErrorCode } from '../base/errors/permanent-error.ts'
import { toStorableText } from '../base/text/storable.ts'
import type { WarningRow } from './schema/hosting.ts'

/** Maximum number of warnings stored per row. The count includes those beyond the limit. */
const MAX_WARNINGS = 100
/** Maximum characters of each message, since it may quote an author's text. */
const MAX_MESSAGE_CHARACTERS = 4000

export interface WorkFailure {
  error: string
  code: JobErrorCode
  /** If left out, the row's current warnings stay. */
  warnings?: readonly WarningRow[]
}

export function warningColumns(warnings: readonly WarningRow[]) {
  const storedWarnings = warnings.slice(0, MAX_WARNINGS).map(({ path, line, message, code, remedy }) => ({
    path: toStorableText(path),
    line,
    message: toStorableText(message.slice(0, MAX_MESSAGE_CHARACTERS)),
    ...(code === undefined ? {} : { code }),
    ...(remedy === undefined ? {} : { remedy: toStorableText(remedy.slice(0, MAX_MESSAGE_CHARACTERS)) }),
  }))
  return { warnings: JSON.stringify(storedWarnings), warning_count: warnings.length }
}

export function queuedColumns({ error, code }: WorkFailure) {
  return { status: 'queued' as const, error: toStorableText(error), error_code: code }
}

export function failedColumns({ error, code, warnings }: WorkFailure) {
  return {
    status: 'failed' as const,
    error: toStorableText(error),
    error_code: code,
    ...(warnings && warningColumns(warnings)),
  }
}
