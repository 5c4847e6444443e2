import { useEffect, useState } from 'preact/hooks'
import { language, plural, t } from '../words/words.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const TICK_MS = 20_000

const upcomingFormat = new Intl.RelativeTimeFormat(language)
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' })
const exact = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })
const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' })
const utcDayFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })

const tickListeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Rerenders periodically, together with all other times on the page. */
function useTick(): void {
  const [, tick] = useState(0)
  useEffect(() => {
    const rerender = () => tick((count) => count + 1)
    tickListeners.add(rerender)
    timer ??= setInterval(() => {
      for (const one of tickListeners) one()
    }, TICK_MS)
    return () => {
      tickListeners.delete(rerender)
      if (tickListeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
}

interface RelativeTimeProps {
  at: string
  class?: string
  /** Shows `5m`, `3h`, `2d`, for dense rows. */
  isShort?: boolean
}

/** Shows `now`, `5 min. ago`, `yesterday` or `3 Nov`, with the exact time on hover. */
export function RelativeTime({ at, class: className, isShort = false }: RelativeTimeProps) {
  useTick()
  return (
    <time dateTime={at} title={formatExactTime(at)} class={className}>
      {isShort ? formatShortRelativeTime(at) : formatRelativeTime(at)}
    </time>
  )
}

export function LastUsed({ at }: { at: string | null }) {
  return at === null ? (
    <span class="text-faint">{t('never')}</span>
  ) : (
    <RelativeTime at={at} class="text-soft" />
  )
}

export function formatExactTime(at: string): string {
  return exact.format(new Date(at))
}

/** Returns `3 Nov 2026` for a date of the API. */
export function formatUtcDay(date: string): string {
  return utcDayFormat.format(new Date(`${date}T00:00:00Z`))
}

export function formatRelativeTime(at: string, now: number = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000
  const size = Math.abs(seconds)
  if (size < MINUTE) return seconds <= 0 ? t('now') : t('in a moment')
  if (size < HOUR) return relative.format(Math.trunc(seconds / MINUTE), 'minute')
  if (size < DAY) return relative.format(Math.trunc(seconds / HOUR), 'hour')
  if (size < 14 * DAY) return relative.format(Math.trunc(seconds / DAY), 'day')
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return (isThisYear ? day : dayOfYear).format(new Date(at))
}

function formatShortRelativeTime(at: string): string {
  const seconds = (Date.now() - Date.parse(at)) / 1000
  if (seconds < MINUTE) return t('now')
  if (seconds < HOUR) return t('{minutes}m', { minutes: Math.floor(seconds / MINUTE) })
  if (seconds < DAY) return t('{hours}h', { hours: Math.floor(seconds / HOUR) })
  return seconds < 14 * DAY ? t('{days}d', { days: Math.floor(seconds / DAY) }) : formatRelativeTime(at)
}

/** Returns the time left, such as `3 days` or `2 hours`; at least one minute. */
export function formatDurationUntil(at: string, now: number = Date.now()): string {
  const seconds = Math.max(MINUTE, (Date.parse(at) - now) / 1000)
  if (seconds >= 2 * DAY) return plural(Math.round(seconds / DAY), '{count} day', '{count} days')
  if (seconds >= 2 * HOUR) return plural(Math.round(seconds / HOUR), '{count} hour', '{count} hours')
  return plural(Math.round(seconds / MINUTE), '{count} minute', '{count} minutes')
}

/** Returns the time until a future event, such as `in 3 days` or `in 2 hours`; at least one minute. */
export function formatTimeUntil(at: string, now: number = Date.now()): string {
  const seconds = Math.max(MINUTE, (Date.parse(at) - now) / 1000)
  if (seconds >= 2 * DAY) return upcomingFormat.format(Math.round(seconds / DAY), 'day')
  if (seconds >= 2 * HOUR) return upcomingFormat.format(Math.round(seconds / HOUR), 'hour')
  return upcomingFormat.format(Math.round(seconds / MINUTE), 'minute')
}

/** Returns `850 ms`, `12 s`, `3 min 20 s` or `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return t('{ms} ms', { ms: Math.round(ms) })
  const all = Math.round(ms / 1000)
  if (all < MINUTE) return t('{seconds} s', { seconds: all })
  const hours = Math.floor(all / HOUR)
  const minutes = Math.floor((all % HOUR) / MINUTE)
  const seconds = all % MINUTE
  if (hours > 0)
    return minutes === 0 ? t('{hours} h', { hours }) : t('{hours} h {minutes} min', { hours, minutes })
  return seconds === 0
    ? t('{minutes} min', { minutes })
    : t('{minutes} min {seconds} s', { minutes, seconds })
}
