const SURROGATE = /\\ud[89a-f]/i
const ESCAPE = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u[0-9a-f]{4}|[\s\S])/gi
const LONE_SURROGATE = /^\\ud[89a-f][0-9a-f]{2}$/i

/**
 * Replaces lone surrogates in JSON with U+FFFD. They result from cutting a text within an emoji, and cannot be stored
 * in URLs, files or databases. JSON decoded from UTF-8 contains them only as escapes.
 */
export function wellFormedJson(text: string): string {
  if (!SURROGATE.test(text)) return text
  return text.replace(ESCAPE, (written) => (LONE_SURROGATE.test(written) ? '\\ufffd' : written))
}
