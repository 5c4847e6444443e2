/** edit_file: replaces one text in a file by another. */
import { Type } from 'typebox'
import { editDistance } from '../../../base/text/edit-distance.ts'
import { lineAt, lineStartsOf } from '../../../base/text/text-lines.ts'
import { readText, writeText } from '../edit/change-files.ts'
import { existingPath, quotePath } from '../edit/paths.ts'
import { defineTool } from '../loop/define-tool.ts'
import { excerpt, plural } from '../loop/result-text.ts'
import { ToolRefusal } from '../loop/tool.ts'

/** Maximum number of occurrences whose lines are listed. */
const TOLD = 20
/** Number of lines compared when the text is not found. */
const COMPARED = 5000
const COMPARED_CHARACTERS = 180

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces a text in a file. oldText must stand in the file exactly once, to the letter, spaces and line breaks included; give more of its surroundings when it stands there more often, or replace every one with all. An empty newText removes it.',
  input: Type.Object(
    {
      path: Type.String({ minLength: 1 }),
      oldText: Type.String({ minLength: 1, description: 'As it stands in the file, without line numbers.' }),
      newText: Type.String(),
      all: Type.Optional(Type.Boolean({ description: 'Replace every occurrence.' })),
    },
    { additionalProperties: false },
  ),
  run: async (context, { path, oldText, newText, all = false }) => {
    const file = existingPath(context.workspace.tree, path)
    const text = await readText(context.workspace.tree, file)
    const { old, fresh } = withLineBreaksOf(text, oldText, newText)
    if (old === fresh) throw new ToolRefusal('oldText and newText are the same; nothing would change.')
    const places = placesOf(text, old)
    if (places.length === 0) throw notFound(file, text, old)
    const starts = lineStartsOf(text)
    const lines = places.map((place) => lineAt(starts, place))
    if (places.length > 1 && !all) {
      throw new ToolRefusal(
        `oldText stands ${places.length} times in ${quotePath(file)} (${namedLines(lines)}). Give more of the text around the one you mean, or set all to replace every one.`,
      )
    }
    await writeText(context, file, replaced(text, places, old.length, fresh))
    return `${plural(places.length, 'replacement')} in ${quotePath(file)} (${namedLines(lines)}).`
  },
})

/** Adapts the model's plain line breaks to those of the file. */
function withLineBreaksOf(text: string, old: string, fresh: string): { old: string; fresh: string } {
  const isOther = text.includes('\r\n') && !old.includes('\r') && !fresh.includes('\r')
  if (!isOther) return { old, fresh }
  const windows = old.replaceAll('\n', '\r\n')
  if (!text.includes(windows)) return { old, fresh }
  return { old: windows, fresh: fresh.replaceAll('\n', '\r\n') }
}

/** Returns the offsets of non-overlapping occurrences from left to right. */
function placesOf(text: string, old: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) places.push(at)
  return places
}

function replaced(text: string, places: readonly number[], length: number, fresh: string): string {
  const parts: string[] = []
  let kept = 0
  for (const place of places) {
    parts.push(text.slice(kept, place), fresh)
    kept = place + length
  }
  return parts.join('') + text.slice(kept)
}

function namedLines(lines: readonly number[]): string {
  const named = lines.slice(0, TOLD).join(', ')
  return `${lines.length === 1 ? 'line' : 'lines'} ${named}${lines.length > TOLD ? ', …' : ''}`
}

function notFound(file: string, text: string, old: string): ToolRefusal {
  const loose = (one: string) => one.replace(/\s+/g, ' ').trim()
  const isThereLoosely = loose(old) !== '' && loose(text).includes(loose(old))
  const near = closestLine(text, old.split('\n').find((line) => line.trim() !== '') ?? '')
  const hints = [
    isThereLoosely ? 'It is there with other spaces or line breaks.' : '',
    near
      ? `The line most like its first one is ${near.line}: ${JSON.stringify(excerpt(near.text, 0, 300))}.`
      : '',
    'Read the file and copy the text exactly, without the line numbers.',
  ]
  return new ToolRefusal(`oldText does not stand in ${quotePath(file)}. ${hints.filter(Boolean).join(' ')}`)
}

function closestLine(text: string, wanted: string): { line: number; text: string } | null {
  const sought = wanted.trim().slice(0, COMPARED_CHARACTERS)
  if (sought === '') return null
  let best: { line: number; text: string } | null = null
  let limit = Math.floor(sought.length / 2)
  for (const [index, line] of text.split('\n', COMPARED).entries()) {
    const whole = line.trim().slice(0, COMPARED_CHARACTERS)
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
