/** Reports unsupported words after the language of a code block. Octavo would use them as the title of the block. */
import type { Notes } from '../notes.ts'
import type { CodeOptions } from './blocks.ts'

/** Words that are dropped without a note. */
const IGNORED_OPTIONS = new Set(
  'annotate copy no-copy select no-select twoslash highlight noInline'.split(' '),
)

export function addCodeOptionNotes(
  { notes, file }: { notes: Notes; file: string },
  line: number | null,
  { unknown }: CodeOptions,
): void {
  const reported = unknown.filter((word) => !IGNORED_OPTIONS.has(word))
  if (reported.length > 0)
    notes.add('syntax', { file, line }, `A code block loses the options ${reported.join(' ')}.`)
}
