/**
 * What people name is one line: no mail, log, terminal, page or prompt that it later stands in reads it as more. Control
 * characters are refused, and those that turn the direction of what follows.
 */
/** For a class of characters in a pattern. */
export const REFUSED_IN_LINES = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069'

/** Of a schema. */
export const LINE_PATTERN = `^(?=\\s*\\S)[^${REFUSED_IN_LINES}]*$`

const LINE = new RegExp(LINE_PATTERN, 'u')
const CONTROLS = new RegExp(`[${REFUSED_IN_LINES}]+`, 'gu')

/** Something, and one line of it. */
export function isLine(text: string): boolean {
  return LINE.test(text)
}

/** A name that somebody else gives, such as a sign-in provider. */
export function toLine(text: string, most: number): string {
  return text.replace(CONTROLS, ' ').trim().slice(0, most)
}
