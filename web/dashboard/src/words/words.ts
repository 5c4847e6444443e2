/**
 * Translations of the dashboard. The source code contains the English messages, which also identify them:
 * `t('Delete {name}', { name })`. A translation is a JSON file with the translated messages; a test verifies that
 * each is complete. The language is set before any module with messages runs, so constants at the top of a module
 * may contain messages.
 */
import { type ComponentChildren, Fragment, h } from 'preact'
import { messageName, refusalMessageName } from '../../../../src/base/text/message-name.ts'

/** Keyed by plural category for messages with a count. */
export type Translation = string | Partial<Record<Intl.LDMLPluralRule, string>>
export type Catalog = Readonly<Record<string, Translation>>

/** Names of the placeholders in braces. */
type Names<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never
/** Names of the tags in angle brackets. */
type Tags<Message extends string> = Message extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | Tags<Rest>
  : never

type Value = string | number
/** `context` distinguishes meanings that English expresses with the same word: `Open` as a verb or an adjective. */
type MessageValues<Message extends string> = [Names<Message>] extends [never]
  ? [values?: { context: string }]
  : [values: Record<Names<Message>, Value> & { context?: string }]
type Parts<Message extends string> = Record<Names<Message>, ComponentChildren> &
  Record<Tags<Message>, (inner: ComponentChildren) => ComponentChildren>
/** `count` is filled in automatically. */
type Counted<Message extends string> = Exclude<Names<Message>, 'count'>
type PluralValues<Message extends string> = [Counted<Message>] extends [never]
  ? []
  : [values: Record<Counted<Message>, Value>]

/** Both are set by `early.ts`. English needs no file. In a file, messages are keyed by `messageName`. */
export const language = globalThis.document?.documentElement.lang ?? 'en'
export const catalog: Catalog = (await globalThis.octavoWords) ?? {}
const rules = new Intl.PluralRules(language)
const whole = new Intl.NumberFormat(language)

/** Translates a message. Numbers are formatted for the language. */
export function t<Message extends string>(message: Message, ...[values]: MessageValues<Message>): string {
  return fillPlaceholders(findTranslation(message, values?.context), values ?? {})
}

/** Translates a message with a count: `plural(3, '{count} page', '{count} pages')`. The second form identifies it. */
export function plural<Message extends string>(
  count: number,
  one: string,
  other: Message,
  ...[values]: PluralValues<Message>
): string {
  return fillPlaceholders(findPluralTranslation(count, one, other), { ...values, count })
}

/** Translates a message with elements: `{name}` is replaced by one, `<a>text</a>` wraps its content in one. */
export function rich<Message extends string>(message: Message, parts: Parts<Message>): ComponentChildren {
  return renderParts(findTranslation(message), parts)
}

/** Combines `rich` and `plural`. */
export function richPlural<Message extends string>(
  count: number,
  one: string,
  other: Message,
  parts: Omit<Parts<Message>, 'count'>,
): ComponentChildren {
  return renderParts(findPluralTranslation(count, one, other), { ...parts, count: whole.format(count) })
}

/** Translates a sentence of a table that is shared with the server; the test also covers these tables. */
export function translateSentence(sentence: string, values: Readonly<Record<string, Value>> = {}): string {
  return fillPlaceholders(findTranslation(sentence), values)
}

/**
 * Translates an error of the server. If only the error code has a translation, and the sentence is more specific, the
 * sentence is returned as `original`, in English.
 */
export function translateServerError(
  code: string,
  sentence: string,
): { words: string; original: string | null } {
  const words = catalog[refusalMessageName(code)]
  const isOriginal = typeof words === 'string' && catalog[messageName(sentence)] === undefined
  return isOriginal ? { words, original: sentence } : { words: translateSentence(sentence), original: null }
}

/** Like `told`, with elements. */
export function translateRichSentence(sentence: string, parts: AnyParts): ComponentChildren {
  return renderParts(findTranslation(sentence), parts)
}

function findTranslation(message: string, context?: string): string {
  const translation = catalog[messageName(context === undefined ? message : `${message}|${context}`)]
  return typeof translation === 'string' ? translation : message
}

function findPluralTranslation(count: number, one: string, other: string): string {
  const translation = catalog[messageName(other)]
  if (translation === undefined) return count === 1 ? one : other
  if (typeof translation === 'string') return translation
  return translation[rules.select(count)] ?? translation.other ?? other
}

function fillPlaceholders(text: string, values: Readonly<Record<string, Value | undefined>>): string {
  return text.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : formatValue(value)
  })
}

function formatValue(value: Value): string {
  return typeof value === 'number' ? whole.format(value) : value
}

type AnyParts = Readonly<
  Record<string, ComponentChildren | ((inner: ComponentChildren) => ComponentChildren)>
>

function renderParts(text: string, parts: AnyParts): ComponentChildren {
  const pieces = text.split(/(<([a-z]+)>[^<]*<\/[a-z]+>|\{[a-zA-Z]+\})/)
  return h(Fragment, null, ...pieces.flatMap((piece, place) => renderPart(piece, place, parts)))
}

/** `split` alternates texts and matches: each match as a whole, followed by its tag or undefined. */
function renderPart(piece: string | undefined, place: number, parts: AnyParts): ComponentChildren[] {
  if (place % 3 === 2 || piece === undefined || piece === '') return []
  if (place % 3 === 0) return [piece]
  const name = /^[{<]([a-zA-Z]+)/.exec(piece)?.[1] ?? ''
  const part = parts[name]
  if (typeof part !== 'function') return [part as ComponentChildren]
  return [part(renderParts(piece.slice(name.length + 2, -name.length - 3), parts))]
}
