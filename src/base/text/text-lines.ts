/** Lines of a text by offset. */
export interface LineFinder {
  /** 1-based. */
  lineOf(offset: number): number
}

/** Lines are counted only for a text in which one is asked for. */
export function createLineFinder(text: string): LineFinder {
  let starts: number[] | null = null
  return {
    lineOf(offset) {
      starts ??= lineStartsOf(text)
      return lineAt(starts, offset)
    },
  }
}

/** Offsets at which lines begin; built once for a text in which many lines are asked for. */
export function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** 1-based line of an offset. */
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
