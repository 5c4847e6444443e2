/** What the code of an island may show later: read from the strings in it, as far as they can be told from outside. */
import { tokenizer, tokTypes } from 'acorn'
import type { IconLibrary } from '../../site/icon.ts'
import type { IconSets } from '../icons/icon-sets.ts'

/** A string from its quotation mark on; the second group is empty when it is never closed. */
const STRINGS: Readonly<Record<string, RegExp>> = {
  '"': /"((?:[^"\\\n]|\\.)*)("?)/y,
  "'": /'((?:[^'\\\n]|\\.)*)('?)/y,
  '`': /`((?:[^`\\]|\\.)*)(`?)/y,
}
/** How far from the word an icon's name stands, in characters. */
const NEAR_ICON = 160
const ICON_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
/** Icons of one island. */
const MOST_ICONS = 40

/** Words that may be utility classes: the style sheet takes those that are. */
export function classWords(code: string): string[] {
  const words = (literalsOf(code) ?? stringsOf(code).map(({ text }) => text)).flatMap((text) =>
    text.split(/\$\{[^{}]*\}|\s+/),
  )
  return [...new Set(words.filter((word) => word.length > 1))]
}

/** SVG by `library/name/`, of names that stand near the word `icon`. */
export function iconsNamed(sets: IconSets, library: IconLibrary, code: string): Record<string, string> {
  const icons: Record<string, string> = {}
  for (const { index } of code.matchAll(/icon/gi)) {
    for (const { mark, text: name } of stringsOf(code.slice(index, index + NEAR_ICON))) {
      if (mark === '`' || !ICON_NAME.test(name) || Object.keys(icons).length >= MOST_ICONS) continue
      const icon = sets.find(library, name, null)
      if (icon?.isExact) icons[`${library}/${name}/`] = `<svg${icon.attributes}>${icon.content}</svg>`
    }
  }
  return icons
}

/** Null for what is no script. */
function literalsOf(code: string): string[] | null {
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
 * The strings of a part of a script, as text: what stands in regular expressions and comments may be taken for one too. A mark
 * that nothing closes is passed over, and no other of its kind is tried up to where that was seen: so the time grows
 * with the text alone.
 */
function stringsOf(code: string): { mark: string; text: string }[] {
  const strings: { mark: string; text: string }[] = []
  const open: Record<string, number> = { '"': 0, "'": 0, '`': 0 }
  for (let at = 0; at < code.length; at++) {
    const mark = code[at] ?? ''
    const pattern = STRINGS[mark]
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
