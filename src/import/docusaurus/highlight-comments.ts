/** Converts `// highlight-next-line` and similar comments to line numbers, and removes them. */
import type { Line } from '../markdown/blocks.ts'

const COMMENT =
  /^(?:\/\/|#|--|<!--|\/\*|\{\/\*)[ \t]{0,20}highlight-(next-line|start|end)[ \t]{0,20}(?:-->|\*\/|\*\/\})?$/

/** Removes the comments from `code` and returns the numbers of the highlighted lines. */
export function extractHighlightComments(code: readonly Line[]): { code: Line[]; numbers: number[] } {
  const remaining: Line[] = []
  const numbers: number[] = []
  let isInside = false
  let isNext = false
  for (const line of code) {
    const kind = COMMENT.exec(line.text.trim())?.[1]
    if (kind === 'start' || kind === 'end') isInside = kind === 'start'
    else if (kind === 'next-line') isNext = true
    else {
      remaining.push(line)
      if (isInside || isNext) numbers.push(remaining.length)
      isNext = false
    }
  }
  return { code: remaining, numbers }
}
