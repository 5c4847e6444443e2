/**
 * Finds the problems that a change caused. Lines move with every edit, so problems are compared by how often they
 * occur, regardless of their line.
 */
import type { Problem } from '../../../base/errors/problem.ts'
import { sortProblems } from '../../../site/problems.ts'
import type { FileChange } from '../publish/workspace.ts'

interface Change {
  changes: readonly FileChange[]
  hadSite: boolean
}

/**
 * Returns the problems of `after` that are not in `before`, without hints, ordered by file and line. A problem of a
 * deleted file that reappears in an added file is not new, because the page may have been moved. When the site could
 * not be loaded before, only problems in changed files count.
 */
export function findAddedProblems(
  problems: { before: readonly Problem[]; after: readonly Problem[] },
  { changes, hadSite }: Change,
): Problem[] {
  const kinds = new Map(changes.map(({ path, change }) => [path, change]))
  const old = new Map<string, number>()
  for (const problem of sortProblems(problems.before)) {
    const key = keyOf(problem, kinds.get(problem.file) === 'deleted')
    old.set(key, (old.get(key) ?? 0) + 1)
  }
  return sortProblems(problems.after).filter((problem) => {
    if (problem.level === 'hint' || (!hadSite && !kinds.has(problem.file))) return false
    return !decrementCount(old, keyOf(problem, kinds.get(problem.file) === 'added'))
  })
}

function keyOf({ file, code, message }: Problem, isMoving: boolean): string {
  return JSON.stringify([isMoving ? null : file, code, message])
}

function decrementCount(counts: Map<string, number>, key: string): boolean {
  const remaining = counts.get(key) ?? 0
  if (remaining > 0) counts.set(key, remaining - 1)
  return remaining > 0
}
