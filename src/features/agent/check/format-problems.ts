/** Formats the problems of a site as lines for the model. */
import type { Problem } from '../../../base/errors/problem.ts'
import { fitLines } from '../loop/result-text.ts'

const LEVELS: Record<Problem['level'], number> = { error: 0, warning: 1, hint: 2 }
const LIST_BYTES = 12_000

/** Lists errors first, otherwise in the given order; problems beyond the limit are only counted. */
export function formatProblems(problems: readonly Problem[]): string {
  const sorted = [...problems].sort((a, b) => LEVELS[a.level] - LEVELS[b.level])
  const lines = sorted.map(
    ({ file, line, level, message, remedy }) =>
      `${file}${line === null ? '' : `:${line}`}: ${level}: ${message} ${remedy}`,
  )
  const shown = fitLines(lines, LIST_BYTES)
  if (shown.length < lines.length) shown.push(`(and ${lines.length - shown.length} more)`)
  return shown.join('\n')
}
