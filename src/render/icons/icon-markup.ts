/** Renders icons in the layout. */
import type { Icon } from '../../site/icon.ts'
import type { Markup } from '../html/markup.ts'
import { attributes, html } from '../html/template.ts'
import { readMarkup } from '../html/write-html.ts'
import { type IconOptions, iconClass } from './icon-element.ts'

export function iconMarkup(icon: Icon | null | undefined, options: IconOptions = {}): Markup {
  if (!icon) return []
  const size = options.size ?? 16
  if (icon.kind === 'name') {
    const { library, name, style } = icon
    return [{ kind: 'icon', library, name, style, size, attributes: listIconAttributes(options) }]
  }
  if (icon.kind === 'image') {
    const imageAttributes = {
      class: iconClass(options, 'icon-image'),
      src: icon.src,
      width: size,
      height: size,
    }
    return html`<img${attributes({ ...imageAttributes, alt: options.label ?? '' })}>`
  }
  return html`<span class="${iconClass(options, 'icon-svg')}">${readMarkup(icon.svg)}</span>`
}

/** Returns a Lucide icon, which the theme uses regardless of the site's icon library. */
export function lucide(name: string, options: IconOptions = {}): Markup {
  return iconMarkup({ kind: 'name', name, style: null, library: 'lucide' }, options)
}

function listIconAttributes({ className, color, label }: IconOptions): string[] {
  return [
    ...['class', iconClass({ className })],
    ...(color ? ['style', `color:${color}`] : []),
    ...(label ? ['role', 'img', 'aria-label', label] : ['aria-hidden', 'true']),
  ]
}
