/** Checks the translations in `locales` for missing, obsolete and incomplete messages, and finds untranslated texts. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { RUN_REASONS } from '../../src/base/api/form-choices.ts'
import { RETENTION, STORAGE_HOLDER_LABELS } from '../../src/base/api/retention.ts'
import { listErrorMessages } from '../../src/base/errors/errors.ts'
import { AUDIT_ACTIONS, type AuditAction, auditMessage } from '../../src/features/audit-actions.ts'
import { NOTIFICATION_KINDS } from '../../src/features/notifications/operations/notification-kinds.ts'
import { ENGLISH } from '../../src/render/words/ui-text.ts'
import { root } from './source-files.ts'

export interface Message {
  /** Key in the translation files. */
  key: string
  text: string
  isPlural: boolean
  place: string
}

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** Functions of `web/dashboard/src/words/words.ts`, with the index of the argument that names the message. */
const CALLS: Readonly<Record<string, number>> = { t: 0, rich: 0, plural: 2, richPlural: 2 }

/** Attributes and properties with user-visible text. */
const READ = new Set(
  [
    ...['title', 'about', 'label', 'aria-label', 'placeholder', 'alt', 'action', 'hint', 'heading', 'note'],
    ...['description', 'help', 'caption', 'summary', 'sentence', 'text', 'busy'],
  ].values(),
)

/** Elements that contain code, which is not translated. */
const CODE = new Set(['code', 'kbd', 'pre', 'Kbd', 'CodeBlock'])

/** Matches prose: a common short word next to another word, a capitalized phrase, or a capital and a full stop. */
const PROSE =
  /\b(?:the|of|is|are|was|were|has|have|no|not|this|that|and|by|with|your|you)\b.* |^[A-Z][a-z]+ [a-z]+|^[A-Z][a-z].*[.?!…]$/

/** Texts of tables shared with the server, which `translateMessage` and `translateRichMessage` translate. */
export function toldSentences(): string[] {
  return [
    ...(Object.keys(AUDIT_ACTIONS).sort() as AuditAction[]).map(auditMessage),
    ...Object.values(STORAGE_HOLDER_LABELS),
    ...Object.values(NOTIFICATION_KINDS).map(({ label }) => label),
    ...Object.values(RUN_REASONS),
    ...Object.values(RETENTION).map(({ what }) => what),
  ]
}

/** Messages by translation file. Pages are available in more languages than the dashboard. */
export const SECTIONS: Readonly<Record<string, () => readonly Message[]>> = {
  site: () =>
    Object.entries(ENGLISH).map(([key, text]) => ({ key, text, isPlural: false, place: 'src/render/words' })),
  dashboard: () => readMessages().messages,
  errors: () =>
    Object.entries(listErrorMessages()).map(([key, text]) => ({
      ...{ key, text, place: 'src/base/errors/catalogue.ts' },
      isPlural: text.includes(', plural, '),
    })),
}

export function localeFile(language: string, section: string): string {
  return join(root, 'locales', language, `${section}.json`)
}

