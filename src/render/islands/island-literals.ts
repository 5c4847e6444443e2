/** Finds class names and icons that an island may render later, from the string literals in its code. */
import { tokenizer, tokTypes } from 'acorn'
import type { IconLibrary } from '../../site/icon.ts'
import type { IconSets } from '../icons/icon-sets.ts'

/**
 * Matches a string from its opening quotation mark. The second group is empty if the string is not closed.
 */
const STRING_PATTERNS: Readonly<Record<string, RegExp>> = {
  '"': /"((?:[^"\\\n]|\\.)*)("?)/y,
  "'": /'((?:[^'\\\n]|\\.)*)('?)/y,
  '`': /`((?:[^`\\]|\\.)*)(`?)/y,
}
/** Maximum number of characters between the word `icon` and the name of an icon. */
const MAX_ICON_DISTANCE_CHARACTERS = 160
const ICON_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MAX_ICONS = 40

/** Returns words that may be utility classes. Others are ignored when the style sheet is generated. */
export function collectClassWords(code: string): string[] {
  const words = (readLiterals(code) ?? readStrings(code).map(({ text }) => text)).flatMap((text) =>
    text.split(/\$\{[^{}]*\}|\s+/),
  )
  return [...new Set(words.filter((word) => word.length > 1))]
}

/** Returns the SVG of icons whose names are close to the word `icon`. Keys have the form `library/name/`. */
export function findIcons(sets: IconSets, library: IconLibrary, code: string): Record<string, string> {
  const icons: Record<string, string> = {}
  for (const { index } of code.matchAll(/icon/gi)) {
    for (const { mark, text: name } of readStrings(code.slice(index, index + MAX_ICON_DISTANCE_CHARACTERS))) {
      if (mark === '`' || !ICON_NAME.test(name) || Object.keys(icons).length >= MAX_ICONS) continue
      const icon = sets.find(library, name, null)
      if (icon?.isExact) icons[`${library}/${name}/`] = `<svg${icon.attributes}>${icon.content}</svg>`
    }
  }
  return icons
}

function readLiterals(code: string): string[] | null {
  const texts: string[] = []
  try {
    for (const { type, start, end } of tokenizer(code, { ecmaVersion: 'latest' })) {
      if (type === tokTypes.string) texts.push(code.slice(start + 1, end - 1))
      else if (type === tokTypes.template) texts.push(code.slice(start, end))
    }
    return texts
  } catch {
    return null
  }
}

/**
 * Returns strings in a part of a script, possibly with text from regular expressions and comments. Runs in linear time:
 * after an unclosed string, quotation marks of the same kind in the text already searched are skipped.
 */
function readStrings(code: string): { mark: string; text: string }[] {
  const strings: { mark: string; text: string }[] = []
  const open: Record<string, number> = { '"': 0, "'": 0, '`': 0 }
  for (let at = 0; at < code.length; at++) {
    const mark = code[at] ?? ''
    const pattern = STRING_PATTERNS[mark]
    if (pattern === undefined || at < (open[mark] ?? 0)) continue
    pattern.lastIndex = at
    const [, text = '', end = ''] = pattern.exec(code) ?? []
    if (end === '') open[mark] = pattern.lastIndex
    else {
      strings.push({ mark, text })
      at = pattern.lastIndex - 1
    }
  }
  return strings
}
