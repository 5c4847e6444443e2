/** Keeps tool results short. Omitted parts are mentioned, together with the way to read them. */

export const MAX_RESULT_BYTES = 16 << 10
/** Leaves room for the first and last line of a list. */
const LIST_BYTES = MAX_RESULT_BYTES - 1024

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

/** Returns a line that explains how to see the rest of a list, whose entries up to `end` are shown. */
export function formatMoreNote(end: number, total: number): string {
  return end < total ? `\n(There is more: call again with offset ${end}.)` : ''
}

/** Returns a part of a text, followed by an explanation of how to see the rest. */
export function sliceText(text: string, offset: number, characters: number): string {
  const shown = text.slice(offset, offset + characters)
  const end = offset + shown.length
  return end < text.length ? `${shown}\n(There is more: call again with offset ${end}.)` : shown
}

/** Last resort for a result that still exceeds the limit. */
export function truncateResult(text: string): string {
  if (Buffer.byteLength(text) <= MAX_RESULT_BYTES) return text
  const note = '\n(The rest of the result is cut off. Request less at once.)'
  const cut = Buffer.from(text).subarray(0, MAX_RESULT_BYTES - note.length)
  // Drops the U+FFFD of a character that was cut in two.
  return cut.toString('utf8').replace(/(?<!\ufffd)\ufffd+$/, '') + note
}

export function excerpt(line: string, from: number, most: number): string {
  if (line.length <= most) return line
  const start = Math.max(0, Math.min(from - Math.floor(most / 4), line.length - most))
  const cut = line.slice(start, start + most).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${cut}${start + most < line.length ? '…' : ''}`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
