/** Words behind the language of a code block that mean nothing to Octavo. There they would be its title. */
import type { Notes } from '../notes.ts'
import type { CodeOptions } from './blocks.ts'

/** Nobody misses these. */
const SILENT = new Set('annotate copy no-copy select no-select twoslash highlight noInline'.split(' '))

export function noteCodeOptions(
  { notes, file }: { notes: Notes; file: string },
  line: number | null,
  { unknown }: CodeOptions,
): void {
  const told = unknown.filter((word) => !SILENT.has(word))
  if (told.length > 0) notes.add('syntax', { file, line }, `A code block loses ${told.join(' ')}.`)
}
