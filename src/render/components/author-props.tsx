/**
 * Reads props as written by authors: booleans and numbers may be strings, titles may contain markup, icons have five
 * formats. Components read all props with these functions and must not rely on the declared types.
 */
import type { ComponentChildren, VNode } from 'preact'
import { h, isValidElement, toChildArray } from 'preact'
import type { Icon } from '../../site/icon.ts'
import { inlineMarkup, plainText } from '../html/inline-markup.ts'
import { type IconOptions, iconAttributes, iconElementHtml } from '../icons/icon-element.ts'
import { pageScope, textOf } from '../isolate/page-scope.ts'

export type AuthorProps = Readonly<Record<string, unknown>> & { children?: ComponentChildren }

/** Returns true for `x`, `x={true}`, `x="true"` and `x=""`. */
export function readFlag(value: unknown, fallback = false): boolean {
  if (value === undefined || value === null) return fallback
  if (typeof value === 'string') return !/^(?:false|no|0)$/i.test(value.trim())
  return Boolean(value)
}

/** Returns a finite number, even from a string such as `2` or `24px`, or null. */
export function readNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string') return null
  const number = Number.parseFloat(value)
  return Number.isFinite(number) ? number : null
}

/** Returns a non-blank string or a number as text, or null. */
export function readNonBlankText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Parses an array, a JSON array in a string, or a comma-separated string. */
export function readList(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => readNonBlankText(entry) ?? [])
  const text = readNonBlankText(value)
  if (text === null) return []
  return text
    .replace(/^\s*\[|\]\s*$/g, '')
    .split(',')
    .map((entry) => entry.trim().replace(/^["']|["']$/g, ''))
    .filter((entry) => entry !== '')
}

/** Renders empty elements with alternative ids, as targets of links. */
export function otherAnchors(ids: readonly string[]): ComponentChildren {
  const free = ids.flatMap((id) => pageScope().otherAnchor(id) ?? [])
  return free.map((id) => h('span', { class: 'other-anchor', id, key: id }))
}

/** Parses line numbers, which start at 1, from `[1,3]`, `{1,3-5}`, `4` or an array. */
export function lineNumbers(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  const parts = Array.isArray(value)
    ? value.map(String)
    : (readNonBlankText(value) ?? '').replace(/[[\]{}\s]/g, '').split(',')
  return parts.flatMap((part) => {
    const [from, to] = part.split('-').map(Number)
    if (from === undefined || !Number.isInteger(from) || from < 1) return []
    const last = to !== undefined && Number.isInteger(to) ? Math.min(to, from + 9999) : from
    return Array.from({ length: Math.max(0, last - from + 1) }, (_, index) => from + index)
  })
}

export function classes(...names: unknown[]): string {
  return names.filter((name) => typeof name === 'string' && name !== '').join(' ')
}

export function readClass(props: AuthorProps): string {
  return classes(props.className, props.class)
}

/** Returns a `style` attribute from a string or an object, or undefined. */
export function readStyle(value: unknown): string | Record<string, string | number> | undefined {
  if (typeof value === 'string') return value
  return value !== null && typeof value === 'object' ? (value as Record<string, string | number>) : undefined
}

/** Renders a title. Parses markup in a string, and returns an element unchanged. */
export function toMarkup(value: unknown, links = true): ComponentChildren {
  if (typeof value !== 'string') return isRenderable(value) ? value : null
  if (!/[`*_<&[]/.test(value)) return value
  return <span dangerouslySetInnerHTML={{ __html: inlineMarkup(value, { links }) }} />
}

/** Returns a title as plain text, for ids, labels and the table of contents. */
export function toPlainText(value: unknown): string {
  if (typeof value === 'string') return plainText(value).trim()
  return isRenderable(value) ? textOf(value).trim() : ''
}

/** Returns false for values that JSX cannot render, such as an object or function. */
export function isRenderable(value: unknown): value is ComponentChildren {
  if (value === null || value === undefined || typeof value === 'boolean') return false
  if (typeof value === 'object') return Array.isArray(value) || isValidElement(value)
  return typeof value === 'string' || typeof value === 'number'
}

export function isBlank(children: ComponentChildren): boolean {
  return toChildArray(children).every((child) => typeof child === 'string' && child.trim() === '')
}

const IMAGE = /^(?:https?:)?\/\/|^\.{0,2}\/|\.(?:svg|png|jpe?g|webp|gif|avif|ico)(?:[?#].*)?$/i
const LIBRARIES = ['fontawesome', 'lucide', 'tabler'] as const

export interface IconAppearance extends Omit<IconOptions, 'color'> {
  color?: string | null
}

/** Renders the icon of a component, if any. `icon` is a name, path, URL, `<svg>` or `{ name, style }`. */
export function iconElement(props: AuthorProps, appearance: IconAppearance = {}): VNode | null {
  const { icon } = props
  if (isValidElement(icon)) return <span class={classes('icon icon-svg', appearance.className)}>{icon}</span>
  const found = readIcon(icon, props.iconType, props.iconLibrary)
  if (found === null) return null
  const options = { ...appearance, color: appearance.color ?? undefined } as IconOptions
  if (found.kind === 'name') return namedIcon(found, options)
  return <span class="icon-frame" dangerouslySetInnerHTML={{ __html: iconElementHtml(found, options) }} />
}

/** Renders a Lucide icon of the theme. */
export function ownIcon(name: string, appearance: IconAppearance = {}): VNode {
  const options = { ...appearance, color: appearance.color ?? undefined } as IconOptions
  return namedIcon({ kind: 'name', name, style: null, library: 'lucide' }, options)
}

/** Renders a placeholder or, in an island, the icon inside an element whose content the browser preserves. */
function namedIcon(icon: Extract<Icon, { kind: 'name' }>, options: IconOptions): VNode {
  if (!pageScope().isInIsland) return h('o-icon', iconAttributes(icon, options))
  const html = pageScope().icon(iconAttributes(icon, options)) ?? iconElementHtml(icon, options)
  const key = [icon.library, icon.name, icon.style ?? ''].join('/')
  return <span class="icon-frame" data-icon={key} dangerouslySetInnerHTML={{ __html: html }} />
}

function readIcon(value: unknown, type: unknown, libraryName: unknown): Icon | null {
  const library = LIBRARIES.find((name) => name === libraryName) ?? pageScope().iconLibrary
  if (typeof value === 'object' && value !== null && 'name' in value) {
    const object = value as { name: unknown; style?: unknown; library?: unknown }
    return readIcon(object.name, object.style ?? type, object.library ?? libraryName)
  }
  const text = readNonBlankText(value)?.trim()
  if (!text) return null
  if (text.startsWith('<svg')) return { kind: 'svg', svg: text }
  if (IMAGE.test(text)) return { kind: 'image', src: text }
  const names = text.split(/\s+/).map((word) => word.replace(/^fa-/, ''))
  const name = names.at(-1) ?? text
  const style = readNonBlankText(type) ?? (names.length > 1 ? (names[0] ?? null) : null)
  return { kind: 'name', name, style, library }
}
