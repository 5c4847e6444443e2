/** Mistakes that need no rules of a project: doubled words, leftovers, JSON that is none. */
import type { Problem } from '../../../../base/errors/problem.ts'
import { lineAt, type ProseBlock } from './prose-text.ts'

/** Problems of one file at most. */
const MOST = 20

/** Words that stand twice in a row in right sentences of some language. */
const DOUBLED_RIGHTLY = new Set(
  'that had is nous vous sie die der das den ihr es si se ha bye no na ja so very really'.split(' '),
)
/** Notes for writers in capitals, as they are left in texts; these words are what is looked for, and no notes of ours. */
const LEFTOVER = /\b(?:TODO|FIXME|TBD)\b(?=[:\s(]|$)|\blorem ipsum\b/g
/** Marks of samples that leave out or explain something; their JSON is not meant to be parsed. */
const ABRIDGED = /\.\.\.|…|\/\/|\/\*|<[\w-]+>|\{\{/
const FENCE = /^\s{0,20}(`{3,}|~{3,})\s{0,4}(\S{0,40})/

export function lintProse(
  file: string,
  block: ProseBlock,
  { repetitions }: { repetitions: boolean },
): Problem[] {
  const { text } = block
  const doubled = repetitions
    ? [...text.matchAll(/(?<![\p{L}\p{N}'’-])(\p{L}{2,}) \1(?![\p{L}\p{N}'’-])/gu)].filter(
        ([, word = '']) => !DOUBLED_RIGHTLY.has(word.toLowerCase()),
      )
    : []
  return [
    ...doubled.map(({ 1: word, index }) => ({
      ...problemAt(file, lineAt(block, index), 'prose.doubled'),
      message: `“${word}” stands twice in a row.`,
      remedy: 'Take one of them out.',
    })),
    ...[...text.matchAll(LEFTOVER)].map(({ 0: word, index }) => ({
      ...problemAt(file, lineAt(block, index), 'prose.leftover'),
      message: `“${word}” is a note for writers, and readers would see it.`,
      remedy: 'Write what is missing, or take the note out. Put it into code where it is meant as a name.',
    })),
  ].slice(0, MOST)
}

/** Fences in `json` that cannot be parsed. Samples with an ellipsis, a comment or a placeholder, and lines of JSON, pass. */
export function lintJson(file: string, source: string): Problem[] {
  const found: Problem[] = []
  for (const { line, lines } of jsonFences(source)) {
    const body = lines.join('\n')
    if (ABRIDGED.test(body)) continue
    const fault = jsonFault(body)
    if (fault === null || lines.every((one) => one.trim() === '' || jsonFault(one) === null)) continue
    found.push({
      ...problemAt(file, line, 'code.json'),
      message: `The JSON in this block cannot be parsed: ${fault}.`,
      remedy: 'Correct it, or use `jsonc` or `text` when it is not meant to be whole JSON.',
    })
  }
  return found.slice(0, MOST)
}

/** With the line on which each begins. */
function* jsonFences(source: string): Generator<{ line: number; lines: string[] }> {
  let open: { mark: string; isJson: boolean; line: number; lines: string[] } | null = null
  for (const [index, text] of source.split('\n').entries()) {
    const [, mark = '', language = ''] = FENCE.exec(text) ?? []
    if (open === null) {
      if (mark !== '') open = { mark, isJson: /^json(?:\{|$)/.test(language), line: index + 1, lines: [] }
    } else if (mark.startsWith(open.mark) && language === '') {
      if (open.isJson) yield open
      open = null
    } else open.lines.push(text)
  }
}

function jsonFault(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return (error as Error).message.replace(/\s+/g, ' ').slice(0, 120)
  }
}

function problemAt(file: string, line: number | null, code: string) {
  return { file, line, code, level: 'warning' as const }
}
