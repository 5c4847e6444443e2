/**
 * Determines when a schedule runs, by the wall clock of its time zone. A time skipped by daylight saving time
 * runs right after the gap; a time that occurs twice runs once. Times missed while no server was running
 * result in one run, because run-due-automations.ts computes the next time after the current one.
 */
import { CronExpressionParser } from 'cron-parser'
import { WEEKDAYS } from '../../base/api/form-choices.ts'
import type { Schedule } from './operations/automation-triggers.ts'

/** Allows only the five standard fields; the parser also accepts seconds, random times (`H`) and `@daily`. */
const CRON = /^[\d*,/?#LA-Z-]+(?: [\d*,/?#LA-Z-]+){4}$/i
const RANDOM_CRON_SYMBOL = /\bH\b/i
const MIN_INTERVAL_MS = 5 * 60_000
/** Number of upcoming times checked; if their intervals are long enough, later ones are too. */
const MAX_COMPARED_TIMES = 300
const COMPARED_PERIOD_MS = 40 * 86_400_000

/** Returns the first time after `after`. Throws Error for an expression that never matches. */
export function nextTime(schedule: Schedule, after: Date): Date {
  return iterateTimes(toCron(schedule), schedule.timeZone, after).next().toDate()
}

export function cronFault(cron: string): 'cron_form' | 'cron_interval' | 'cron_never' | null {
  if (!CRON.test(cron) || RANDOM_CRON_SYMBOL.test(cron)) return 'cron_form'
  try {
    const times = iterateTimes(cron, 'UTC', new Date())
    const first = times.next().getTime()
    for (
      let count = 0, before = first;
      count < MAX_COMPARED_TIMES && before - first < COMPARED_PERIOD_MS;
      count++
    ) {
      const at = times.next().getTime()
      if (at - before < MIN_INTERVAL_MS) return 'cron_interval'
      before = at
    }
    return null
  } catch {
    return 'cron_never'
  }
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function iterateTimes(cron: string, tz = 'UTC', currentDate: Date) {
  return CronExpressionParser.parse(cron, { currentDate, tz })
}

function toCron({ cron, every, hour = 9, minute = 0, weekday = 'monday' }: Schedule): string {
  if (cron !== undefined) return cron
  if (every === 'hour') return `${minute} * * * *`
  return `${minute} ${hour} * * ${every === 'week' ? (WEEKDAYS.indexOf(weekday) + 1) % 7 : '*'}`
}
