/**
 * Finds words after the language of a code block that have no meaning in Octavo, where they would become its title.
 */
import type { Notes } from '../notes.ts'
import type { CodeOptions } from './blocks.ts'

/** Words that can be dropped without a note. */
const SILENT = new Set('annotate copy no-copy select no-select twoslash highlight noInline'.split(' '))

export function noteCodeOptions(
  { notes, file }: { notes: Notes; file: string },
  line: number | null,
  { unknown }: CodeOptions,
): void {
  const told = unknown.filter((word) => !SILENT.has(word))
  if (told.length > 0) notes.add('syntax', { file, line }, `A code block loses ${told.join(' ')}.`)
}
