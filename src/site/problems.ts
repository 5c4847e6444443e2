/** Collects the problems of a site in one list, sorted and without duplicates. */
import { PermanentError } from '../base/errors/permanent-error.ts'
import type { Problem, ProblemLevel } from '../base/errors/problem.ts'

export class SiteUnloadableError extends PermanentError {
  override name = 'SiteUnloadableError'
  override readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[]) {
    const worst = problems.find((problem) => problem.level === 'error') ?? problems[0]
    super('site_invalid', worst ? `${worst.file}: ${worst.message}` : 'the site cannot be loaded')
    this.problems = problems
  }
}

const LEVELS: Record<ProblemLevel, number> = { error: 0, warning: 1, hint: 2 }

/** Sorts by file, line, level and code, and removes exact duplicates, so that the same site gives the same list. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const unique = new Map<string, Problem>()
  for (const problem of problems) {
    unique.set(`${problem.file}\n${problem.line}\n${problem.code}\n${problem.message}`, problem)
  }
  return [...unique.values()].sort(
    (a, b) =>
      compareText(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      LEVELS[a.level] - LEVELS[b.level] ||
      compareText(a.code, b.code) ||
      compareText(a.message, b.message),
  )
}

/** Compares by code unit, independent of the machine's locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Quotes author text in a message: on one line and shortened. */
export function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `“${line.length > 80 ? `${line.slice(0, 77)}…` : line}”`
}
