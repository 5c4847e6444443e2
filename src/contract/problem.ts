/**
 * A mistake in content, as a value. One bad page never stops a site: whoever finds a mistake records a Problem and
 * goes on with what is left.
 */
export type ProblemLevel = 'error' | 'warning' | 'hint'

export interface Problem {
  /** Path below the docs folder, or `docs.json`. */
  file: string
  /** 1-based; null when the problem belongs to the file as a whole. */
  line: number | null
  /** Stable, dotted: `link.missing`, `mdx.syntax`, `navigation.page_missing`. */
  code: string
  level: ProblemLevel
  /** What is wrong, one sentence. */
  message: string
  /** What to do, one sentence. */
  remedy: string
}

/** Problems as the API shows them, without hints; errors first. */
export function toWarnings(
  problems: readonly Problem[],
): { path: string; line: number | null; message: string }[] {
  const shown = problems.filter((problem) => problem.level !== 'hint')
  return [
    ...shown.filter((problem) => problem.level === 'error'),
    ...shown.filter((p) => p.level !== 'error'),
  ].map(({ file, line, message, remedy }) => ({ path: file, line, message: `${message} ${remedy}` }))
}
