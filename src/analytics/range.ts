/** A stretch of whole days, and which counts add up to it: whole months where there are any, single days around them. */
import { type Fault, faultAt, type Parsed } from '../contract/fault.ts'
import { readMoment } from '../feedback/dates.ts'
import { canonicalPagePath } from '../feedback/page-path.ts'

export interface Range {
  /** Milliseconds; beginnings of days in UTC, the second one not part of it. */
  from: number
  to: number
  path: string | null
}

export interface Stretch {
  period: 'day' | 'month'
  from: number
  to: number
}

export const DAY_MS = 86_400_000
/** Before everything that is counted, and after it. */
const FIRST = Date.UTC(2000, 0)
const LAST = Date.UTC(2200, 0)

export function parseRange(query: Readonly<Record<string, unknown>>): Parsed<Range> {
  const faults: Fault[] = []
  const from = readDay('dateFrom', query.dateFrom, Math.floor, faults) ?? FIRST
  const to = readDay('dateTo', query.dateTo, Math.ceil, faults) ?? LAST
  if (faults.length === 0 && from >= to)
    faults.push(faultAt('dateFrom', 'must be before `dateTo`, which is not part of the range'))
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
  faults.push(faultAt(name, `must be a date that exists, such as 2026-11-21, not \`${value.slice(0, 80)}\``))
  return null
}

/** `isByDay`: single days are asked for. */
export function stretchesOf({ from, to }: Range, isByDay: boolean): Stretch[] {
  const firstMonth = monthAfter(from - 1)
  const lastMonth = monthBefore(to)
  if (isByDay || firstMonth >= lastMonth) return [{ period: 'day', from, to }]
  const stretches: Stretch[] = [
    { period: 'day', from, to: firstMonth },
    { period: 'month', from: firstMonth, to: lastMonth },
    { period: 'day', from: lastMonth, to },
  ]
  return stretches.filter((stretch) => stretch.from < stretch.to)
}

/** Of the month that this moment is in. */
function monthBefore(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth())
}

/** The first beginning of a month behind this moment. */
function monthAfter(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}
