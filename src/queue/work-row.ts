/**
 * One attempt at a row of long work: claims it, keeps its progress, and ends it or the attempt by what went wrong. Which
 * attempts count: see attempt-place.ts, whose columns are written here.
 *
 *     open ──claim──▶ held ──work──▶ whatever the work made of it
 *      │               │
 *      │ ◀──give back──┤ its process was ended by its limits; `error` says so until the end
 *      │               ├─ it threw, or its server stops ──▶ held, until a later attempt claims it
 *      │               └─ no later attempt can mend it, or too many were in vain ──▶ failed
 */
import type { Selectable, UpdateObject } from 'kysely'
import { jobErrorCode } from '../base/errors/job-errors.ts'
import { PermanentError } from '../base/errors/permanent-error.ts'
import { toWarnings } from '../base/errors/problem.ts'
import { isMachinery } from '../base/machinery-error.ts'
import type { Database, Queries } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { queuedColumns, type WorkFailure } from '../database/warnings.ts'
import {
  boundPassed,
  createSteps,
  endedPlace,
  lostFailure,
  reachedPlace,
  uncountedPlace,
} from './attempt-place.ts'
import type { Held, HeldRows, WorkTable } from './held-rows.ts'
import { HandedOnError, type JobContext } from './job-handler.ts'
import { MAX_ATTEMPTS } from './jobs.ts'
import { holdLease, RowLostError } from './lease.ts'

/** Tables with the columns of attempt-place.ts. */
type PlacedTable = {
  [Table in WorkTable]: 'stalled' extends keyof Schema[Table] ? Table : never
}[WorkTable]

export type PlacedValues = UpdateObject<Schema, PlacedTable>

type PlacedRows<Row> = HeldRows<Row, PlacedValues>

export interface WorkKind<Row, Progress> {
  rows: PlacedRows<Row>
  /** Columns that never fall, whatever a later attempt begins with. */
  progressColumns(progress: Progress): PlacedValues
  /** Whether work ends with this error, also when it is not the last attempt. */
  isFinal(error: unknown, isLastAttempt: boolean): error is Error
  /** What the log says of one that a part of ours has failed: the event, and what the id of the row is called. */
  failed: { event: string; id: string }
}

export interface RowAtWork<Progress> {
  held: Held
  /** Aborted with the job's, and when the row was lost. */
  signal: AbortSignal
  /** How far the work is. It is written with the next look at the row; at once when nobody has come so far. */
  reach(step: number, progress: Progress): void
}

/**
 * Throws what a later attempt may mend; what none can mend ends the row as `failed`. An attempt that has lost its row ends
 * without a word.
 */
export async function workRow<Row extends Selectable<Schema[PlacedTable]>, Progress>(
  kind: WorkKind<Row, Progress>,
  database: Pick<Database, 'queries' | 'transaction'>,
  id: string,
  context: JobContext,
  work: (row: Row, at: RowAtWork<Progress>) => Promise<void>,
): Promise<void> {
  const { rows } = kind
  const { queries } = database
  const held = { id, attempt: context.attempt }
  const row = await rows.claim(queries, held)
  if (row === undefined) return
  const fail = (failure: WorkFailure) => database.transaction((tx) => rows.fail(tx, held, failure))
  if (row.stalled >= MAX_ATTEMPTS) return void (await fail(lostFailure(row)))
  const steps = createSteps(row)
  await using lease = holdLease<Progress>(context.signal, (progress) =>
    writeProgress(kind, queries, held, progress, steps.place()),
  )
  const { signal } = lease
  const reach = (step: number, progress: Progress) => lease.report(progress, steps.go(step))
  try {
    await work(row, { held, signal, reach })
  } catch (error) {
    if (signal.reason instanceof RowLostError) return
    // Neither the end of a server nor a full disk is an attempt.
    const isNone = signal.aborted ? signal.reason instanceof HandedOnError : await context.lacksRoom(error)
    if (isNone) await handOn(rows, queries, held).catch(() => undefined)
    if (isNone || signal.aborted) throw error
    await lease.flush()
    const stalled = await endAttempt(rows, queries, held, boundPassed(error))
    if (!kind.isFinal(error, stalled >= MAX_ATTEMPTS)) throw error
    if (isMachinery(error))
      context.log.error({ [kind.failed.id]: id, error: error.message }, kind.failed.event)
    await fail(failureOf(error))
  }
}

/** False when the row is no longer this attempt's. */
export async function writeProgress<Row, Progress>(
  { rows, progressColumns }: Pick<WorkKind<Row, Progress>, 'rows' | 'progressColumns'>,
  queries: Queries,
  held: Held,
  progress: Progress | null,
  place: number,
): Promise<boolean> {
  const columns = progress === null ? {} : progressColumns(progress)
  return (await rows.update(queries, held, { ...columns, place: reachedPlace(place) })) !== undefined
}

/**
 * The attempt ended by an error. `bound` says for people which bound it passed, if that was it: the row is given back, else
 * it stays held. Answers how many attempts count; 0 when the row is no longer this attempt's.
 */
export async function endAttempt<Row extends { stalled: number }>(
  rows: PlacedRows<Row>,
  queries: Queries,
  held: Held,
  bound: WorkFailure | null,
): Promise<number> {
  const place = endedPlace({ passedBound: bound !== null })
  const row = await rows.update(queries, held, { ...place, ...(bound && queuedColumns(bound)) })
  return row?.stalled ?? 0
}

/** The attempt goes on at another server. */
export async function handOn<Row>(rows: PlacedRows<Row>, queries: Queries, held: Held): Promise<void> {
  await rows.update(queries, held, uncountedPlace())
}

function failureOf(error: Error): WorkFailure {
  const problems = error instanceof PermanentError ? error.problems : null
  return {
    error: error.message,
    code: jobErrorCode(error),
    ...(problems && { warnings: toWarnings(problems) }),
  }
}
