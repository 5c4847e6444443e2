/** Writes a report about content that requires manual work, grouped by kind. */
import type { Problem } from '../base/errors/problem.ts'
import type { ImportKind } from './imported-site.ts'
import { NOTE_KINDS, type NoteKind } from './notes.ts'

export const REPORT_FILE = 'import-report.md'

export interface NoteGroup {
  kind: NoteKind
  title: string
  notes: Problem[]
}

export function groupNotes(notes: readonly Problem[]): NoteGroup[] {
  return (Object.keys(NOTE_KINDS) as NoteKind[])
    .map((kind) => ({
      kind,
      title: NOTE_KINDS[kind].title,
      notes: notes.filter(({ code }) => code === `import.${kind}`),
    }))
    .filter((group) => group.notes.length > 0)
}

export function formatNoteLocation({ file, line }: Problem): string {
  return line === null ? file : `${file}:${line}`
}

export function reportText(kind: ImportKind, pages: number, notes: readonly Problem[]): string {
  const lines = [
    '# Import report',
    '',
    `${pages} pages were imported (${kind}). ${notes.length === 0 ? 'No manual changes are needed.' : `Check the following ${notes.length} notes. Files and lines refer to the original site.`}`,
  ]
  for (const group of groupNotes(notes)) {
    lines.push('', `## ${group.title} (${group.notes.length})`, '', NOTE_KINDS[group.kind].remedy, '')
    for (const note of group.notes) {
      const own = note.remedy === NOTE_KINDS[group.kind].remedy ? '' : ` ${note.remedy}`
      lines.push(`- \`${formatNoteLocation(note).replaceAll('`', "'")}\`: ${note.message}${own}`)
    }
  }
  return `${lines.join('\n')}\n`
}
