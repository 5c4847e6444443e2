/** Splits a range of days into counted periods: whole months, with weeks and days at both ends. */

import { readMoment } from '../../base/api/dates.ts'
import { type Fault, faultAt, type Parsed } from '../../base/errors/fault.ts'
import { canonicalPagePath } from '../feedback/intake/page-path.ts'
import { startOf } from './intake/tally.ts'

export interface Range {
  /** Both are UTC midnights in milliseconds since the epoch; `to` is exclusive. */
  from: number
  to: number
  path: string | null
}

export interface RangePart {
  period: 'day' | 'week' | 'month'
  from: number
  to: number
}

export const DAY_MS = 86_400_000
const MAX_WEEK_MS = 8 * DAY_MS
const MIN_TIME = Date.UTC(2000, 0)
const MAX_TIME = Date.UTC(2200, 0)

export function parseRange(query: Readonly<Record<string, unknown>>): Parsed<Range> {
  const faults: Fault[] = []
  const from = readDay('dateFrom', query.dateFrom, Math.floor, faults) ?? MIN_TIME
  const to = readDay('dateTo', query.dateTo, Math.ceil, faults) ?? MAX_TIME
  if (faults.length === 0 && from >= to) faults.push(faultAt('dateFrom', 'dates_reversed'))
  const path = typeof query.path === 'string' ? (canonicalPagePath(query.path) ?? query.path) : null
  return { value: { from, to, path }, faults }
}

function readDay(
  name: string,
  value: unknown,
  round: (days: number) => number,
  faults: Fault[],
): number | null {
  if (typeof value !== 'string') return null
  const moment = readMoment(value)
  if (moment !== null) return round(moment / DAY_MS) * DAY_MS
  faults.push(faultAt(name, 'invalid_query_date', { value: value.slice(0, 80) }))
  return null
}

/** Ordered from coarse to fine; a period consists of whole periods of the next kind. */
const PERIODS = ['month', 'week', 'day'] as const

/** With `isByDay`, splits the range into single days. */
export function splitRange({ from, to }: Range, isByDay: boolean, now: number = Date.now()): RangePart[] {
  if (isByDay) return [{ period: 'day', from, to }]
  // Future days have no counts, so the whole current month gives the same sum as its days so far.
  const end = startOfNextPeriod('month', now)
  return coverRange(from, to > now && from < end ? end : to, PERIODS)
}

/** Covers the middle of the range with periods of the coarsest kind, and both ends with finer ones. */
function coverRange(
  from: number,
  to: number,
  [period, ...finer]: readonly RangePart['period'][],
): RangePart[] {
  if (from >= to || period === undefined) return []
  const first = startOf(period, from) === from ? from : startOfNextPeriod(period, from)
  const last = startOf(period, to)
  if (first >= last) return coverRange(from, to, finer)
  return [
    ...coverRange(from, first, finer),
    { period, from: first, to: last },
    ...coverRange(last, to, finer),
  ]
}

function startOfNextPeriod(period: RangePart['period'], at: number): number {
  const start = startOf(period, at)
  if (period === 'day') return start + DAY_MS
  const month = new Date(start)
  const next = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)
  return period === 'month' ? next : Math.min(next, startOf('week', start + MAX_WEEK_MS))
}
