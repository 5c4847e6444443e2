/** Events that a preview reports to its caller. */
import type { ProblemChanges } from './problem-tracker.ts'

export type PreviewReport =
  /** A state is shown. `changed` lists changes since the last report; empty for the first one. */
  | { kind: 'shown'; changed: readonly string[]; milliseconds: number; pages: number }
  | ({ kind: 'problems' } & ProblemChanges)
  /** All pages of the state were rendered. */
  | { kind: 'surveyed' }
  /** The folder cannot be read. The last state remains visible. */
  | { kind: 'fault'; error: unknown }
