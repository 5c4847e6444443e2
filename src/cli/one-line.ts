/** Of one line, without what a terminal would obey: readers and models write what they like. */
export function oneLine(text: string, length = 60): string {
  const line = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
