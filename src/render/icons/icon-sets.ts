/** Finds icons by name in the three icon sets. Caches results. */
import type { IconLibrary } from '../../site/icon.ts'
import { findDrawing, type IconSet, type IconShape } from './icon-drawings.ts'
import { RENAMED_ICONS } from './icon-names.ts'

export interface FoundIcon extends IconShape {
  /** Whether the icon has the requested name. */
  isExact: boolean
}

export interface IconSets {
  /**
   * Searches the given library, then the other two. If there is no icon with this name, tries an equivalent
   * free icon, the name without its last words (`rocket-launch` → `rocket`), and its single words. Returns null
   * only if the sets are missing.
   */
  find(library: IconLibrary, name: string, style: string | null): FoundIcon | null
}

const SAFE_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const ORDER: Record<IconLibrary, IconLibrary[]> = {
  fontawesome: ['fontawesome', 'lucide', 'tabler'],
  lucide: ['lucide', 'tabler', 'fontawesome'],
  tabler: ['tabler', 'lucide', 'fontawesome'],
}

export function createIconSets(): IconSets {
  const found = new Map<string, FoundIcon | null>()

  const findDrawn = (library: IconLibrary, name: string, style: string | null): IconShape | null => {
    for (const [set, candidate] of listDrawingCandidates(library, name, style)) {
      const shape = findDrawing(set, candidate)
      if (shape) return shape
    }
    return null
  }

  const findAnywhere = (library: IconLibrary, name: string, style: string | null): FoundIcon | null => {
    for (const candidate of candidates(name)) {
      for (const set of ORDER[library]) {
        const shape = findDrawn(set, candidate, set === library ? style : null)
        if (shape) return { ...shape, isExact: candidate === name }
      }
    }
    const fallback = findDrawing('lucide', FALLBACK_ICON)
    return fallback && { ...fallback, isExact: false }
  }

  return {
    find: (library, name, style) => {
      const key = `${library} ${style ?? ''} ${name}`
      const cached = found.get(key)
      if (cached !== undefined) return cached
      const shape = findAnywhere(library, plainName(name), style)
      found.set(key, shape)
      return shape
    },
  }
}

/** Used if no similar icon is found. */
const FALLBACK_ICON = 'circle-dot'
const SHAPES = new Set(['circle', 'square', 'rectangle', 'hexagon', 'octagon', 'triangle', 'diamond'])

/** Returns the name and its alternatives, without names that could refer to another folder. */
function candidates(name: string): string[] {
  const names = [name]
  const renamed = RENAMED_ICONS[name]
  if (renamed) names.push(renamed)
  for (let end = name.lastIndexOf('-'); end > 2; end = name.lastIndexOf('-', end - 1)) {
    // Prefers the inner icon to the circle or square around it.
    if (SHAPES.has(name.slice(0, end))) names.push(name.slice(end + 1))
    names.push(name.slice(0, end))
  }
  const words = name.split('-').filter((word) => word.length > 3)
  names.push(...words.reverse())
  return [...new Set(names)].filter((candidate) => SAFE_NAME.test(candidate))
}

/** Normalizes names such as `fa-House`, `ArrowRight` and `arrow_right`. */
function plainName(name: string): string {
  return name
    .trim()
    .replace(/^(?:fa[srlbdt]?|fa-(?:solid|regular|brands|light|thin|duotone))\s+/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[\s_]+/g, '-')
    .toLowerCase()
    .replace(/^(?:fa|lucide|tabler|icon)-/, '')
    .replace(/\.svg$/, '')
}

/** Returns sets and names to try, best first. Styles that only paid sets have are replaced with free ones. */
function listDrawingCandidates(
  library: IconLibrary,
  name: string,
  style: string | null,
): [IconSet, string][] {
  if (library === 'lucide') return [['lucide', name]]
  if (library === 'tabler') {
    const bare = name.replace(/-(?:filled|outline)$/, '')
    const isFilled = style === 'filled' || style === 'solid' || name.endsWith('-filled')
    const order = isFilled ? [`${bare}-filled`, bare] : [bare, `${bare}-filled`]
    return order.map((candidate) => ['tabler', candidate])
  }
  const isRegular = style === 'regular' || style === 'light' || style === 'thin'
  const drawn: IconSet[] = isRegular
    ? ['fa7-regular', 'fa7-solid', 'fa7-brands']
    : ['fa7-solid', 'fa7-regular', 'fa7-brands']
  const order: IconSet[] = style === 'brands' ? ['fa7-brands', 'fa7-solid', 'fa7-regular'] : drawn
  return order.map((set) => [set, name])
}
