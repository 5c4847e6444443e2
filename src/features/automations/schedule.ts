/**
 * When a schedule comes round: by the wall clocks of its time zone, whatever they are set to there. Times that passed while
 * no server looked are one run: watch.ts asks for the next time after now.
 */

import { WEEKDAYS } from '../../base/api/form-choices.ts'
import type { Schedule } from './operations/automation-triggers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
/** A day that has no such hour, since clocks are set forward in it, has one right after. */
const MOST_DAYS = 9

/** The first moment after `after`. */
export function nextTime(schedule: Schedule, after: Date): Date {
  const { every, hour = 9, minute = 0, weekday = 'monday', timeZone = 'UTC' } = schedule
  const local = wallClock(timeZone, after)
  if (every === 'hour') {
    const start = after.getTime() - (((local.minute - minute + 60) % 60) * 60 + local.second) * 1000
    const first = Math.floor(start / 1000) * 1000
    return new Date(first > after.getTime() ? first : first + HOUR_MS)
  }
  const wanted = WEEKDAYS.indexOf(weekday)
  for (let days = 0; days <= MOST_DAYS; days++) {
    const day = new Date(Date.UTC(local.year, local.month - 1, local.day) + days * DAY_MS)
    if (every === 'week' && (day.getUTCDay() + 6) % 7 !== wanted) continue
    const moment = momentOf(timeZone, day.getTime() + (hour * 60 + minute) * 60_000)
    if (moment > after.getTime()) return new Date(moment)
  }
  throw new Error('a week has every weekday')
}

/** Whether this runtime knows the time zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** `wall`: what the clocks there show, as if it were UTC. What they show twice is the first of the two. */
function momentOf(timeZone: string, wall: number): number {
  const guesses = [wall - offsetAt(timeZone, wall - DAY_MS), wall - offsetAt(timeZone, wall + DAY_MS)]
  const right = guesses.filter((guess) => guess + offsetAt(timeZone, guess) === wall)
  return right.length > 0 ? Math.min(...right) : Math.max(...guesses)
}

/** Milliseconds that the clocks there are ahead of UTC. */
function offsetAt(timeZone: string, at: number): number {
  const { year, month, day, hour, minute, second } = wallClock(timeZone, new Date(at))
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
}

function wallClock(timeZone: string, at: Date) {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const read = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value ?? 0)
  return {
    year: read('year'),
    month: read('month'),
    day: read('day'),
    hour: read('hour'),
    minute: read('minute'),
    second: read('second'),
  }
}
