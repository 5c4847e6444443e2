/**
 * A problem in content, represented as a value. One bad page never stops a site: code that finds a mistake records a
 * Problem and continues with the rest.
 */
export type ProblemLevel = 'error' | 'warning' | 'hint'

export interface Problem {
  /** Path below the docs folder, or `docs.json`. */
  file: string
  /** 1-based; null if the problem concerns the whole file. */
  line: number | null
  /** Stable dotted code: `link.missing`, `mdx.syntax`, `navigation.page_missing`. */
  code: string
  level: ProblemLevel
  /** One sentence that describes the problem. */
  message: string
  /** One sentence of advice. */
  remedy: string
}

export interface ShownProblem {
  path: string
  line: number | null
  code: string
  /** Message followed by the remedy. */
  message: string
  remedy: string
}

/** Problems with the same target are merged if they occur in more than this many locations. */
const FEW_PLACES = 3
/** Maximum number of locations that a merged message names. */
const MOST_PLACES = 10
const OF_A_TARGET: ReadonlySet<string> = new Set([
  'icon.unknown',
  'image.missing',
  'link.anchor_missing',
  'link.missing',
  'redirect.target_missing',
])

/** Merges problems with the same target into one that names its locations, at the position of the first. */
export function gatherProblems(problems: readonly Problem[]): Problem[] {
  const byText = new Map<unknown, Problem[]>()
  for (const problem of problems) {
    const key = OF_A_TARGET.has(problem.code) ? JSON.stringify([problem.code, problem.message]) : problem
    const same = byText.get(key)
    if (same) same.push(problem)
    else byText.set(key, [problem])
  }
  return [...byText.values()].flatMap((same) => {
    const [first, ...others] = same as [Problem, ...Problem[]]
    if (same.length <= FEW_PLACES) return same
    const places = others
      .slice(0, MOST_PLACES)
      .map(({ file, line }) => (line === null ? file : `${file}:${line}`))
    const rest = others.length > MOST_PLACES ? ' …' : '.'
    const message = `${first.message} So in ${others.length} more places: ${places.join(', ')}${rest}`
    return [{ ...first, message }]
  })
}

/** Returns problems as shown by the API: without hints, errors first. */
export function toWarnings(problems: readonly Problem[]): ShownProblem[] {
  const shown = gatherProblems(problems).filter((problem) => problem.level !== 'hint')
  return [
    ...shown.filter((problem) => problem.level === 'error'),
    ...shown.filter((p) => p.level !== 'error'),
  ].map(({ file, line, code, message, remedy }) => ({
    ...{ path: file, line, code, remedy },
    message: `${message} ${remedy}`,
  }))
}

/** Maximum number of problems. A site with more repeats the same mistake many times. */
const MOST_PROBLEMS = 20_000
/** Maximum characters of a sentence, which may quote the author's text, and of all sentences together. */
const MOST_IN_SENTENCE = 4000
const MOST_IN_ALL = 4_000_000

/** Limits a list of problems. Errors and warnings take precedence; a final entry tells how many were left out. */
export function boundProblems(problems: readonly Problem[]): Problem[] {
  const kept = new Set<Problem>()
  let room = MOST_IN_ALL
  const levels: readonly ProblemLevel[] = ['error', 'warning', 'hint']
  for (const problem of levels.flatMap((level) => problems.filter((one) => one.level === level))) {
    room -= Math.min(MOST_IN_SENTENCE, problem.message.length) + problem.remedy.length + problem.file.length
    if (kept.size === MOST_PROBLEMS || room < 0) break
    kept.add(problem)
  }
  const bounded = problems
    .filter((problem) => kept.has(problem))
    .map((problem) => ({ ...problem, message: problem.message.slice(0, MOST_IN_SENTENCE) }))
  if (kept.size === problems.length) return bounded
  const left = problems.length - kept.size
  return [...bounded, { ...LEFT_OUT, message: `${left} further problems of this site are not listed.` }]
}

const LEFT_OUT = {
  file: 'docs.json',
  line: null,
  code: 'problems.left_out',
  level: 'warning',
  remedy: 'Mend those that are listed: the next version lists others.',
} as const
