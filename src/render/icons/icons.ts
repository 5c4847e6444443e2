/**
 * Inline SVG of the three icon sets for `<o-icon>` placeholders (icon-placeholder.ts). Only icons that a site uses are
 * read.
 */

import type { IconLibrary } from '../../site/icon.ts'
import { decodeEntities, escapeAttribute, type TagEdits } from '../html/html-tags.ts'
import { createIconSets } from './icon-sets.ts'

export interface IconInliner {
  standIn: NonNullable<TagEdits['standIn']>
  /** Names that no set has, sorted; a similar icon or a dot of the same size stands for them. */
  missing(): string[]
}

const ATTRIBUTE = /([\w-]+)(?:="([^"]*)")?/g
const LIBRARIES: readonly string[] = ['fontawesome', 'lucide', 'tabler'] satisfies IconLibrary[]
const DEFAULT_SIZE = 16

export function createIconInliner(): IconInliner {
  const sets = createIconSets()
  const rendered = new Map<string, string>()
  const missing = new Set<string>()

  const inline = (attributes: string): string => {
    const known = rendered.get(attributes)
    if (known !== undefined) return known
    const placeholder = readPlaceholder(attributes)
    const icon = sets.find(placeholder.library, placeholder.name, placeholder.style)
    if (!icon?.isExact) missing.add(placeholder.name)
    const box = ` width="${placeholder.size}" height="${placeholder.size}"`
    const svg = `<svg xmlns="http://www.w3.org/2000/svg"${icon?.attributes ?? ' viewBox="0 0 24 24"'}${box}${placeholder.rest}>${icon?.content ?? ''}</svg>`
    rendered.set(attributes, svg)
    return svg
  }

  return {
    standIn: { tag: 'o-icon', html: inline },
    missing: () => [...missing].sort(),
  }
}

function readPlaceholder(text: string) {
  let library: IconLibrary = 'fontawesome'
  let name = ''
  let style: string | null = null
  let size = DEFAULT_SIZE
  let rest = ''
  for (const [, key = '', raw = ''] of text.matchAll(ATTRIBUTE)) {
    const value = decodeEntities(raw)
    if (key === 'data-l') library = LIBRARIES.includes(value) ? (value as IconLibrary) : library
    else if (key === 'data-n') name = value
    else if (key === 'data-s') style = value
    else if (key === 'data-z') size = clampSize(Number(value))
    else rest += ` ${key}="${escapeAttribute(value)}"`
  }
  return { library, name, style, size, rest }
}

function clampSize(size: number): number {
  return Number.isFinite(size) && size > 0 && size <= 512 ? size : DEFAULT_SIZE
}
