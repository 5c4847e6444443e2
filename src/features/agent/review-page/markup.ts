/** HTML of pages that the server renders itself: every value is escaped unless it is markup. */

const TEXT = Symbol('markup')

/** Created by `html` only: no parsed, stored or received value can pass for markup. */
export interface Markup {
  readonly [TEXT]: string
}

type Value = string | number | null | Markup | readonly Markup[]

/** Attribute values, always in double quotes, and text are escaped in the same way. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const text = parts.reduce((before, part, index) => before + renderValue(values[index - 1] ?? null) + part)
  return { [TEXT]: text }
}

/** Returns the page as a string. */
export function toText(markup: Markup): string {
  return markup[TEXT]
}

const EMPTY = html``

/** Renders an optional part. */
export function when(condition: unknown, markup: () => Markup): Markup {
  return condition ? markup() : EMPTY
}

function renderValue(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  return 'length' in value ? value.map(toText).join('') : toText(value)
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/**
 * Invisible characters that affect the display: control characters, bidirectional marks, and zero-width characters.
 * (Joiners are allowed: some scripts and emoji need them.)
 */
const INVISIBLE =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff])/u

/** Renders the text of a file with invisible characters replaced by their code points. */
export function visibleText(text: string): Markup[] {
  return text
    .split(INVISIBLE)
    .map((piece, index) => (index % 2 === 0 ? html`${piece}` : showInvisible(piece)))
}

function showInvisible(character: string): Markup {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return html`<span class="unseen">U+${number}</span>`
}
