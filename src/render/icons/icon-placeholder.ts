/**
 * Icons in theme HTML. A library icon is a placeholder element that a later step replaces by inline SVG, so that the
 * isolate and the layout need no icon files:
 *
 *   <o-icon data-l="lucide" data-n="rocket" data-s="solid" data-z="20" class="icon …" style="color:#f00"></o-icon>
 *
 * data-l library · data-n name · data-s style, absent for the library's own · data-z size in pixels, absent for 16.
 * Every other attribute (`class`, `style`, `role`, `aria-*`) belongs on the `<svg>` as it stands.
 */
import type { Icon } from '../../site/icon.ts'
import { attributes, escapeHtml } from '../html/html.ts'

export interface IconOptions {
  /** Pixels; 16 when absent. */
  size?: number
  /** Any CSS colour. */
  color?: string
  className?: string
  /** Names the icon for screen readers; without it the icon is decoration. */
  label?: string
}

type NamedIcon = Extract<Icon, { kind: 'name' }>

/** HTML of an icon: a placeholder for library icons, an image for paths and addresses, the markup itself for SVG. */
export function iconPlaceholder(icon: Icon | null | undefined, options: IconOptions = {}): string {
  if (!icon) return ''
  if (icon.kind === 'name') return `<o-icon${attributes(iconAttributes(icon, options))}></o-icon>`
  if (icon.kind === 'image') {
    const size = options.size ?? 16
    const className = joinClasses('icon icon-image', options.className)
    return `<img${attributes({ class: className, src: icon.src, width: size, height: size, alt: options.label ?? '' })}>`
  }
  return `<span class="${escapeHtml(joinClasses('icon icon-svg', options.className))}">${icon.svg}</span>`
}

/** Attributes of the placeholder element. */
export function iconAttributes(icon: NamedIcon, options: IconOptions = {}): Record<string, string> {
  const result: Record<string, string> = { 'data-l': icon.library, 'data-n': icon.name }
  if (icon.style) result['data-s'] = icon.style
  if (options.size && options.size !== 16) result['data-z'] = String(options.size)
  result.class = joinClasses('icon', options.className)
  if (options.color) result.style = `color:${options.color}`
  if (options.label) {
    result.role = 'img'
    result['aria-label'] = options.label
  } else {
    result['aria-hidden'] = 'true'
  }
  return result
}

/** A Lucide icon of the theme's own: chrome and callouts look alike whatever library the site chose. */
export function lucide(name: string, options: IconOptions = {}): string {
  return iconPlaceholder({ kind: 'name', name, style: null, library: 'lucide' }, options)
}

function joinClasses(own: string, added: string | undefined): string {
  return added ? `${own} ${added}` : own
}
