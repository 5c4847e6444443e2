/**
 * Validation of single-line texts. Names must remain one line wherever they are inserted: mail, logs, terminals,
 * pages, prompts. Control characters are rejected, as are characters that change the writing direction.
 */
const DISALLOWED_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu
const LINE = /^(?=\s*\S)[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u

export const DISALLOWED_IN_LINES = DISALLOWED_CHARACTERS.source.slice(1, -1)

export const LINE_PATTERN = LINE.source

export function isLine(text: string): boolean {
  return LINE.test(text)
}

/** Turns an external name, for example from a sign-in provider, into one line. */
export function toLine(text: string, maxLength: number): string {
  return text.replace(DISALLOWED_CHARACTERS, ' ').replace(/\s+/g, ' ').trim().slice(0, maxLength)
}
