/**
 * Icons in components, which have no icon files at hand. An icon of a library is an element, for which inline SVG is
 * written with the page:
 *
 *   <o-icon data-l="lucide" data-n="rocket" data-s="solid" data-z="20" class="icon …" style="color:#f00"></o-icon>
 *
 * data-l library · data-n name · data-s style, absent for the library's own · data-z size in pixels, absent for 16.
 * Every other attribute (`class`, `style`, `role`, `aria-*`) belongs on the `<svg>` as it stands.
 */
import type { Icon } from '../../site/icon.ts'
import { attributesText, escapeHtml } from '../html/html.ts'

export interface IconOptions {
  /** Pixels; 16 when absent. */
  size?: number
  /** Any CSS colour. */
  color?: string
  className?: string | undefined
  /** Names the icon for screen readers; without it the icon is decoration. */
  label?: string
}

type NamedIcon = Extract<Icon, { kind: 'name' }>

/** HTML of an icon: an element for library icons, an image for paths and addresses, the markup itself for SVG. */
export function iconElementHtml(icon: Icon, options: IconOptions): string {
  if (icon.kind === 'name') return `<o-icon${attributesText(iconAttributes(icon, options))}></o-icon>`
  if (icon.kind === 'image') {
    const size = options.size ?? 16
    const look = { class: iconClass(options, 'icon-image'), src: icon.src, width: size, height: size }
    return `<img${attributesText({ ...look, alt: options.label ?? '' })}>`
  }
  return `<span class="${escapeHtml(iconClass(options, 'icon-svg'))}">${icon.svg}</span>`
}

/** Attributes of the element. */
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
