/**
 * One attempt at a row of long-running work: claims it, writes its progress, and ends the row or the attempt
 * according to the error. See attempt-position.ts for the attempts that count. Its columns are written here.
 *
 *     open ──claim──▶ held ──work──▶ the status set by the work
 *      │               │
 *      │ ◀──give back──┤ its process exceeded its limits; `error` describes this until the end
 *      │               ├─ it threw, or its server stopped ──▶ held, until a later attempt claims it
 *      │               └─ a permanent error, or too many unsuccessful attempts ──▶ failed
 */
import type { Selectable, UpdateObject } from 'kysely'
import { jobErrorCode } from '../base/errors/job-errors.ts'
import { PermanentError } from '../base/errors/permanent-error.ts'
import { toWarnings } from '../base/errors/problem.ts'
import { isInternalError } from '../base/internal-error.ts'
import type { Database, Queries } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { queuedColumns, type WorkFailure } from '../database/warnings.ts'
import {
  boundPassed,
  createSteps,
  endedPosition,
  lostAttemptFailure,
  reachedPosition,
  uncountedPosition,
} from './attempt-position.ts'
import { type JobContext, JobHandoverError } from './job-handler.ts'
import { MAX_ATTEMPTS } from './jobs.ts'
import { RowLostError, startLease } from './lease.ts'
import type { LeasedRows, RowLease, WorkTable } from './leased-rows.ts'

/** Tables with the columns of attempt-position.ts. */
type AttemptTable = {
  [Table in WorkTable]: 'stalled' extends keyof Schema[Table] ? Table : never
}[WorkTable]

export type AttemptValues = UpdateObject<Schema, AttemptTable>

type AttemptRows<Row> = LeasedRows<Row, AttemptValues>

export interface WorkKind<Row, Progress> {
  rows: AttemptRows<Row>
  /** Columns that never decrease, whatever a later attempt starts with. */
  progressColumns(progress: Progress): AttemptValues
  /** Whether this error ends the work, even if it is not the last attempt. */
  isFinal(error: unknown, isLastAttempt: boolean): error is Error
  /** Log event for internal errors, and the field name of the row's id. */
  failed: { event: string; id: string }
}

export interface RowWork<Progress> {
  rowLease: RowLease
  /** Aborted with the job's signal, and when the row is lost. */
  signal: AbortSignal
  /** Reports progress. Written at the next check of the row, or immediately if no attempt has come this far. */
  recordStep(step: number, progress: Progress): void
}

/**
 * Throws errors that a later attempt may fix. A permanent error ends the row as `failed`. An attempt that has lost
 * its row returns silently.
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
    // An attempt does not count if its server stops or the disk is full.
    const isNone = signal.aborted
      ? signal.reason instanceof JobHandoverError
      : await context.lacksDiskSpace(error)
    if (isNone) await handOver(rows, queries, rowLease).catch(() => undefined)
    if (isNone || signal.aborted) throw error
    await lease.flush()
    const stalled = await endAttempt(rows, queries, rowLease, boundPassed(error))
    if (!kind.isFinal(error, stalled >= MAX_ATTEMPTS)) throw error
    if (isInternalError(error))
      context.log.error({ [kind.failed.id]: id, error: error.message }, kind.failed.event)
    await fail(failureOf(error))
  }
}

/** Returns false when the row no longer belongs to this attempt. */
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
 * Records that the attempt ended with an error. `bound` describes the limit it exceeded, if any; then the row is
 * given back, else it stays held. Returns how many attempts count; 0 when the row no longer belongs to this attempt.
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

/** Records that the work continues on another server. */
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
