/** Reads icons from the Iconify packages. They contain one JSON file per set, which is loaded on first use. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../base/files/program-files.ts'

export interface IconShape {
  /** Attributes that the `<svg>` requires, with a leading space. */
  attributes: string
  content: string
}

const PACKAGES = {
  lucide: '@iconify-json/lucide',
  tabler: '@iconify-json/tabler',
  'fa7-solid': '@iconify-json/fa7-solid',
  'fa7-regular': '@iconify-json/fa7-regular',
  'fa7-brands': '@iconify-json/fa7-brands',
} as const
export type IconSet = keyof typeof PACKAGES
export const ICON_SETS = Object.keys(PACKAGES) as IconSet[]

interface IconFile {
  icons: Record<string, { body: string; width?: number; height?: number }>
  aliases?: Record<string, { parent: string }>
  width: number
  height: number
}

/** Attributes moved to the `<svg>`, so that style sheets can change the stroke width. */
const STROKE_ATTRIBUTES = [
  'fill="none"',
  'stroke="currentColor"',
  'stroke-linecap="round"',
  'stroke-linejoin="round"',
  'stroke-width="2"',
]
/** Font Awesome centers icons of mostly 512 × 512 on a canvas of 640. Wide icons extend beyond it. */
const FONT_AWESOME_VIEW_BOX = ' viewBox="64 64 512 512" overflow="visible"'

const files = new Map<IconSet, IconFile>()

export function findDrawing(set: IconSet, name: string): IconShape | null {
  const file = readIconSet(set)
  const parent = getOwn(file.aliases, name)?.parent ?? name
  const icon = getOwn(file.icons, parent)
  if (icon === undefined) return null
  const box = set.startsWith('fa7-')
    ? FONT_AWESOME_VIEW_BOX
    : ` viewBox="0 0 ${icon.width ?? file.width} ${icon.height ?? file.height}"`
  const strokes = ` ${STROKE_ATTRIBUTES.join(' ')}`
  if (!icon.body.includes(strokes)) return { attributes: `${box} fill="currentColor"`, content: icon.body }
  return {
    attributes: box + strokes,
    content: icon.body.replace(strokes, '').replace(/^<g>(.*)<\/g>$/, '$1'),
  }
}

export function iconNames(set: IconSet): string[] {
  const { icons, aliases = {} } = readIconSet(set)
  return [...Object.keys(icons), ...Object.keys(aliases)]
}

function getOwn<Value>(values: Record<string, Value> | undefined, name: string): Value | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined
}

function readIconSet(set: IconSet): IconFile {
  const cached = files.get(set)
  if (cached) return cached
  const path = join(packageFolder(PACKAGES[set]), 'icons.json')
  const file = JSON.parse(readFileSync(path, 'utf8')) as IconFile
  files.set(set, file)
  return file
}
