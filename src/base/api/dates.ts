/** Parses dates and times in filters. */

/**
 * Patterns of a calendar date, an ordinal date or a week date, and of a time, each with or without
 * separators. A plus sign that was not encoded in a query arrives as a space.
 */
const FORMS = [
  {
    day: /^(?<year>\d{4})-(?:(?<month>\d{2})-(?<day>\d{2})|(?<dayOfYear>\d{3})|W(?<week>\d{2})-(?<weekday>[1-7]))$/i,
    time: /^(?<hour>\d{2})(?::(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d{1,12}))?)?)?(?<offset>Z|[+\- ]\d{2}(?::?\d{2})?)?$/i,
  },
  {
    day: /^(?<year>\d{4})(?:(?<month>\d{2})(?<day>\d{2})|(?<dayOfYear>\d{3})|W(?<week>\d{2})(?<weekday>[1-7]))$/i,
    time: /^(?<hour>\d{2})(?:(?<minute>\d{2})(?:(?<second>\d{2})(?:[.,](?<fraction>\d{1,12}))?)?)?(?<offset>Z|[+\- ]\d{2}(?::?\d{2})?)?$/i,
  },
] as const

type Fields = NodeJS.Dict<string>

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Returns milliseconds since 1970, or null for a text that is not a valid time (`2026-02-30`). Accepts every complete
 * ISO 8601 form with a four-digit year. A date alone is 00:00 UTC; a time without an offset is UTC; 24:00 is 00:00 of
 * the next day. Fractions of a millisecond are rounded up, which is exact for lower and upper bounds: entries have
 * whole milliseconds, so there is no entry between a fraction and the next millisecond.
 */
export function readMoment(text: string): number | null {
  const [dayText = '', timeText = '00', ...more] = text.split(/t/i)
  if (more.length > 0) return null
  for (const form of FORMS) {
    const day = startOfDay(form.day.exec(dayText)?.groups)
    const time = timeToMilliseconds(form.time.exec(timeText)?.groups)
    if (day !== null && time !== null) return day + time
  }
  return null
}

function startOfDay(found: Fields | undefined): number | null {
  if (found === undefined) return null
  const { year, month, day, dayOfYear, week, weekday } = found
  if (week !== undefined) return isoWeekDateToMilliseconds(Number(year), Number(week), Number(weekday))
  // A day number above 31 in January continues into the following months.
  const date = makeDate(Number(year), Number(month ?? 1), Number(day ?? dayOfYear))
  const isThere =
    dayOfYear === undefined
      ? date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
      : Number(dayOfYear) > 0 && date.getUTCFullYear() === Number(year)
  return isThere ? date.getTime() : null
}

/** Converts an ISO week date. The first week of a year contains 4 January; weeks begin on Monday. */
function isoWeekDateToMilliseconds(year: number, week: number, weekday: number): number | null {
  const firstMonday = (of: number) => {
    const fourth = makeDate(of, 1, 4)
    return fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS
  }
  const monday = firstMonday(year) + (week - 1) * 7 * DAY_MS
  if (week === 0 || monday >= firstMonday(year + 1)) return null
  return monday + (weekday - 1) * DAY_MS
}

function makeDate(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

function timeToMilliseconds(found: Fields | undefined): number | null {
  if (found === undefined) return null
  const { hour, minute = '0', second = '0', fraction = '0', offset = 'Z' } = found
  const shift = parseOffsetMinutes(offset)
  if (shift === null || Number(minute) > 59 || Number(second) > 59) return null
  const minutes = Number(hour) * 60 + Number(minute)
  const time = minutes * MINUTE_MS + Number(second) * 1000 + Math.ceil(Number(`0.${fraction}`) * 1000)
  const isThere = Number(hour) < 24 || time === DAY_MS
  return isThere ? time - shift * MINUTE_MS : null
}

function parseOffsetMinutes(offset: string): number | null {
  if (/^z$/i.test(offset)) return 0
  const [, sign, hours, minutes = '0'] = /^(.)(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
