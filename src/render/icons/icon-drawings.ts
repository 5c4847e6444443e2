/**
 * The drawings of the icon sets: one sorted text for each set, as `scripts/compact.mjs` writes it. It stays the bytes that
 * it is, and a name is found by halving: a map of all icons would cost tens of megabytes for the few that a site has.
 */
import { readFileSync } from 'node:fs'
import type { IconLibrary } from '../../site/icon.ts'
import { compactFile } from '../machinery/compact-file.ts'

export interface IconShape {
  /** Attributes of the `<svg>` that the drawing needs, with a leading space. */
  attributes: string
  content: string
}

const TAB = 9
const NEWLINE = 10

const texts = new Map<IconLibrary, Buffer>()

/** Null when the set has no icon of that name. */
export function findDrawing(library: IconLibrary, name: string): IconShape | null {
  const text = textOf(library)
  let low = 0
  let high = text.length
  while (low < high) {
    const start = startOfLine(text, (low + high) >> 1)
    const end = text.indexOf(NEWLINE, start)
    const afterName = text.indexOf(TAB, start)
    const found = text.toString('latin1', start, afterName)
    if (found === name) {
      const [attributes = '', content = ''] = text.toString('latin1', afterName + 1, end).split('\t')
      return { attributes, content }
    }
    if (found < name) low = end + 1
    else high = start
  }
  return null
}

function startOfLine(text: Buffer, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf(NEWLINE, place - 1) + 1
}

function textOf(library: IconLibrary): Buffer {
  const known = texts.get(library)
  if (known) return known
  const text = readFileSync(compactFile(`icons/${library}.txt`))
  texts.set(library, text)
  return text
}
