/** Which problems a change brought. Lines move with every edit, so problems are told apart without them, and counted. */
import type { Problem } from '../../../base/errors/problem.ts'
import { sortProblems } from '../../../site/problems.ts'
import type { FileChange } from '../publish/workspace.ts'

interface Change {
  changes: readonly FileChange[]
  /** Whether the site could be loaded before. */
  hadSite: boolean
}

/**
 * Problems of `after` beyond those of `before`, without hints, in the order of files and lines. What a deleted file had
 * may come back in an added one: moving a page brings nothing new. Where there was no site to compare with, only
 * changed files count.
 */
export function findNewOnes(
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
    return !takeOne(old, keyOf(problem, kinds.get(problem.file) === 'added'))
  })
}

function keyOf({ file, code, message }: Problem, isMoving: boolean): string {
  return JSON.stringify([isMoving ? null : file, code, message])
}

function takeOne(counts: Map<string, number>, key: string): boolean {
  const left = counts.get(key) ?? 0
  if (left > 0) counts.set(key, left - 1)
  return left > 0
}
