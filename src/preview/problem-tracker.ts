/** Compares the current problems with the problems of the previous state. */
import type { Problem } from '../base/errors/problem.ts'

export interface ProblemChanges {
  fresh: Problem[]
  /** Number of problems that disappeared. */
  solved: number
}

/** Returns a function that compares problems with the previous call. Line numbers are ignored. */
export function createProblemTracker(): (problems: readonly Problem[]) => ProblemChanges {
  let known = new Map<string, Problem[]>()
  return (problems) => {
    const now = Map.groupBy(problems, ({ file, code, message }) => JSON.stringify([file, code, message]))
    const fresh = [...now].flatMap(([key, list]) => list.slice(known.get(key)?.length ?? 0))
    const solved = [...known].reduce(
      (sum, [key, list]) => sum + Math.max(0, list.length - (now.get(key)?.length ?? 0)),
      0,
    )
    known = now
    return { fresh, solved }
  }
}
