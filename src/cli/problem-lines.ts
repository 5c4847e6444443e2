/** Formats problems as text, sorted by file and line, each with its remedy. */
import { mergeProblems, type Problem } from '../base/errors/problem.ts'
import { counted } from './progress-line.ts'

const SHOWN = 200

export function formatProblemLines(problems: readonly Problem[]): string[] {
  const gathered = sortProblems(mergeProblems(problems))
  const lines = gathered
    .slice(0, SHOWN)
    .flatMap((problem) => [
      `${problem.file}${problem.line === null ? '' : `:${problem.line}`}  ${problem.level}  ${problem.code}`,
      `    ${problem.message}`,
      `    ${problem.remedy}`,
    ])
  if (gathered.length > SHOWN) lines.push(`… and ${gathered.length - SHOWN} more; --json prints all.`)
  return lines
}

export function sortProblems(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0),
  )
}

export function countProblems(problems: readonly Problem[]): string {
  const gathered = mergeProblems(problems)
  const count = (level: Problem['level']) => gathered.filter((problem) => problem.level === level).length
  const parts = (['error', 'warning', 'hint'] as const)
    .map((level) => [count(level), level] as const)
    .filter(([number]) => number > 0)
    .map(([number, level]) => counted(number, level))
  return parts.length === 0 ? 'no problems' : parts.join(', ')
}
