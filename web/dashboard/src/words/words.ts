/**
 * What the dashboard says, in the language of whoever reads it. Sources hold the English text, which is also the name of
 * a message: `t('Delete {name}', { name })`. A language is a JSON file of messages and what they are in it; a test holds
 * each complete. The language is settled before any module that says something runs, so a table at the top of a module
 * may hold messages as well as a component.
 */
import { type ComponentChildren, Fragment, h } from 'preact'
import { messageName, refusalName } from '../../../../src/base/text/message-name.ts'

/** By plural category where it counts something. */
export type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>
export type Catalog = Readonly<Record<string, Translation>>

/** What stands in braces. */
type Names<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never
/** What stands in angle brackets. */
type Tags<Message extends string> = Message extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | Tags<Rest>
  : never

type Value = string | number
/** `context` tells apart what English says in one word and other languages do not: `Open`, to do or to be. */
type Given<Message extends string> = [Names<Message>] extends [never]
  ? [values?: { context: string }]
  : [values: Record<Names<Message>, Value> & { context?: string }]
type Parts<Message extends string> = Record<Names<Message>, ComponentChildren> &
  Record<Tags<Message>, (inner: ComponentChildren) => ComponentChildren>
/** `count` fills itself in. */
type Counted<Message extends string> = Exclude<Names<Message>, 'count'>
type GivenCounted<Message extends string> = [Counted<Message>] extends [never]
  ? []
  : [values: Record<Counted<Message>, Value>]

/** Both set by `early.ts`: English has no file, for the sources are its words. Messages go by `messageName` in a file. */
export const language = globalThis.document?.documentElement.lang ?? 'en'
export const catalog: Catalog = (await globalThis.octavoWords) ?? {}
const rules = new Intl.PluralRules(language)
const whole = new Intl.NumberFormat(language)

/** A text. Numbers are written as the language writes them. */
export function t<Message extends string>(message: Message, ...[values]: Given<Message>): string {
  return filled(found(message, values?.context), values ?? {})
}

/** A text that counts: `plural(3, '{count} page', '{count} pages')`. The second form is the message's name. */
export function plural<Message extends string>(
  count: number,
  one: string,
  other: Message,
  ...[values]: GivenCounted<Message>
): string {
  return filled(foundPlural(count, one, other), { ...values, count })
}

/** A text with elements in it: `{name}` is one, `<a>text</a>` is put around what it holds. */
export function rich<Message extends string>(message: Message, parts: Parts<Message>): ComponentChildren {
  return withParts(found(message), parts)
}

/** The two together. */
export function richPlural<Message extends string>(
  count: number,
  one: string,
  other: Message,
  parts: Omit<Parts<Message>, 'count'>,
): ComponentChildren {
  return withParts(foundPlural(count, one, other), { ...parts, count: whole.format(count) })
}

/** A sentence of a table that the server reads too, and whose texts the test knows. */
export function told(sentence: string, values: Readonly<Record<string, Value>> = {}): string {
  return filled(found(sentence), values)
}

/**
 * A refusal of the server. Where the language has its code alone, and the sentence says more exactly what happened, that
 * comes as `original`, in English.
 */
export function toldRefusal(code: string, sentence: string): { words: string; original: string | null } {
  const words = catalog[refusalName(code)]
  const isOriginal = typeof words === 'string' && catalog[messageName(sentence)] === undefined
  return isOriginal ? { words, original: sentence } : { words: told(sentence), original: null }
}

/** Such a sentence with elements in it. */
export function richTold(sentence: string, parts: AnyParts): ComponentChildren {
  return withParts(found(sentence), parts)
}

function found(message: string, context?: string): string {
  const translation = catalog[messageName(context === undefined ? message : `${message}|${context}`)]
  return typeof translation === 'string' ? translation : message
}

function foundPlural(count: number, one: string, other: string): string {
  const translation = catalog[messageName(other)]
  if (translation === undefined) return count === 1 ? one : other
  if (typeof translation === 'string') return translation
  return translation[rules.select(count)] ?? translation.other ?? other
}

function filled(text: string, values: Readonly<Record<string, Value | undefined>>): string {
  return text.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : written(value)
  })
}

function written(value: Value): string {
  return typeof value === 'number' ? whole.format(value) : value
}

type AnyParts = Readonly<
  Record<string, ComponentChildren | ((inner: ComponentChildren) => ComponentChildren)>
>

function withParts(text: string, parts: AnyParts): ComponentChildren {
  const pieces = text.split(/(<([a-z]+)>[^<]*<\/[a-z]+>|\{[a-zA-Z]+\})/)
  return h(Fragment, null, ...pieces.flatMap((piece, place) => partOf(piece, place, parts)))
}

/** `split` gives texts and matches in turn: each match as a whole, then the tag in it or undefined. */
function partOf(piece: string | undefined, place: number, parts: AnyParts): ComponentChildren[] {
  if (place % 3 === 2 || piece === undefined || piece === '') return []
  if (place % 3 === 0) return [piece]
  const name = /^[{<]([a-zA-Z]+)/.exec(piece)?.[1] ?? ''
  const part = parts[name]
  if (typeof part !== 'function') return [part as ComponentChildren]
  return [part(withParts(piece.slice(name.length + 2, -name.length - 3), parts))]
}
