/** Lines of a text by offset. */
import { lineAt, lineStartsOf } from './text.ts'

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
