/** Keeps tool results short: omitted parts are mentioned together with the way to see them. */

/** Maximum size of one result, in bytes. */
export const MAX_RESULT_BYTES = 16 << 10
/** Leaves room for the first and last line of a list. */
const LIST_BYTES = MAX_RESULT_BYTES - 1024

/** Returns as many lines from the start as fit. */
export function fitLines(lines: Iterable<string>, bytes = LIST_BYTES): string[] {
  const fitting: string[] = []
  let remaining = bytes
  for (const line of lines) {
    remaining -= Buffer.byteLength(line) + 1
    if (remaining < 0) break
    fitting.push(line)
  }
  return fitting
}

/** Last resort for a result that still exceeds the limit. */
export function boundResult(text: string): string {
  if (Buffer.byteLength(text) <= MAX_RESULT_BYTES) return text
  const note = '\n(The rest of the result is cut off. Ask for less at a time.)'
  const cut = Buffer.from(text).subarray(0, MAX_RESULT_BYTES - note.length)
  // Drops the U+FFFD of a character that was cut in two.
  return cut.toString('utf8').replace(/(?<!\ufffd)\ufffd+$/, '') + note
}

/** Returns at most `most` characters around `from`, on one line. */
export function excerpt(line: string, from: number, most: number): string {
  if (line.length <= most) return line
  const start = Math.max(0, Math.min(from - Math.floor(most / 4), line.length - most))
  const cut = line.slice(start, start + most).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${cut}${start + most < line.length ? '…' : ''}`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
