/** Text in images: selects fonts that have its letters, and breaks lines. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../base/files/program-files.ts'

/** A file of the theme's font: Latin, Greek, Cyrillic, Vietnamese. */
export interface FontPart {
  file: string
  /** Code points, inclusive. */
  ranges: readonly (readonly [number, number])[]
}

export interface FittedText {
  lines: string[]
  size: number
}

const SUBSETS = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese']
/** Matches text elements in an author's drawing. Drawing them would require fonts of the reader's system. */
export const TEXT_ELEMENT = /<(?:[\w-]+:)?(?:text|foreignObject)\b/
const PICTOGRAPH = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u200d\ufe0e\ufe0f\u20e3]/u
/** Widths relative to the font size, slightly overestimated. */
const WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;'’|!I]/, 0.3],
  [/[frt()[\]/\-`"“” ]/, 0.4],
  [/[mwMW@—…]/, 0.93],
  [/[\p{Lu}\d&%]/u, 0.7],
]
const DEFAULT_LETTER_WIDTH = 0.61

let parts: readonly FontPart[] | null = null

export function fontParts(): readonly FontPart[] {
  parts ??= readParts()
  return parts
}

function readParts(): FontPart[] {
  const folder = packageFolder('@fontsource-variable/inter')
  const ranges = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>
  return SUBSETS.map((subset) => ({
    file: join(folder, 'files', `inter-${subset}-wght-normal.woff2`),
    ranges: (ranges[subset] ?? '').split(',').map(readRange),
  }))
}

function readRange(text: string): [number, number] {
  const [from = '', to = from] = text.replace(/^U\+/, '').split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}

export function findFontPart(letter: string): FontPart | null {
  const code = letter.codePointAt(0) as number
  return fontParts().find(({ ranges }) => ranges.some(([from, to]) => code >= from && code <= to)) ?? null
}

/** Returns the text without emoji; null if it has letters that none of the fonts contains. */
export function toDrawableText(text: string): string | null {
  let visible = ''
  for (const letter of text.replace(/\s+/g, ' ').trim()) {
    if (findFontPart(letter) !== null) visible += letter
    else if (!PICTOGRAPH.test(letter)) return null
  }
  return visible.replace(/ {2,}/g, ' ').trim()
}

/** Picks the largest size that fits; if even the smallest does not, the text is truncated with an ellipsis. */
export function fitText(
  text: string,
  width: number,
  sizes: readonly { size: number; lines: number }[],
): FittedText {
  for (const { size, lines } of sizes) {
    const broken = breakLines(text, width / size)
    if (broken.length <= lines) return { lines: broken, size }
  }
  const { size, lines } = sizes.at(-1) as { size: number; lines: number }
  const visible = breakLines(text, width / size).slice(0, lines)
  const last = visible.pop() as string
  return { lines: [...visible, `${truncate(last, width / size - 1)}…`], size }
}

/** `room` is the line width relative to the font size. */
function breakLines(text: string, room: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (measureText(longer) <= room) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (measureText(line) > room) {
      const head = truncate(line, room)
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return line === '' ? lines : [...lines, line]
}

/** Returns at least one letter. */
function truncate(text: string, room: number): string {
  let visible = ''
  let width = 0
  for (const letter of text) {
    width += letterWidth(letter)
    if (width > room && visible !== '') return visible
    visible += letter
  }
  return visible
}

function measureText(text: string): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter)
  return width
}

function letterWidth(letter: string): number {
  return WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? DEFAULT_LETTER_WIDTH
}
