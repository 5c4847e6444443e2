/** Reads the requested delay from the headers or body of a provider's response. */

const UNIT_MS: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** Returns the delay in seconds, at least 0, or null if there is none. `body` is the text of the response. */
export function readRetryAfter(headers: Headers, body: string, now = Date.now()): number | null {
  return (
    positive(headers.get('retry-after-ms'), 0.001) ??
    positive(headers.get('retry-after'), 1) ??
    secondsUntilDate(headers.get('retry-after'), now) ??
    parseDuration(/"retryDelay"\s*:\s*"([\d.]+s)"/.exec(body)?.[1]) ??
    parseDuration(/(?:try again|retry) in ((?:[\d.]+ ?(?:ms|[hms])(?:econds?|inutes?)? ?)+)/i.exec(body)?.[1])
  )
}

function positive(text: string | null, unit: number): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * unit : null
}

function secondsUntilDate(text: string | null, now: number): number | null {
  const at = text === null || !/[a-z]/i.test(text) ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1000)
}

/** Parses durations such as `1m30.5s` and `350ms`. */
function parseDuration(text: string | undefined): number | null {
  const parts = [...(text ?? '').matchAll(/(\d{1,12}(?:\.\d{1,12})?) ?(ms|[hms])/g)]
  if (parts.length === 0) return null
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNIT_MS[unit ?? ''] ?? 0), 0)
  return ms / 1000
}
