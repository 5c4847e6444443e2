/** The three icon sets: which drawing a name stands for, each looked up once and kept. */
import type { IconLibrary } from '../../site/icon.ts'
import { findDrawing, type IconSet, type IconShape } from './icon-drawings.ts'
import { RENAMED_ICONS } from './icon-names.ts'

export interface FoundIcon extends IconShape {
  /** False when another icon stands in. */
  isExact: boolean
}

export interface IconSets {
  /**
   * Looks in the wanted library first, then in the other two; what no set has is tried under the name of the free
   * icon for the same thing, then with its last words off (`rocket-launch` → `rocket`), and by its single words. Null only without the sets.
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

  const look = (library: IconLibrary, name: string, style: string | null): IconShape | null => {
    for (const [set, candidate] of drawingNames(library, name, style)) {
      const shape = findDrawing(set, candidate)
      if (shape) return shape
    }
    return null
  }

  const findAnywhere = (library: IconLibrary, name: string, style: string | null): FoundIcon | null => {
    for (const candidate of candidates(name)) {
      for (const set of ORDER[library]) {
        const shape = look(set, candidate, set === library ? style : null)
        if (shape) return { ...shape, isExact: candidate === name }
      }
    }
    const standIn = findDrawing('lucide', STAND_IN)
    return standIn && { ...standIn, isExact: false }
  }

  return {
    find: (library, name, style) => {
      const key = `${library} ${style ?? ''} ${name}`
      const known = found.get(key)
      if (known !== undefined) return known
      const shape = findAnywhere(library, plainName(name), style)
      found.set(key, shape)
      return shape
    },
  }
}

/** For names that say nothing to any set: a place that is marked is better than a gap. */
const STAND_IN = 'circle-dot'
const SHAPES = new Set(['circle', 'square', 'rectangle', 'hexagon', 'octagon', 'triangle', 'diamond'])

/** The name and what may stand in for it; only names that cannot lead to another folder. */
function candidates(name: string): string[] {
  const names = [name]
  const renamed = RENAMED_ICONS[name]
  if (renamed) names.push(renamed)
  for (let end = name.lastIndexOf('-'); end > 2; end = name.lastIndexOf('-', end - 1)) {
    // A mere disc says nothing: of a thing in a circle the thing is what is meant.
    if (SHAPES.has(name.slice(0, end))) names.push(name.slice(end + 1))
    names.push(name.slice(0, end))
  }
  const words = name.split('-').filter((word) => word.length > 3)
  names.push(...words.reverse())
  return [...new Set(names)].filter((candidate) => SAFE_NAME.test(candidate))
}

/** `fa-House`, `ArrowRight` and `arrow_right` are ways to write the same names. */
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

/** Sets and names in them that may be the icon, best first. Styles that only a paid set has fall back to the free ones. */
function drawingNames(library: IconLibrary, name: string, style: string | null): [IconSet, string][] {
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
