/** What a preview tells whoever opened it. */
import type { ProblemNews } from './problem-news.ts'

export type PreviewReport =
  /** A state is shown; `changed` is what changed since the last report of one, and empty for the first. */
  | { kind: 'shown'; changed: readonly string[]; milliseconds: number; pages: number }
  | ({ kind: 'problems' } & ProblemNews)
  /** Every page of the state was rendered. */
  | { kind: 'surveyed' }
  /** The folder cannot be read; what was shown stays. */
  | { kind: 'fault'; error: unknown }
