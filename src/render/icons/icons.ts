/** Renders inline SVG of the icon sets. Loads only the icons that a site uses. */
import type { IconLibrary } from '../../site/icon.ts'
import { formatAttributes } from '../html/html.ts'
import type { IconPlaceholder } from '../html/markup.ts'
import { createIconSets } from './icon-sets.ts'

export interface IconInliner {
  renderSvg(icon: IconPlaceholder): string
  /** Sorted names of unknown icons, which were replaced with a similar icon or a dot of the same size. */
  missing(): string[]
}

const LIBRARIES: readonly string[] = ['fontawesome', 'lucide', 'tabler'] satisfies IconLibrary[]

export function createIconInliner(): IconInliner {
  const sets = createIconSets()
  const rendered = new Map<string, string>()
  const missing = new Set<string>()

  const draw = ({ library, name, style, size, attributes }: IconPlaceholder): string => {
    const known = LIBRARIES.includes(library) ? (library as IconLibrary) : 'fontawesome'
    const icon = sets.find(known, name, style)
    if (!icon?.isExact) missing.add(name)
    const box = icon?.attributes ?? ' viewBox="0 0 24 24"'
    const svgAttributes: Record<string, string | true> = {}
    for (let i = 0; i < attributes.length; i += 2)
      svgAttributes[attributes[i] as string] = attributes[i + 1] ?? true
    return `<svg xmlns="http://www.w3.org/2000/svg"${box}${formatAttributes({ width: size, height: size, ...svgAttributes })}>${icon?.content ?? ''}</svg>`
  }

  return {
    renderSvg(icon) {
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
