/** HTML of pages that the server writes itself: every value is escaped, unless it is markup already. */

const TEXT = Symbol('markup')

/** Made by `html` only: nothing that was parsed, stored or sent can pass for it. */
export interface Markup {
  readonly [TEXT]: string
}

type Value = string | number | null | Markup | readonly Markup[]

/** Values in double quotes are escaped as attributes need it, all others as text does: the same characters. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const text = parts.reduce((before, part, index) => before + textOf(values[index - 1] ?? null) + part)
  return { [TEXT]: text }
}

/** The page as it is sent. */
export function toText(markup: Markup): string {
  return markup[TEXT]
}

const NOTHING = html``

/** For a part that is there only sometimes. */
export function when(condition: unknown, markup: () => Markup): Markup {
  return condition ? markup() : NOTHING
}

function textOf(value: Value): string {
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
 * Characters that nobody sees and that change what is seen: controls, marks that turn the direction of text, marks
 * without a width. (Joiners are left alone: scripts and emoji need them.)
 */
const UNSEEN =
  /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff])/u

/** Text of a file, with its unseen characters shown by their numbers. */
export function plainly(text: string): Markup[] {
  return text.split(UNSEEN).map((piece, index) => (index % 2 === 0 ? html`${piece}` : unseen(piece)))
}

function unseen(character: string): Markup {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return html`<span class="unseen">U+${number}</span>`
}
