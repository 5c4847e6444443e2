/** Replaces parts of a text, and maps lines to the original ones. */

export interface Part {
  start: number
  end: number
}

export interface RewrittenSource {
  text: string
  /** Whether any line has a different number. */
  isMoved: boolean
  /** Returns the original line, starting at 1. */
  lineOf(line: number): number
}

/** `parts` must be in order. A part is unchanged if `textOf` returns null for it. */
export function rewrite<One extends Part>(
  source: string,
  parts: readonly One[],
  textOf: (part: One) => string | null,
): RewrittenSource {
  const pieces: string[] = []
  /** Original line for each new line; null if all are equal. */
  let origins: number[] | null = null
  let copied = 0
  let line = 1
  let rewrittenLine = 1
  const pass = (text: string) => {
    const count = countNewlines(text)
    for (let i = 1; origins && i <= count; i++) origins.push(line + i)
    line += count
    rewrittenLine += count
  }
  for (const part of parts) {
    const text = textOf(part)
    if (text === null) continue
    const untouched = source.slice(copied, part.start)
    pass(untouched)
    const before = countNewlines(source.slice(part.start, part.end))
    const now = countNewlines(text)
    if (before !== now) origins ??= Array.from({ length: rewrittenLine }, (_, index) => index + 1)
    for (let i = 1; origins && i <= now; i++) origins.push(line + Math.min(i, before))
    line += before
    rewrittenLine += now
    pieces.push(untouched, text)
    copied = part.end
  }
  const rest = source.slice(copied)
  pass(rest)
  pieces.push(rest)
  const lines = origins
  return {
    text: pieces.join(''),
    isMoved: lines !== null,
    lineOf: (requestedLine) => lines?.[requestedLine - 1] ?? requestedLine,
  }
}

function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
