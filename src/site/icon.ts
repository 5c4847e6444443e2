/** Icon values in settings and frontmatter: the name of a library icon, an image, or inline SVG. */
import { rootPath } from './navigation/routes.ts'

export type IconLibrary = 'fontawesome' | 'lucide' | 'tabler'

export type Icon =
  | { kind: 'name'; name: string; style: string | null; library: IconLibrary }
  | { kind: 'image'; src: string }
  | { kind: 'svg'; svg: string }

const LIBRARIES: readonly IconLibrary[] = ['fontawesome', 'lucide', 'tabler']

/** Parses an icon; null if the value is not an icon. `style` is the separate `iconType` value. */
export function readIcon(value: unknown, style: unknown, library: IconLibrary): Icon | null {
  if (typeof value === 'string') return readIconText(value.trim(), textOrNull(style), library)
  if (typeof value !== 'object' || value === null || !('name' in value)) return null
  const { name, style: ownStyle, library: ownLibrary } = value as Record<string, unknown>
  if (typeof name !== 'string') return null
  const chosen = LIBRARIES.find((one) => one === ownLibrary) ?? library
  return readIconText(name.trim(), textOrNull(ownStyle) ?? textOrNull(style), chosen)
}

function readIconText(text: string, style: string | null, library: IconLibrary): Icon | null {
  if (text === '') return null
  if (text.startsWith('<svg')) return { kind: 'svg', svg: text }
  if (/^(?:https?:)?\/|^\.{0,2}\/|\.(?:svg|png|jpe?g|gif|webp|avif|ico)$/i.test(text)) {
    return { kind: 'image', src: rootPath(text) }
  }
  return { kind: 'name', name: text.replace(/^fa-/, ''), style, library }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