export function dashboardSources(): string[] {
  return globSync('web/dashboard/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|\/src\/words\//.test(file))
    .sort()
}

/** Returns every use of a message, and faults in how the sources use them. */
export function readMessages(files: readonly string[] = dashboardSources()): {
  messages: Message[]
  faults: string[]
} {
  const messages = toldSentences().map(
    (key): Message => ({ key, text: key, isPlural: false, place: 'src/base' }),
  )
  const faults: string[] = []
  for (const file of files) {
    const code = readFileSync(join(root, file), 'utf8')
    const placeOf = ({ start }: Node) => `${file}:${code.slice(0, start).split('\n').length}`
    walk(parseSync(file, code).program, [], (node, above) => {
      const call = callOf(node)
      if (call === null) {
        const text = looseText(node, above)
        if (text !== null) faults.push(`${placeOf(node)} says ${JSON.stringify(text)} in English alone`)
        return
      }
      const key = keyOf(call.arguments, CALLS[call.name] ?? 0)
      if (key === null) faults.push(`${placeOf(node)} names a message by something else than a text`)
      else
        messages.push({
          ...{ key, text: key.split('|')[0] ?? '', place: placeOf(node) },
          isPlural: call.name.toLowerCase().endsWith('plural'),
        })
    })
  }
  return { messages, faults: [...faults, ...twofold(messages)] }
}

/** Reports messages that are used both as plain text and as plural: one translation cannot be both. */
function twofold(messages: readonly Message[]): string[] {
  const plurals = new Set(messages.filter(({ isPlural }) => isPlural).map(({ key }) => key))
  return messages
    .filter(({ key, isPlural }) => !isPlural && plurals.has(key))
    .map(({ key, place }) => `${place} names ${JSON.stringify(key)}, which counts elsewhere`)
}

function walk(value: unknown, above: readonly Node[], visit: (node: Node, above: readonly Node[]) => void) {
  if (Array.isArray(value)) for (const one of value) walk(one, above, visit)
  if (!isNode(value)) return
  visit(value, above)
  for (const child of Object.values(value)) walk(child, [...above, value], visit)
}

function callOf(node: Node): { name: string; arguments: Node[] } | null {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return null
  const { name } = node.callee
  if (typeof name !== 'string' || !Object.hasOwn(CALLS, name)) return null
  return { name, arguments: node.arguments as Node[] }
}

/** Returns `Open|state` for `t('Open', { context: 'state' })`; null if the message is not a string literal. */
function keyOf(given: readonly Node[], place: number): string | null {
  const message = textOf(given[place])
  if (message === null) return null
  const properties = (given[place + 1]?.properties ?? []) as Node[]
  const context = properties.find(({ key }) => isNode(key) && key.name === 'context')
  return context === undefined ? message : `${message}|${textOf(context.value as Node)}`
}

function textOf(node: Node | undefined): string | null {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}

/** Returns the text of a node if it is shown untranslated, otherwise null. */
function looseText(node: Node, above: readonly Node[]): string | null {
  const parent = above.at(-1)
  if (parent === undefined) return null
  if (node.type === 'JSXText')
    return isRead(above) && /[A-Za-z]{2}/.test(String(node.value)) ? String(node.value).trim() : null
  const text = textOf(node) ?? quasiText(node)
  if (text === null || !/[A-Za-z]{2}/.test(text) || !isRead(above)) return null
  return isNamed(parent) || PROSE.test(text) ? text : null
}

function quasiText({ type, value }: Node): string | null {
  return type === 'TemplateElement' ? String((value as { cooked: unknown }).cooked) : null
}

/** Returns whether the node is an attribute or property with user-visible text. */
function isNamed({ type, name, key }: Node): boolean {
  const named = type === 'JSXAttribute' ? name : type === 'Property' ? key : null
  return isNode(named) && READ.has(String(named.name))
}

/** Returns false inside messages, types, imports, thrown errors, code and class lists. */
function isRead(above: readonly Node[]): boolean {
  return !above.some((node) => {
    if (callOf(node) !== null || /^TS|^Import|^Export.*Source/.test(node.type)) return true
    if (node.type === 'ThrowStatement') return true
    const named = node.type === 'JSXAttribute' ? node.name : node.type === 'Property' ? node.key : null
    if (isNode(named) && /^(?:class|className|.*Class)$/.test(String(named.name))) return true
    const opening = node.openingElement
    return isNode(opening) && isNode(opening.name) && CODE.has(String(opening.name.name))
  })
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Reports missing, obsolete and mismatching translations of a file. */
export function catalogFaults(
  tag: string,
  catalog: Readonly<Record<string, unknown>>,
  messages: readonly Message[],
): string[] {
  const known = new Map(messages.map((message) => [message.key, message]))
  const missing = [...known.keys()].filter((key) => !Object.hasOwn(catalog, key))
  return [
    ...missing.map((key) => `lacks ${JSON.stringify(key)}`),
    ...Object.entries(catalog).flatMap(([key, translation]) => {
      const message = known.get(key)
      if (message === undefined) return [`${JSON.stringify(key)} is no message any more`]
      if (typeof translation !== 'string' || translation.trim() === '')
        return [`${JSON.stringify(key)} is empty`]
      return translationFaults(tag, message, translation)
    }),
  ]
}

const CHOICE = /\{(\w+), (plural|select), ((?:\s*\w+ \{(?:[^{}]|\{\w+\})*\})+)\}/
const FORM = /(\w+) \{((?:[^{}]|\{\w+\})*)\}/g

function translationFaults(tag: string, { key, text, isPlural }: Message, translation: string): string[] {
  const given = marksOf(text)
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  // `many` is for millions in French and Spanish; `other` may stand in for it.
  const needed = isPlural && categories.length > 1 ? categories.filter((category) => category !== 'many') : []
  const forms = formsOf(translation)
  const kept = given.filter(
    (mark) => mark !== '{count}' && formsOf(text).every(([, form]) => form.includes(mark)),
  )
  const lost = (form: string) => kept.filter((mark) => !form.includes(mark))
  return [
    ...needed
      .filter((category) => !forms.some(([name]) => name === category))
      .map((category) => `${JSON.stringify(key)} has no form for \`${category}\``),
    ...forms.flatMap(([, form]) => [
      ...marksOf(form)
        .filter((mark) => !given.includes(mark))
        .map((mark) => `${JSON.stringify(key)} has no ${mark}`),
      ...lost(form).map((mark) => `${JSON.stringify(form)} lost ${mark}`),
    ]),
  ]
}

/** Returns the forms of a message by plural or select category; a message without choices has one form. */
function formsOf(text: string): (readonly [category: string, form: string])[] {
  const choice = CHOICE.exec(text)
  if (choice === null) return [['', text]]
  const [whole, name = '', , forms = ''] = choice
  return [...forms.matchAll(FORM)].flatMap(([, category = '', form = '']) =>
    formsOf(text.replace(whole, () => form.replaceAll('#', `{${name}}`))).map(
      ([, rest]) => [category, rest] as const,
    ),
  )
}

/** Returns the distinct placeholders and tags of all forms. */
function marksOf(text: string): string[] {
  const forms = formsOf(text).map(([, form]) => form)
  const mark = text.includes('</') ? /\{[^}]*\}?|<\/?[a-z]+>/g : /\{[^}]*\}?/g
  return [...new Set(forms.join(' ').match(mark) ?? [])]
}
