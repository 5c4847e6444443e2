/**
 * What people name is one line: no mail, log, terminal, page or prompt that it later stands in reads it as more. Control
 * characters are refused, and those that turn the direction of what follows.
 */
const REFUSED = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu
const LINE = /^(?=\s*\S)[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u

/** For a class of characters in a pattern. */
export const REFUSED_IN_LINES = REFUSED.source.slice(1, -1)

/** Of a schema. */
export const LINE_PATTERN = LINE.source

/** Something, and one line of it. */
export function isLine(text: string): boolean {
  return LINE.test(text)
}

/** A name that somebody else gives, such as a sign-in provider. */
export function toLine(text: string, most: number): string {
  return text.replace(REFUSED, ' ').replace(/\s+/g, ' ').trim().slice(0, most)
}
