const SURROGATE = /\\ud[89a-f]/i
const ESCAPE = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u[0-9a-f]{4}|[\s\S])/gi
const LONE = /^\\ud[89a-f][0-9a-f]{2}$/i

/**
 * JSON with U+FFFD for each half of a character, as a text that was cut within an emoji has it: no URL, no file and no
 * database can hold one. What was read as UTF-8 has halves in escapes alone.
 */
export function wellFormedJson(text: string): string {
  if (!SURROGATE.test(text)) return text
  return text.replace(ESCAPE, (written) => (LONE.test(written) ? '\\ufffd' : written))
}
