/** Replaces parts of a text and maps new lines to the original ones. */

export interface Part {
  start: number
  end: number
}

export interface Rewritten {
  text: string
  /** False if all lines have their original position. */
  isMoved: boolean
  /** Returns the 1-based original line. */
  lineOf(line: number): number
}

/** `parts` must be in order; a part stays unchanged if its replacement is null. */
export function rewrite<One extends Part>(
  source: string,
  parts: readonly One[],
  textOf: (part: One) => string | null,
): Rewritten {
  const pieces: string[] = []
  /** Original lines of the new ones; null as long as they are the same. */
  let origins: number[] | null = null
  let copied = 0
  let line = 1
  let rewrittenLine = 1
  const pass = (text: string) => {
    const count = lineBreaks(text)
    for (let i = 1; origins && i <= count; i++) origins.push(line + i)
    line += count
    rewrittenLine += count
  }
  for (const part of parts) {
    const text = textOf(part)
    if (text === null) continue
    const untouched = source.slice(copied, part.start)
    pass(untouched)
    const before = lineBreaks(source.slice(part.start, part.end))
    const now = lineBreaks(text)
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

function lineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
