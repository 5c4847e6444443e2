/** Results of tools are short: what is left out is named, with the way to see it. */

/** Bytes of one result. */
export const MAX_RESULT_BYTES = 16 << 10
/** What lists leave free for their first and last line. */
const LIST_BYTES = MAX_RESULT_BYTES - 1024

/** As many lines from the beginning as fit. */
export function fitLines(lines: Iterable<string>, bytes = LIST_BYTES): string[] {
  const fitting: string[] = []
  let left = bytes
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1
    if (left < 0) break
    fitting.push(line)
  }
  return fitting
}

/** The last guard, for a tool whose result grew all the same. */
export function boundResult(text: string): string {
  if (Buffer.byteLength(text) <= MAX_RESULT_BYTES) return text
  const note = '\n(The rest of the result is cut off. Ask for less at a time.)'
  const cut = Buffer.from(text).subarray(0, MAX_RESULT_BYTES - note.length)
  // A character that was cut in two becomes U+FFFD, which goes.
  return cut.toString('utf8').replace(/(?<!\ufffd)\ufffd+$/, '') + note
}

/** At most `most` characters around `from`, on one line. */
export function excerpt(line: string, from: number, most: number): string {
  if (line.length <= most) return line
  const start = Math.max(0, Math.min(from - Math.floor(most / 4), line.length - most))
  const cut = line.slice(start, start + most).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${cut}${start + most < line.length ? '…' : ''}`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
