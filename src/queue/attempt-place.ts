/**
 * Which attempts of a job count, when each goes on from what the ones before it have done. A job that goes on has steps,
 * which only rise, and a place is a step and the whole seconds that were spent at it. In the job's own row stand:
 *
 *   place     where the attempt at work is
 *   furthest  where the furthest of those before it ended
 *   stalled   attempts that ended there
 *
 *     claim ──▶ at work, `place` rises
 *                 ├──passes a bound──▶ counted, however far it came: the next one would pass it too
 *                 ├──throws──▶ counted: this is as far as it can come
 *                 ├──its worker dies──▶ counted at the next claim, if it ended where the furthest one ended: one that was
 *                 │                     lost on the way there, or stayed there for longer, tells nothing of that place
 *                 └──its server stops──▶ not counted
 *
 * An attempt that came a step further is the first one there, so `stalled` is 1. MAX_ATTEMPTS that ended at one place end
 * the job. The queue's own bound on attempts is for what nobody foresaw.
 */
import { type RawBuilder, sql } from 'kysely'
import { type JobErrorCode, jobErrorCode } from '../base/errors/job-errors.ts'
import { ProcessLimitError } from '../base/process-limit-error.ts'
import type { WorkFailure } from '../database/warnings.ts'
import { WORKER_LOST } from './exhausted-job.ts'

/** Seconds that are told apart at one step. */
const SECONDS = 1000
/** Of an attempt that is counted already, or never will be. */
const NOWHERE = -1

const IS_STEP_FURTHER = sql<boolean>`place / ${sql.lit(SECONDS)} > furthest / ${sql.lit(SECONDS)}`
const FURTHEST = sql<number>`greatest(furthest, place)`

interface PlaceColumns {
  place: RawBuilder<number>
  furthest: RawBuilder<number>
  stalled: RawBuilder<number>
}

export function placeOf(step: number, seconds = 0): number {
  return step * SECONDS + Math.min(seconds, SECONDS - 1)
}

/** At the claim: counts the attempt before. */
export function claimedPlace(): PlaceColumns {
  return {
    place: sql<number>`0`,
    furthest: FURTHEST,
    stalled: sql<number>`CASE
      WHEN attempt = 0 OR place < 0 THEN stalled
      WHEN ${IS_STEP_FURTHER} THEN 1
      WHEN place = furthest THEN stalled + 1
      ELSE stalled END`,
  }
}

/** While it is at work. A look at the row that comes after its end changes nothing. */
export function reachedPlace(place: number): RawBuilder<number> {
  return sql<number>`CASE WHEN place < 0 THEN place ELSE ${place}::integer END`
}

/** At its end by an error, or because it passed a bound. */
export function endedPlace({ passedBound }: { passedBound: boolean }): PlaceColumns {
  return {
    place: sql<number>`${NOWHERE}::integer`,
    furthest: FURTHEST,
    stalled: passedBound
      ? sql<number>`stalled + 1`
      : sql<number>`CASE WHEN ${IS_STEP_FURTHER} THEN 1 ELSE stalled + 1 END`,
  }
}

/** At its end because its server stops. */
export function uncountedPlace(): Pick<PlaceColumns, 'place'> {
  return { place: sql<number>`${NOWHERE}::integer` }
}

export interface Steps {
  /** True when nobody has come to this step before, and it has not been told. */
  go(step: number): boolean
  place(): number
}

/** Of one attempt, of the row that it has claimed. */
export function createSteps({ furthest }: { furthest: number }): Steps {
  const known = Math.floor(furthest / SECONDS)
  let current = 0
  let since = performance.now()
  return {
    go(step) {
      if (step === current) return false
      current = step
      since = performance.now()
      return step > known
    },
    place: () => placeOf(current, Math.floor((performance.now() - since) / 1000)),
  }
}

/** Which bound the attempt passed that ended with this error, for the row until the next one; null when it was none. */
export function boundPassed(error: unknown): WorkFailure | null {
  return error instanceof ProcessLimitError ? { error: error.message, code: jobErrorCode(error) } : null
}

/** Why a job ends whose last attempt was lost; `error` and its code are what an attempt before has said. */
export function lostFailure(row: {
  stalled: number
  error: string | null
  error_code: JobErrorCode | null
}): WorkFailure {
  const { stalled, error, error_code: code } = row
  return {
    error: `Failed after ${stalled} attempts that ended at the same place. ${error ?? WORKER_LOST}`,
    code: code ?? 'worker_lost',
  }
}
