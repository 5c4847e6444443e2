/** Number formatting for the current language. */
import { language } from '../words/words.ts'

const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
const oneDigitFormat = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 })

/** Returns `12,480`. */
export function formatCount(value: number): string {
  return whole.format(value)
}

const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 2 })

/** Returns `12,480` or, for large numbers, `12.77M`; put the exact value into the title. */
export function formatShortCount(value: number): string {
  return value < 1_000_000 ? formatCount(value) : compact.format(value)
}

/** Returns `84%` for a fraction between 0 and 1. */
export function formatPercent(value: number): string {
  return percent.format(value)
}

/** Returns `4.2 MB`, in powers of 1000. */
export function formatBytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3))
  const scaled = value / 1000 ** step
  return `${(scaled >= 100 || step === 0 ? whole : oneDigitFormat).format(scaled)} ${units[step]}`
}
