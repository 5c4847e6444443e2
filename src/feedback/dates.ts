/** Moments as callers write them in filters. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
// In a query a plus sign that was not encoded arrives as a space.
const MOMENT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?(Z|[+\- ]\d{2}(?::?\d{2})?)?$/i

/**
 * Milliseconds since 1970, or null for a text that is no moment (`2026-02-30`). A date alone is its 00:00 UTC; a time
 * without an offset is UTC. Finer fractions are rounded up, which is exact for both bounds: entries are kept in whole
 * milliseconds, and none of them lies between a fraction and the next millisecond.
 */
export function readMoment(text: string): number | null {
  const date = DATE.exec(text)
  if (date) return utc(date[1], date[2], date[3], '0', '0', '0')
  const moment = MOMENT.exec(text)
  if (!moment) return null
  const [, year, month, day, hour, minute, second = '0', fraction = '0', offset = 'Z'] = moment
  const whole = utc(year, month, day, hour, minute, second)
  const shift = offsetMinutes(offset)
  if (whole === null || shift === null) return null
  return whole + Math.ceil(Number(`0.${fraction}`) * 1000) - shift * 60_000
}

/** Null when the calendar or the clock has no such moment. */
function utc(...fields: (string | undefined)[]): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields.map(Number)
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const isSame =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    date.getUTCHours() === hour &&
    date.getUTCMinutes() === minute &&
    date.getUTCSeconds() === second
  return isSame ? date.getTime() : null
}

function offsetMinutes(offset: string): number | null {
  if (/^z$/i.test(offset)) return 0
  const [, sign, hours, minutes = '0'] = /^(.)(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
