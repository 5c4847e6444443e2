/** Collects the problems of a render, without duplicates, sorted by file and line. */
import type { Problem } from '../../base/errors/problem.ts'
import { compareCodeUnits } from '../versions/output-names.ts'

/** Removes duplicates, because problems of a snippet are reported for every page that uses it. */
export function gatherProblems(lists: readonly (readonly Problem[])[]): Problem[] {
  const uniqueProblems = new Map<string, Problem>()
  for (const problem of lists.flat()) {
    uniqueProblems.set(JSON.stringify([problem.file, problem.line, problem.code, problem.message]), problem)
  }
  return [...uniqueProblems.values()].sort(
    (a, b) =>
      compareCodeUnits(a.file, b.file) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      compareCodeUnits(a.code, b.code) ||
      compareCodeUnits(a.message, b.message),
  )
}

export function externalServiceProblem(name: string): Problem {
  return {
    file: 'docs.json',
    line: null,
    code: 'integration.unsupported',
    level: 'hint',
    message: `The settings of ${JSON.stringify(name)} have no effect because no page loads its script.`,
    remedy: 'Load the script from a .js file in the docs folder.',
  }
}
