/** Icons in the frame of a page. */
import type { Icon } from '../../site/icon.ts'
import type { Markup } from '../html/markup.ts'
import { attributes, html } from '../html/template.ts'
import { readMarkup } from '../html/write-html.ts'
import { type IconOptions, iconClass } from './icon-element.ts'

/** A place for an icon of a library, an image for a path or an address, the markup itself for SVG. */
export function iconMarkup(icon: Icon | null | undefined, options: IconOptions = {}): Markup {
  if (!icon) return []
  const size = options.size ?? 16
  if (icon.kind === 'name') {
    const { library, name, style } = icon
    return [{ kind: 'icon', library, name, style, size, attributes: lookOf(options) }]
  }
  if (icon.kind === 'image') {
    const look = { class: iconClass(options, 'icon-image'), src: icon.src, width: size, height: size }
    return html`<img${attributes({ ...look, alt: options.label ?? '' })}>`
  }
  return html`<span class="${iconClass(options, 'icon-svg')}">${readMarkup(icon.svg)}</span>`
}

/** A Lucide icon of the theme's own: chrome and callouts look alike whatever library the site chose. */
export function lucide(name: string, options: IconOptions = {}): Markup {
  return iconMarkup({ kind: 'name', name, style: null, library: 'lucide' }, options)
}

function lookOf({ className, color, label }: IconOptions): string[] {
  return [
    ...['class', iconClass({ className })],
    ...(color ? ['style', `color:${color}`] : []),
    ...(label ? ['role', 'img', 'aria-label', label] : ['aria-hidden', 'true']),
  ]
}
