/**
 * When a schedule comes round: by the wall clocks of its time zone. An hour that a day has not comes right after it, and
 * one that it has twice comes once. Times that passed while no server looked are one run: watch.ts asks for the next time
 * after now.
 */
import { CronExpressionParser } from 'cron-parser'
import { WEEKDAYS } from '../../base/api/form-choices.ts'
import type { Schedule } from './operations/automation-triggers.ts'

/** Signs of five fields. The parser also takes seconds, random times (`H`) and shorthands such as `@daily`. */
const CRON = /^[\d*,/?#LA-Z-]+(?: [\d*,/?#LA-Z-]+){4}$/i
const RANDOM = /\bH\b/i
const MIN_INTERVAL_MS = 5 * 60_000
/** Times that are held against each other, and how far they may lie ahead: what is apart by then stays so. */
const COMPARED_TIMES = 300
const COMPARED_MS = 40 * 86_400_000

/** The first moment after `after`. Throws Error for an expression without one. */
export function nextTime(schedule: Schedule, after: Date): Date {
  return iterateTimes(toCron(schedule), schedule.timeZone, after).next().toDate()
}

/** Returns the error of a cron expression as the end of a sentence about the field, or null if it is valid. */
export function cronFault(cron: string): string | null {
  if (!CRON.test(cron) || RANDOM.test(cron))
    return 'must be five fields with one space between: minute, hour, day of the month, month, weekday, such as `0 9 * * 1-5`'
  try {
    const times = iterateTimes(cron, 'UTC', new Date())
    const first = times.next().getTime()
    for (let count = 0, before = first; count < COMPARED_TIMES && before - first < COMPARED_MS; count++) {
      const at = times.next().getTime()
      if (at - before < MIN_INTERVAL_MS) return 'must leave at least 5 minutes between two runs'
      before = at
    }
    return null
  } catch (error) {
    return `is no time that comes: ${(error as Error).message}`
  }
}

/** Whether the runtime supports the time zone. */
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
