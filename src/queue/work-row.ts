/**
 * One attempt at a row of long-running work: claims the row, writes its progress, and ends the row or the attempt
 * according to the error. count-attempts.ts defines which attempts count; its columns are written here.
 *
 *     open ──claim──▶ held ──work──▶ the status set by the work
 *      │               │
 *      │ ◀──give back──┤ its process exceeded its limits; `error` describes this until the work ends
 *      │               ├─ it threw, or its server stopped ──▶ held, until a later attempt claims the row
 *      │               └─ a permanent error, or too many unsuccessful attempts ──▶ failed
 */
import type { Selectable, UpdateObject } from 'kysely'
import { jobErrorCode, PermanentError } from '../base/errors/permanent-error.ts'
import { toWarnings } from '../base/errors/problem.ts'
import { isInternalError } from '../base/internal-error.ts'
import type { Database, Queries } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { queuedColumns, type WorkFailure } from '../database/warnings.ts'
import {
  createSteps,
  endedPosition,
  lostAttemptFailure,
  reachedPosition,
  toLimitFailure,
  uncountedPosition,
} from './count-attempts.ts'
import { type JobContext, JobHandoverError } from './job-handler.ts'
import { MAX_ATTEMPTS } from './job-settings.ts'
import { RowLostError, startLease } from './lease.ts'
import type { LeasedRows, RowLease, WorkTable } from './leased-rows.ts'

type AttemptTable = {
  [Table in WorkTable]: 'stalled' extends keyof Schema[Table] ? Table : never
}[WorkTable]

export type AttemptValues = UpdateObject<Schema, AttemptTable>

type AttemptRows<Row> = LeasedRows<Row, AttemptValues>

export interface WorkKind<Row, Progress> {
  rows: AttemptRows<Row>
  /**
   * Returns the columns that store the progress. Their values must never decrease, even if a later attempt starts with
   * less progress.
   */
  progressColumns(progress: Progress): AttemptValues
  /** Returns whether an error ends the work, even before the last attempt. */
  isFinal(error: unknown, isLastAttempt: boolean): error is Error
  /** `event`: name of the log event for internal errors. `id`: name of the log field for the row's id. */
  failed: { event: string; id: string }
}

export interface RowWork<Progress> {
  rowLease: RowLease
  /** Aborted with the signal of the job, or when the row is lost. */
  signal: AbortSignal
  /**
   * Reports progress. Written immediately if no attempt has reached this step before, otherwise at the next
   * check.
   */
  recordStep(step: number, progress: Progress): void
}

/**
 * Runs an attempt. Rethrows errors that a later attempt may resolve. A permanent error sets the row to
 * `failed`. Returns without an error if the row was lost.
 */
export async function runRowWork<Row extends Selectable<Schema[AttemptTable]>, Progress>(
  kind: WorkKind<Row, Progress>,
  database: Pick<Database, 'queries' | 'transaction'>,
  id: string,
  context: JobContext,
  work: (row: Row, at: RowWork<Progress>) => Promise<void>,
): Promise<void> {
  const { rows } = kind
  const { queries } = database
  const rowLease = { id, attempt: context.attempt }
  const row = await rows.claim(queries, rowLease)
  if (row === undefined) return
  const fail = (failure: WorkFailure) => database.transaction((tx) => rows.fail(tx, rowLease, failure))
  if (row.stalled >= MAX_ATTEMPTS) return void (await fail(lostAttemptFailure(row)))
  const steps = createSteps(row)
  await using lease = startLease<Progress>(context.signal, (progress) =>
    writeProgress(kind, queries, rowLease, progress, steps.place()),
  )
  const { signal } = lease
  const recordStep = (step: number, progress: Progress) => lease.report(progress, steps.advance(step))
  try {
    await work(row, { rowLease, signal, recordStep })
  } catch (error) {
    if (signal.reason instanceof RowLostError) return
    // The attempt does not count if the server stops or the disk is full.
    const isNone = signal.aborted
      ? signal.reason instanceof JobHandoverError
      : await context.lacksDiskSpace(error)
    if (isNone) await handOver(rows, queries, rowLease).catch(() => undefined)
    if (isNone || signal.aborted) throw error
    await lease.flush()
    const stalled = await endAttempt(rows, queries, rowLease, toLimitFailure(error))
    if (!kind.isFinal(error, stalled >= MAX_ATTEMPTS)) throw error
    if (isInternalError(error))
      context.log.error({ [kind.failed.id]: id, error: error.message }, kind.failed.event)
    await fail(failureOf(error))
  }
}

/** Returns false if the attempt has lost the row. */
export async function writeProgress<Row, Progress>(
  { rows, progressColumns }: Pick<WorkKind<Row, Progress>, 'rows' | 'progressColumns'>,
  queries: Queries,
  rowLease: RowLease,
  progress: Progress | null,
  position: number,
): Promise<boolean> {
  const columns = progress === null ? {} : progressColumns(progress)
  return (
    (await rows.update(queries, rowLease, { ...columns, place: reachedPosition(position) })) !== undefined
  )
}

/**
 * Records the end of an attempt with an error. If a limit was exceeded, `bound` describes it and the row is
 * given back; otherwise the row stays claimed. Returns the number of attempts that count; 0 if the row was lost.
 */
export async function endAttempt<Row extends { stalled: number }>(
  rows: AttemptRows<Row>,
  queries: Queries,
  rowLease: RowLease,
  bound: WorkFailure | null,
): Promise<number> {
  const position = endedPosition({ passedBound: bound !== null })
  const row = await rows.update(queries, rowLease, { ...position, ...(bound && queuedColumns(bound)) })
  return row?.stalled ?? 0
}

/** Records that another server will continue the work. */
export async function handOver<Row>(
  rows: AttemptRows<Row>,
  queries: Queries,
  rowLease: RowLease,
): Promise<void> {
  await rows.update(queries, rowLease, uncountedPosition())
}

function failureOf(error: Error): WorkFailure {
  const problems = error instanceof PermanentError ? error.problems : null
  return {
    error: error.message,
    code: jobErrorCode(error),
    ...(problems && { warnings: toWarnings(problems) }),
  }
}
