/** Finds mistakes that need no project rules: repeated words, leftover notes, invalid JSON. */
import type { Problem } from '../../../../base/errors/problem.ts'
import { lineAt, type ProseBlock } from './prose-text.ts'

const MOST = 20

/** Words that are legitimately repeated in some language. */
const ALLOWED_REPETITIONS = new Set(
  'that had is nous vous sie die der das den ihr es si se ha bye no na ja so very really'.split(' '),
)
/** Matches notes that authors left in their pages. The words below are this pattern, not notes in this file. */
const LEFTOVER_NOTE = /\b(?:TODO|FIXME|TBD)\b(?=[:\s(]|$)|\blorem ipsum\b/g
/** Matches samples with omissions or explanations, whose JSON is not meant to be parsed. */
const ABRIDGED_SAMPLE = /\.\.\.|…|\/\/|\/\*|<[\w-]+>|\{\{/
const FENCE = /^\s{0,20}(`{3,}|~{3,})\s{0,4}(\S{0,40})/

export function lintProse(
  file: string,
  block: ProseBlock,
  { repetitions }: { repetitions: boolean },
): Problem[] {
  const { text } = block
  const doubled = repetitions
    ? [...text.matchAll(/(?<![\p{L}\p{N}'’-])(\p{L}{2,}) \1(?![\p{L}\p{N}'’-])/gu)].filter(
        ([, word = '']) => !ALLOWED_REPETITIONS.has(word.toLowerCase()),
      )
    : []
  return [
    ...doubled.map(({ 1: word, index }) => ({
      ...problemAt(file, lineAt(block, index), 'prose.doubled'),
      message: `“${word}” is repeated.`,
      remedy: 'Remove one of them.',
    })),
    ...[...text.matchAll(LEFTOVER_NOTE)].map(({ 0: word, index }) => ({
      ...problemAt(file, lineAt(block, index), 'prose.leftover'),
      message: `“${word}” is a note for writers, and would be published.`,
      remedy: 'Write the missing text, or remove the note. Format it as code if it is a name.',
    })),
  ].slice(0, MOST)
}

/**
 * Reports `json` code blocks that cannot be parsed. Accepts samples with an ellipsis, a comment or a
 * placeholder, and JSON lines.
 */
export function lintJson(file: string, source: string): Problem[] {
  const found: Problem[] = []
  for (const { line, lines } of jsonFences(source)) {
    const body = lines.join('\n')
    if (ABRIDGED_SAMPLE.test(body)) continue
    const fault = jsonFault(body)
    if (fault === null || lines.every((one) => one.trim() === '' || jsonFault(one) === null)) continue
    found.push({
      ...problemAt(file, line, 'code.json'),
      message: `The JSON in this block cannot be parsed: ${fault}.`,
      remedy: 'Correct it, or use `jsonc` or `text` if it is not meant to be complete JSON.',
    })
  }
  return found.slice(0, MOST)
}

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
