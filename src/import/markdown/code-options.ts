/**
 * Finds words after the language of a code block that have no meaning in Octavo, where they would become its title.
 */
import type { Notes } from '../notes.ts'
import type { CodeOptions } from './blocks.ts'

/** Words that can be dropped without a note. */
const IGNORED_OPTIONS = new Set(
  'annotate copy no-copy select no-select twoslash highlight noInline'.split(' '),
)

export function noteCodeOptions(
  { notes, file }: { notes: Notes; file: string },
  line: number | null,
  { unknown }: CodeOptions,
): void {
  const reported = unknown.filter((word) => !IGNORED_OPTIONS.has(word))
  if (reported.length > 0) notes.add('syntax', { file, line }, `A code block loses ${reported.join(' ')}.`)
}
