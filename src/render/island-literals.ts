/** What the code of an island may show later: read from the strings in it, as far as they can be told from outside. */
import type { IconLibrary, IconSets } from './icon-sets.ts'

/** One that is never closed ends where it cannot go on: its end is not looked for again from each quotation mark in it. */
const STRINGS = /"((?:[^"\\\n]|\\.)*)"?|'((?:[^'\\\n]|\\.)*)'?|`((?:[^`\\]|\\.)*)`?/g
/** How far from the word an icon's name stands, in characters. */
const NEAR_ICON = 160
const ICON_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
/** Icons of one island. */
const MOST_ICONS = 40

/** Words that may be utility classes: the style sheet takes those that are. */
export function classWords(code: string): string[] {
  const words = [...code.matchAll(STRINGS)].flatMap((found) =>
    (found[1] ?? found[2] ?? found[3] ?? '').split(/\$\{[^{}]*\}|\s+/),
  )
  return [...new Set(words.filter((word) => word.length > 1))]
}

/** SVG by `library/name/`, of names that stand near the word `icon`. */
export function iconsNamed(sets: IconSets, library: IconLibrary, code: string): Record<string, string> {
  const icons: Record<string, string> = {}
  for (const { index } of code.matchAll(/icon/gi)) {
    for (const [, double, single] of code.slice(index, index + NEAR_ICON).matchAll(STRINGS)) {
      const name = double ?? single ?? ''
      if (!ICON_NAME.test(name) || Object.keys(icons).length >= MOST_ICONS) continue
      const icon = sets.find(library, name, null)
      if (icon?.isExact) icons[`${library}/${name}/`] = `<svg${icon.attributes}>${icon.content}</svg>`
    }
  }
  return icons
}
