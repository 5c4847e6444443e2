/** What exports and deployments keep of what went wrong. */
import type { WarningRow } from './schema.ts'

/** In a row; all of them are counted. */
const WARNINGS_KEPT = 100

export interface WorkFailure {
  error: string
  /** Without them, those of the row stay. */
  warnings?: readonly WarningRow[]
}

/** Columns to set. */
export function warningColumns(warnings: readonly WarningRow[]) {
  return { warnings: JSON.stringify(warnings.slice(0, WARNINGS_KEPT)), warning_count: warnings.length }
}

/** Columns to set. */
export function failedColumns({ error, warnings }: WorkFailure) {
  return { status: 'failed' as const, error, ...(warnings && warningColumns(warnings)) }
}
