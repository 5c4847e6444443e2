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
  message: string
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

const MERGE_THRESHOLD = 3
const MAX_LISTED_LOCATIONS = 10
const MERGEABLE_CODES: ReadonlySet<string> = new Set([
  'icon.unknown',
  'image.missing',
  'link.anchor_missing',
  'link.missing',
  'redirect.target_missing',
])

/** Merges problems with the same target into one problem at the position of the first, which lists the locations. */
export function mergeProblems(problems: readonly Problem[]): Problem[] {
  const byText = new Map<unknown, Problem[]>()
  for (const problem of problems) {
    const key = MERGEABLE_CODES.has(problem.code) ? JSON.stringify([problem.code, problem.message]) : problem
    const group = byText.get(key)
    if (group) group.push(problem)
    else byText.set(key, [problem])
  }
  return [...byText.values()].flatMap((group) => {
    const [first, ...others] = group as [Problem, ...Problem[]]
    if (group.length <= MERGE_THRESHOLD) return group
    const locations = others
      .slice(0, MAX_LISTED_LOCATIONS)
      .map(({ file, line }) => (line === null ? file : `${file}:${line}`))
    const rest = others.length > MAX_LISTED_LOCATIONS ? ' …' : '.'
    const message = `${first.message} Also in ${others.length} other locations: ${locations.join(', ')}${rest}`
    return [{ ...first, message }]
  })
}

/** Returns problems in the form of the API: without hints, errors first. */
export function toWarnings(problems: readonly Problem[]): ShownProblem[] {
  const shown = mergeProblems(problems).filter((problem) => problem.level !== 'hint')
  return [
    ...shown.filter((problem) => problem.level === 'error'),
    ...shown.filter((p) => p.level !== 'error'),
  ].map(({ file, line, code, message, remedy }) => ({
    ...{ path: file, line, code, remedy },
    message: `${message} ${remedy}`,
  }))
}

/** Maximum number of problems. A site that exceeds it repeats the same mistake many times. */
const MAX_PROBLEMS = 20_000
/** Maximum characters per message, which may quote the author's text, and in total. */
const MAX_MESSAGE_CHARACTERS = 4000
const MAX_TOTAL_CHARACTERS = 4_000_000

/** Limits a list of problems. Errors and warnings take precedence; a final entry counts those left out. */
export function limitProblems(problems: readonly Problem[]): Problem[] {
  const retained = new Set<Problem>()
  let remainingCharacters = MAX_TOTAL_CHARACTERS
  const levels: readonly ProblemLevel[] = ['error', 'warning', 'hint']
  for (const problem of levels.flatMap((level) => problems.filter((one) => one.level === level))) {
    remainingCharacters -=
      Math.min(MAX_MESSAGE_CHARACTERS, problem.message.length) + problem.remedy.length + problem.file.length
    if (retained.size === MAX_PROBLEMS || remainingCharacters < 0) break
    retained.add(problem)
  }
  const bounded = problems
    .filter((problem) => retained.has(problem))
    .map((problem) => ({ ...problem, message: problem.message.slice(0, MAX_MESSAGE_CHARACTERS) }))
  if (retained.size === problems.length) return bounded
  const omittedCount = problems.length - retained.size
  return [
    ...bounded,
    { ...TRUNCATION_PROBLEM, message: `${omittedCount} more problems with this site are not listed.` },
  ]
}

const TRUNCATION_PROBLEM = {
  file: 'docs.json',
  line: null,
  code: 'problems.left_out',
  level: 'warning',
  remedy: 'Fix the listed problems first. The next version then lists more of them.',
} as const
