/**
 * Statements that nearly every request asks: each connection parses and plans them once, under a name, which is most of
 * what they cost. Only texts that never change, or have few forms, belong here: PostgreSQL keeps each one for as long as
 * the connection is open.
 */

/** Of one process. */
const MOST_TEXTS = 100

const names = new Map<string, string>()
const forgotten = new Set<string>()

/** The same text, which has a name from now on, unless there are too many. */
export function prepared(text: string): string {
  if (names.has(text) || forgotten.has(text) || names.size + forgotten.size >= MOST_TEXTS) return text
  names.set(text, `octavo_${names.size + forgotten.size}`)
  return text
}

/** It is parsed each time from now on. */
export function forgetPrepared(text: string): void {
  names.delete(text)
  forgotten.add(text)
}

/** Undefined for a text that is parsed each time. */
export function nameOfPrepared(text: string): string | undefined {
  return names.get(text)
}
