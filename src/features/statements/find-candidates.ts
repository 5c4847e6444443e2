/**
 * Finds lines of code that a model can link with statements that no name links. Such a line assigns a value of the
 * statement to a name that shares a word with it.
 */
import { EXAMPLE_PHRASE_PATTERN } from './find-alarms.ts'
import { wordsOf } from './names.ts'
import type { Statement } from './read-page.ts'
import { type CodeFile, listCurrent, type PageStatements } from './statement-map.ts'

export interface Candidate {
  name: string
  file: string
  line: number
}

export interface Unlinked {
  page: string
  statement: Statement
  candidates: Candidate[]
}

const MAX_CANDIDATES = 5
const MAX_LINES_OF_WORD = 50
/** Later ones in the order of the pages are not asked about. */
const MAX_UNLINKED = 5000

export function findCandidates(
  pages: readonly PageStatements[],
  code: readonly CodeFile[],
  isLinked: (page: string, text: string) => boolean,
): Unlinked[] {
  const unlinked = listCurrent(pages).filter(
    ({ page, statement }) => isAssertion(statement) && !isLinked(page, statement.text),
  )
  const wanted = new Set(unlinked.flatMap(({ statement }) => statement.values))
  const index = new Map<string, Candidate[]>()
  for (const { file, facts } of code)
    for (const { name, line, kind, value } of facts.facts) {
      if (kind === 'use' || value === undefined || !wanted.has(value)) continue
      const candidate = { name, file, line }
      for (const key of keysOf(name, [value])) {
        const found = index.get(key) ?? []
        if (found.length < MAX_LINES_OF_WORD) index.set(key, [...found, candidate])
      }
    }
  return unlinked
    .flatMap(({ page, statement }) => {
      const shared = new Map<Candidate, number>()
      for (const key of keysOf(statement.text, statement.values))
        for (const one of index.get(key) ?? []) shared.set(one, (shared.get(one) ?? 0) + 1)
      const best = [...shared].sort(([, a], [, b]) => b - a).slice(0, MAX_CANDIDATES)
      return best.length === 0 ? [] : [{ page, statement, candidates: best.map(([one]) => one) }]
    })
    .slice(0, MAX_UNLINKED)
}

function isAssertion({ kind, text, values }: Statement): boolean {
  return (kind === 'sentence' || kind === 'row') && values.length > 0 && !EXAMPLE_PHRASE_PATTERN.test(text)
}

/** The beginnings of words, so that `maxRetries` and “retried” share one. */
function keysOf(text: string, values: readonly string[]): Set<string> {
  const words = wordsOf(text).filter(
    (word) => /^[a-z]{3}/.test(word) && !/^(?:default|max|min|the)/.test(word),
  )
  return new Set(values.flatMap((value) => words.map((word) => `${value} ${word.slice(0, 5)}`)))
}
