/** Maps offsets in a text to lines. */
export interface LineFinder {
  /** 1-based. */
  lineOf(offset: number): number
}

export function createLineFinder(text: string): LineFinder {
  let starts: number[] | null = null
  return {
    lineOf(offset) {
      starts ??= findLineStarts(text)
      return lineAt(starts, offset)
    },
  }
}

/** Returns the offsets at which lines begin. Call once if many lines are needed. */
export function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

export function lineAt(lineStarts: readonly number[], offset: number): number {
  let low = 0
  let high = lineStarts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((lineStarts[middle] as number) <= offset) low = middle
    else high = middle
  }
  return low + 1
}
