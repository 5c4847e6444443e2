/**
 * Counts attempts of jobs that continue from earlier progress. The work of such a job is divided into steps, whose
 * numbers only increase. `place` combines a step and the whole seconds spent in it. The job's row contains:
 *
 *   place     where the current attempt is
 *   furthest  where the furthest earlier attempt ended
 *   stalled   number of attempts that ended there
 *
 *     claim ──▶ running, `place` increases
 *                 ├──exceeds a limit──▶ counted, regardless of progress: the next one would exceed the limit too
 *                 ├──throws──▶ counted: the job cannot get further
 *                 ├──its worker dies──▶ counted at the next claim if `place` equals `furthest`. An attempt that was
 *                 │                     lost earlier, or stayed in the step for longer, proves nothing about this point
 *                 └──its server stops──▶ not counted
 *
 * An attempt that is the first to reach a step sets `stalled` to 1. The job fails after
 * MAX_ATTEMPTS that ended at the same point. The queue's own limit on attempts only covers unforeseen cases.
 */
import { type RawBuilder, sql } from 'kysely'
import { type JobErrorCode, jobErrorCode } from '../base/errors/permanent-error.ts'
import { ProcessLimitError } from '../base/process-limit-error.ts'
import type { WorkFailure } from '../database/warnings.ts'
import { WORKER_LOST } from './exhausted-job.ts'

/** `place` is the step multiplied by this number, plus the number of seconds within the step. */
const SECONDS_PER_STEP = 1000
/** Value of `place` for an attempt that has already been counted, or must not be counted. */
const UNCOUNTED_POSITION = -1

const IS_STEP_FURTHER = sql<boolean>`place / ${sql.lit(SECONDS_PER_STEP)} > furthest / ${sql.lit(SECONDS_PER_STEP)}`
const FURTHEST_POSITION = sql<number>`greatest(furthest, place)`

interface PositionColumns {
  place: RawBuilder<number>
  furthest: RawBuilder<number>
  stalled: RawBuilder<number>
}

export function attemptPosition(step: number, seconds = 0): number {
  return step * SECONDS_PER_STEP + Math.min(seconds, SECONDS_PER_STEP - 1)
}

/** Returns the columns to set when a job is claimed. They count the previous attempt. */
export function claimedPosition(): PositionColumns {
  return {
    place: sql<number>`0`,
    furthest: FURTHEST_POSITION,
    stalled: sql<number>`CASE
      WHEN attempt = 0 OR place < 0 THEN stalled
      WHEN ${IS_STEP_FURTHER} THEN 1
      WHEN place = furthest THEN stalled + 1
      ELSE stalled END`,
  }
}

/** Returns the value of `place` to set for a running attempt. Has no effect after the attempt has ended. */
export function reachedPosition(place: number): RawBuilder<number> {
  return sql<number>`CASE WHEN place < 0 THEN place ELSE ${place}::integer END`
}

/** Returns the columns to set when an attempt ends with an error or exceeds a limit. */
export function endedPosition({ passedBound }: { passedBound: boolean }): PositionColumns {
  return {
    place: sql<number>`${UNCOUNTED_POSITION}::integer`,
    furthest: FURTHEST_POSITION,
    stalled: passedBound
      ? sql<number>`stalled + 1`
      : sql<number>`CASE WHEN ${IS_STEP_FURTHER} THEN 1 ELSE stalled + 1 END`,
  }
}

/** Returns the columns to set when an attempt ends because its server stops. */
export function uncountedPosition(): Pick<PositionColumns, 'place'> {
  return { place: sql<number>`${UNCOUNTED_POSITION}::integer` }
}

export interface Steps {
  /** Enters a step. Returns true if neither this attempt nor an earlier one has reached the step before. */
  advance(step: number): boolean
  place(): number
}

export function createSteps({ furthest }: { furthest: number }): Steps {
  const furthestStep = Math.floor(furthest / SECONDS_PER_STEP)
  let current = 0
  let since = performance.now()
  return {
    advance(step) {
      if (step === current) return false
      current = step
      since = performance.now()
      return step > furthestStep
    },
    place: () => attemptPosition(current, Math.floor((performance.now() - since) / 1000)),
  }
}

/**
 * Returns the failure to store until the next attempt if the error reports that a limit was exceeded. Returns null for
 * other errors.
 */
export function toLimitFailure(error: unknown): WorkFailure | null {
  return error instanceof ProcessLimitError ? { error: error.message, code: jobErrorCode(error) } : null
}

/**
 * Returns the failure of a job whose last attempt was lost. Includes the error that an earlier attempt stored in the
 * row.
 */
export function lostAttemptFailure(row: {
  stalled: number
  error: string | null
  error_code: JobErrorCode | null
}): WorkFailure {
  const { stalled, error, error_code: code } = row
  return {
    error: `Failed after ${stalled} attempts that ended at the same point. ${error ?? WORKER_LOST}`,
    code: code ?? 'worker_lost',
  }
}
