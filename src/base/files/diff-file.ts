/** Line diff of a file, with changed words marked, and limits for hostile files. */
import { diffWordsWithSpace, structuredPatch } from 'diff'

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  /** Line numbers in both files; null in a file that does not contain the line. */
  before: number | null
  after: number | null
  parts: { text: string; isMarked: boolean }[]
}

export interface FileDiff {
  hunks: DiffLine[][]
  added: number
  removed: number
  /** Number of lines that are not in `hunks`, at the end of long files that are too different to compare. */
  hidden: number
}

const CONTEXT_LINES = 3
/** Maximum number of edits. Files with more edits have little in common, and comparing them takes seconds. */
const MAX_EDITS = 3000
const MAX_COMPARE_MS = 200
const MAX_REPLACED_LINES = 10_000
const MAX_PAIRS = 400
const MAX_WORDS_LENGTH = 2000
const MAX_WORD_EDITS = 120
/** Minimum similarity of two lines for which changed words are marked; below it, marks would be noise. */
const MIN_LINE_SIMILARITY = 0.35

/** Compares two files; null represents a missing file. */
export function diffFile(before: string | null, after: string | null): FileDiff {
  const hunks = compare(before ?? '', after ?? '')
  if (hunks === null) return createReplacementDiff(before ?? '', after ?? '')
  const lines = hunks.flat()
  const budget = { pairs: MAX_PAIRS }
  return {
    hunks: hunks.map((hunk) => markChangedWords(hunk, budget)),
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    hidden: 0,
  }
}

/** Returns the hunks of `diffFile` without marked words. */
export function plainDiff(before: string | null, after: string | null): DiffLine[][] {
  return compare(before ?? '', after ?? '') ?? createReplacementDiff(before ?? '', after ?? '').hunks
}

function compare(before: string, after: string): DiffLine[][] | null {
  const patch = structuredPatch('', '', before, after, '', '', {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDITS,
    timeout: MAX_COMPARE_MS,
  })
  if (patch === undefined) return null
  return patch.hunks.map(({ oldStart, newStart, lines }) => {
    let [old, young] = [oldStart, newStart]
    return lines.flatMap((line): DiffLine[] => {
      const parts = [{ text: line.slice(1), isMarked: false }]
      switch (line[0]) {
        case '-':
          return [{ kind: 'removed', before: old++, after: null, parts }]
        case '+':
          return [{ kind: 'added', before: null, after: young++, parts }]
        case ' ':
          return [{ kind: 'same', before: old++, after: young++, parts }]
        default:
          return [] // "No newline at end of file"
      }
    })
  })
}

function createReplacementDiff(before: string, after: string): FileDiff {
  const [old, young] = [firstLines(before), firstLines(after)]
  const hunk = [
    ...old.lines.map((text, index): DiffLine => {
      return { kind: 'removed', before: index + 1, after: null, parts: [{ text, isMarked: false }] }
    }),
    ...young.lines.map((text, index): DiffLine => {
      return { kind: 'added', before: null, after: index + 1, parts: [{ text, isMarked: false }] }
    }),
  ]
  const hidden = old.count - old.lines.length + young.count - young.lines.length
  return { hunks: [hunk], added: young.count, removed: old.count, hidden }
}

function firstLines(text: string): { lines: string[]; count: number } {
  const lines: string[] = []
  let count = 0
  for (let start = 0; start < text.length; count++) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    if (count < MAX_REPLACED_LINES) lines.push(text.slice(start, end))
    start = end + 1
  }
  return { lines, count }
}

/** Marks changed words. Pairs the nth removed line of a run with the nth added line after it. */
function markChangedWords(lines: readonly DiffLine[], budget: { pairs: number }): DiffLine[] {
  const marked = [...lines]
  for (let start = 0; start < lines.length; ) {
    const removed = runLength(lines, start, 'removed')
    const added = runLength(lines, start + removed, 'added')
    for (let index = 0; index < Math.min(removed, added) && budget.pairs-- > 0; index++) {
      const [old, young] = [start + index, start + removed + index]
      const pair = markChangedWordsInPair(marked[old] as DiffLine, marked[young] as DiffLine)
      if (pair === null) continue
      marked[old] = pair[0]
      marked[young] = pair[1]
    }
    start += Math.max(1, removed + added)
  }
  return marked
}

function runLength(lines: readonly DiffLine[], start: number, kind: DiffLine['kind']): number {
  let end = start
  while (lines[end]?.kind === kind) end++
  return end - start
}

function markChangedWordsInPair(removed: DiffLine, added: DiffLine): [DiffLine, DiffLine] | null {
  const [before, after] = [removed, added].map(({ parts }) => parts.map(({ text }) => text).join('')) as [
    string,
    string,
  ]
  if (Math.max(before.length, after.length) > MAX_WORDS_LENGTH) return null
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORD_EDITS })
  if (changes === undefined) return null
  const common = changes.filter((change) => !change.added && !change.removed).map(({ value }) => value)
  if (
    common.join('').trim().length <
    MIN_LINE_SIMILARITY * Math.max(before.trim().length, after.trim().length)
  )
    return null
  const side = (own: 'added' | 'removed', other: 'added' | 'removed') =>
    changes
      .filter((change) => !change[other])
      .map((change) => ({ text: change.value, isMarked: change[own] }))
  return [
    { ...removed, parts: side('removed', 'added') },
    { ...added, parts: side('added', 'removed') },
  ]
}
