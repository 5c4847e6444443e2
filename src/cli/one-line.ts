/** Reduces untrusted text from readers and models to one line without terminal control characters. */
export function oneLine(text: string, length = 60): string {
  const line = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()
  return line.length > length ? `${line.slice(0, length - 1)}…` : line
}
