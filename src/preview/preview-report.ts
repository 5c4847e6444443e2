/** Events that a preview reports to its caller. */
import type { ProblemChanges } from './problem-tracker.ts'

export type PreviewReport =
  /** A state is shown; `changed` holds the changes since the last report of one, and is empty for the first. */
  | { kind: 'shown'; changed: readonly string[]; milliseconds: number; pages: number }
  | ({ kind: 'problems' } & ProblemChanges)
  /** All pages of the state were rendered. */
  | { kind: 'surveyed' }
  /** The folder cannot be read; the last state remains visible. */
  | { kind: 'fault'; error: unknown }
