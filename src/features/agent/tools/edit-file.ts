/** edit_file: replaces a text in a file with another. */
import { Type } from 'typebox'
import { editDistance } from '../../../base/text/edit-distance.ts'
import { findLineStarts, lineAt } from '../../../base/text/text-lines.ts'
import { readText, writeText } from '../edit/change-files.ts'
import { existingPath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { excerpt, plural } from '../loop/result-text.ts'
import { ToolRefusal } from '../loop/tool.ts'

const MAX_REPORTED_OCCURRENCES = 20
/** Maximum number of lines searched for a similar text if the exact text is not found. */
const MAX_COMPARED_LINES = 5000
const MAX_COMPARED_CHARACTERS = 180

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces text in a file. oldText must occur in the file exactly once, including spaces and line breaks. If it occurs more often, include more of the surrounding text, or set all to replace every occurrence. An empty newText removes the old text.',
  input: Type.Object(
    {
      path: Type.String({ minLength: 1 }),
      oldText: Type.String({ minLength: 1, description: 'Exactly as in the file, without line numbers.' }),
      newText: Type.String(),
      all: Type.Optional(Type.Boolean({ description: 'Replace every occurrence.' })),
    },
    { additionalProperties: false },
  ),
  run: async (context, { path, oldText, newText, all = false }) => {
    const file = existingPath(context.workspace.tree, path)
    const text = await readText(context.workspace.tree, file)
    const { old, fresh } = matchLineBreaks(text, oldText, newText)
    if (old === fresh) throw new ToolRefusal('oldText and newText are the same, so nothing would change.')
    const offsets = findOccurrences(text, old)
    if (offsets.length === 0) throw notFoundError(file, text, old)
    const starts = findLineStarts(text)
    const lines = offsets.map((offset) => lineAt(starts, offset))
    if (offsets.length > 1 && !all) {
      throw new ToolRefusal(
        `oldText occurs ${offsets.length} times in ${quotePath(file)} (${formatLineNumbers(lines)}). Include more of the surrounding text, or set all to replace every occurrence.`,
      )
    }
    await writeText(context, file, replaceAt(text, offsets, old.length, fresh))
    return `${plural(offsets.length, 'replacement')} in ${quotePath(file)} (${formatLineNumbers(lines)}).`
  },
})

function matchLineBreaks(text: string, old: string, fresh: string): { old: string; fresh: string } {
  const isOther = text.includes('\r\n') && !old.includes('\r') && !fresh.includes('\r')
  if (!isOther) return { old, fresh }
  const windows = old.replaceAll('\n', '\r\n')
  if (!text.includes(windows)) return { old, fresh }
  return { old: windows, fresh: fresh.replaceAll('\n', '\r\n') }
}

function findOccurrences(text: string, old: string): number[] {
  const offsets: number[] = []
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) offsets.push(at)
  return offsets
}

function replaceAt(text: string, offsets: readonly number[], length: number, fresh: string): string {
  const parts: string[] = []
  let copiedUpTo = 0
  for (const offset of offsets) {
    parts.push(text.slice(copiedUpTo, offset), fresh)
    copiedUpTo = offset + length
  }
  return parts.join('') + text.slice(copiedUpTo)
}

function formatLineNumbers(lines: readonly number[]): string {
  const named = lines.slice(0, MAX_REPORTED_OCCURRENCES).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${lines.length > MAX_REPORTED_OCCURRENCES ? ', …' : ''}`
}

function notFoundError(file: string, text: string, old: string): ToolRefusal {
  const loose = (one: string) => one.replace(/\s+/g, ' ').trim()
  const isThereLoosely = loose(old) !== '' && loose(text).includes(loose(old))
  const nearest = closestLine(text, old.split('\n').find((line) => line.trim() !== '') ?? '')
  const hints = [
    isThereLoosely ? 'It occurs with different spaces or line breaks.' : '',
    nearest
      ? `The most similar line is ${nearest.line}: ${JSON.stringify(excerpt(nearest.text, 0, 300))}.`
      : '',
    'Read the file and copy the text exactly, without the line numbers.',
  ]
  return new ToolRefusal(`oldText does not occur in ${quotePath(file)}. ${hints.filter(Boolean).join(' ')}`)
}

function closestLine(text: string, soughtLine: string): { line: number; text: string } | null {
  const sought = soughtLine.trim().slice(0, MAX_COMPARED_CHARACTERS)
  if (sought === '') return null
  let best: { line: number; text: string } | null = null
  let limit = Math.floor(sought.length / 2)
  for (const [index, line] of text.split('\n', MAX_COMPARED_LINES).entries()) {
    const whole = line.trim().slice(0, MAX_COMPARED_CHARACTERS)
    // The searched text may be the start of a line.
    const parts = [whole, whole.slice(0, sought.length)]
    const distance = Math.min(...parts.map((part) => editDistance(sought, part, limit)))
    if (distance > limit) continue
    best = { line: index + 1, text: line.replace(/\r$/, '') }
    limit = distance - 1
    if (limit < 0) break
  }
  return best
}
