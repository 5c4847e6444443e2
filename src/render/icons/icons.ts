/** Inline SVG of the three icon sets. Only icons that a site uses are loaded. */
import type { IconLibrary } from '../../site/icon.ts'
import { attributesText } from '../html/html.ts'
import type { IconPlace } from '../html/markup.ts'
import { createIconSets } from './icon-sets.ts'

export interface IconInliner {
  svgOf(icon: IconPlace): string
  /** Names that no set contains, sorted; a similar icon or a dot of the same size replaces them. */
  missing(): string[]
}

const LIBRARIES: readonly string[] = ['fontawesome', 'lucide', 'tabler'] satisfies IconLibrary[]

export function createIconInliner(): IconInliner {
  const sets = createIconSets()
  const rendered = new Map<string, string>()
  const missing = new Set<string>()

  const draw = ({ library, name, style, size, attributes }: IconPlace): string => {
    const known = LIBRARIES.includes(library) ? (library as IconLibrary) : 'fontawesome'
    const icon = sets.find(known, name, style)
    if (!icon?.isExact) missing.add(name)
    const box = icon?.attributes ?? ' viewBox="0 0 24 24"'
    const look: Record<string, string | true> = {}
    for (let i = 0; i < attributes.length; i += 2) look[attributes[i] as string] = attributes[i + 1] ?? true
    return `<svg xmlns="http://www.w3.org/2000/svg"${box}${attributesText({ width: size, height: size, ...look })}>${icon?.content ?? ''}</svg>`
  }

  return {
    svgOf(icon) {
      const key = `${icon.library}\n${icon.name}\n${icon.style}\n${icon.size}\n${icon.attributes.join('\n')}`
      const known = rendered.get(key)
      if (known !== undefined) return known
      const svg = draw(icon)
      rendered.set(key, svg)
      return svg
    },
    missing: () => [...missing].sort(),
  }
}
