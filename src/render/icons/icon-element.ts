/**
 * Icons in components, which cannot access icon files. Library icons are written as an element that is later
 * replaced with inline SVG:
 *
 *   <o-icon data-l="lucide" data-n="rocket" data-s="solid" data-z="20" class="icon …" style="color:#f00"></o-icon>
 *
 * data-l library · data-n name · data-s style, omitted for the library's default · data-z size in pixels, omitted
 * for 16. All other attributes (`class`, `style`, `role`, `aria-*`) are copied to the `<svg>`.
 */
import type { Icon } from '../../site/icon.ts'
import { escapeHtml, formatAttributes } from '../html/html.ts'

export interface IconOptions {
  /** In pixels. Default 16. */
  size?: number
  color?: string
  className?: string | undefined
  /** Label for screen readers. An icon without a label is decorative. */
  label?: string
}

type NamedIcon = Extract<Icon, { kind: 'name' }>

/** Returns a placeholder element for a library icon, an image for a path or URL, or the markup of an SVG. */
export function iconElementHtml(icon: Icon, options: IconOptions): string {
  if (icon.kind === 'name') return `<o-icon${formatAttributes(iconAttributes(icon, options))}></o-icon>`
  if (icon.kind === 'image') {
    const size = options.size ?? 16
    const imageAttributes = {
      class: iconClass(options, 'icon-image'),
      src: icon.src,
      width: size,
      height: size,
    }
    return `<img${formatAttributes({ ...imageAttributes, alt: options.label ?? '' })}>`
  }
  return `<span class="${escapeHtml(iconClass(options, 'icon-svg'))}">${icon.svg}</span>`
}

export function iconAttributes(icon: NamedIcon, options: IconOptions): Record<string, string> {
  const result: Record<string, string> = { 'data-l': icon.library, 'data-n': icon.name }
  if (icon.style) result['data-s'] = icon.style
  if (options.size && options.size !== 16) result['data-z'] = String(options.size)
  result.class = iconClass(options)
  if (options.color) result.style = `color:${options.color}`
  if (options.label) {
    result.role = 'img'
    result['aria-label'] = options.label
  } else {
    result['aria-hidden'] = 'true'
  }
  return result
}

export function iconClass({ className }: IconOptions, kind = ''): string {
  return ['icon', kind, className].filter(Boolean).join(' ')
}
