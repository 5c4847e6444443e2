/**
 * Translations of the dashboard. The source code contains the English messages, which are also their keys: `t('Delete
 * {name}', { name })`. `locales/<language>/dashboard.json` contains the translated messages, and `errors.json` those
 * of the error codes; a test verifies that each is complete. The language is set before any module with messages
 * runs, so constants at the top of a module may contain messages.
 */
import { type ComponentChildren, Fragment, h } from 'preact'
import { formatError, type Params } from '../../../../src/base/errors/format-error.ts'
import { chooseForms, formatMessage } from '../../../../src/base/text/format-message.ts'

type Catalog = Readonly<Record<string, string>>

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

/** The language and its translations are set by `early.ts`. English needs no file. */
export const language = globalThis.document?.documentElement.lang ?? 'en'
const catalog: Catalog = (await globalThis.octavoWords) ?? {}
const whole = new Intl.NumberFormat(language)
const FORMAT = { language, number: whole.format }
const ERROR_FORMAT = { ...FORMAT, expected: (code: string) => catalog[`expected.${code}`] }

/** Translates a message. Numbers are formatted for the language. */
export function t<Message extends string>(message: Message, ...[values]: MessageValues<Message>): string {
  return formatMessage(findTranslation(message, values?.context), values ?? {}, FORMAT)
}

/**
 * Translates a message with a count: `plural(3, '{count} page', '{count} pages')`. The second form is the key
 * of the message.
 */
export function plural<Message extends string>(
  count: number,
  one: string,
  other: Message,
  ...[values]: PluralValues<Message>
): string {
  return formatMessage(findPluralTranslation(count, one, other), { ...values, count }, FORMAT)
}

/**
 * Translates a message with elements: `{name}` becomes an element, `<a>text</a>` is wrapped in an element.
 */
export function rich<Message extends string>(message: Message, parts: Parts<Message>): ComponentChildren {
  return renderParts(findTranslation(message), parts)
}

export function richPlural<Message extends string>(
  count: number,
  one: string,
  other: Message,
  parts: Omit<Parts<Message>, 'count'>,
): ComponentChildren {
  return renderParts(findPluralTranslation(count, one, other), { ...parts, count: whole.format(count) })
}

/** Translates a message of a table that is shared with the server; the test also covers these tables. */
export function translateMessage(sentence: string, values: Readonly<Record<string, Value>> = {}): string {
  return formatMessage(findTranslation(sentence), values, FORMAT)
}

/** Translates the message of an error code, such as `request.not_found`; null for English and for unknown codes. */
export function translateError(name: string, params: Params = {}): string | null {
  const template = catalog[name]
  return template === undefined ? null : formatError(template, params, ERROR_FORMAT)
}

export function translateRichMessage(sentence: string, parts: AnyParts): ComponentChildren {
  return renderParts(findTranslation(sentence), parts)
}

function findTranslation(message: string, context?: string): string {
  return catalog[context === undefined ? message : `${message}|${context}`] ?? message
}

function findPluralTranslation(count: number, one: string, other: string): string {
  const translation = catalog[other]
  if (translation === undefined) return count === 1 ? one : other
  return chooseForms(translation, { count }, FORMAT)
}

type AnyParts = Readonly<
  Record<string, ComponentChildren | ((inner: ComponentChildren) => ComponentChildren)>
>

function renderParts(text: string, parts: AnyParts): ComponentChildren {
  const pieces = text.split(/(<([a-z]+)>[^<]*<\/[a-z]+>|\{[a-zA-Z]+\})/)
  return h(Fragment, null, ...pieces.flatMap((piece, index) => renderPart(piece, index, parts)))
}

/**
 * Renders a piece from `split`, which returns the texts between matches and, for each match, the whole match and its
 * tag or undefined.
 */
function renderPart(piece: string | undefined, index: number, parts: AnyParts): ComponentChildren[] {
  if (index % 3 === 2 || piece === undefined || piece === '') return []
  if (index % 3 === 0) return [piece]
  const name = /^[{<]([a-zA-Z]+)/.exec(piece)?.[1] ?? ''
  const part = parts[name]
  if (typeof part !== 'function') return [part as ComponentChildren]
  return [part(renderParts(piece.slice(name.length + 2, -name.length - 3), parts))]
}
