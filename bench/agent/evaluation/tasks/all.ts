/** The forty tasks, by kind. */
import type { Task } from '../task.ts'
import { ADDITIONS } from './add.ts'
import { CODE_CHANGES } from './code-changes.ts'
import { COMPLAINTS } from './feedback.ts'
import { INJECTIONS } from './injections.ts'
import { MOVES } from './move.ts'
import { NOTHINGS } from './nothing.ts'
import { RENAMES } from './rename.ts'
import { TRANSLATIONS } from './translate.ts'

export const TASKS: readonly Task[] = [
  ...RENAMES,
  ...ADDITIONS,
  ...MOVES,
  ...TRANSLATIONS,
  ...COMPLAINTS,
  ...CODE_CHANGES,
  ...INJECTIONS,
  ...NOTHINGS,
]
