/** What the dashboard's sources say: the messages that they name, and texts that no language could change. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { AUDIT_ACTIONS, type AuditAction, auditSentence } from '../../src/base/api/audit-actions.ts'
import { RUN_REASONS } from '../../src/base/api/form-choices.ts'
import { HOLDERS, RETENTION } from '../../src/base/api/retention.ts'
import { ERROR_CODES, type ErrorCode, errorSentence } from '../../src/base/errors/errors.ts'
import { FINDING_TEXTS } from '../../src/base/errors/finding-texts.ts'
import { FORM_FAULTS, faultTemplate, SHAPE_FAULTS } from '../../src/base/errors/form-faults.ts'
import { JOB_ERRORS } from '../../src/base/errors/job-errors.ts'
import { NOTIFICATION_KINDS } from '../../src/features/notifications/operations/notification-kinds.ts'
import { root } from './source-files.ts'

export interface Message {
  /** As a language's file names it. */
  key: string
  /** Its forms differ by how many there are. */
  isPlural: boolean
  place: string
}

interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

export const WORDS_FOLDER = 'web/dashboard/src/words'

/** Of `web/dashboard/src/words/words.ts`: which argument is the name of the message. */
const CALLS: Readonly<Record<string, number>> = { t: 0, rich: 0, plural: 2, richPlural: 2 }

/** Attributes and fields whose text people read. */
const READ = new Set(
  [
    ...['title', 'about', 'label', 'aria-label', 'placeholder', 'alt', 'action', 'hint', 'heading', 'note'],
    ...['description', 'help', 'caption', 'summary', 'sentence', 'text', 'busy'],
  ].values(),
)

/** Their text is code, which every language writes alike. */
const CODE = new Set(['code', 'kbd', 'pre', 'Kbd', 'CodeBlock'])

/** Like a sentence: two words of which one is small and common, or a capital and a full stop. */
const PROSE =
  /\b(?:the|of|is|are|was|were|has|have|no|not|this|that|and|by|with|your|you)\b.* |^[A-Z][a-z]+ [a-z]+|^[A-Z][a-z].*[.?!…]$/

/** Refusals that only programs and readers of sites meet, and those that the dashboard has a view of its own for. */
const NOT_ON_THE_DASHBOARD: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'malformed_json',
  'malformed_http',
  'unsupported_media_type',
  'headers_too_large',
  'method_not_allowed',
  'unauthorized',
  'scope_missing',
  'address_refused',
  'maker_role_missing',
  'key_limited',
  'cross_site_refused',
  'metrics_refused',
  'origin_refused',
  'proof_required',
  'idempotency_in_progress',
  'idempotency_body_differs',
  'feedback_id_taken',
  'push_not_signed',
  'site_archived',
  'bundle_rebuilding',
  'link_expired',
  'link_altered',
  'object_gone',
  'object_changed',
  'range_not_satisfiable',
  'automation_kind_fixed',
  'automation_without_address',
  'reviewed_elsewhere',
  'risks_unconfirmed',
  'dashboard_unavailable',
  'site_unavailable',
  'assistant_spent',
  'assistant_unavailable',
])

/** Of the tables that the server reads too: what `told` and `translateRichSentence` are given. */
export function toldSentences(): string[] {
  return [
    ...(Object.keys(AUDIT_ACTIONS) as AuditAction[]).map(auditSentence),
    ...ERROR_CODES.filter((code) => !NOT_ON_THE_DASHBOARD.has(code)).map(errorSentence),
    ...[...Object.values(FORM_FAULTS), ...SHAPE_FAULTS].map((words) => faultTemplate(words).template),
    ...FINDING_TEXTS.flatMap(([, { meaning, remedy }]) =>
      remedy === undefined ? [meaning] : [meaning, remedy],
    ),
    ...Object.values(HOLDERS),
    ...Object.values(JOB_ERRORS).flatMap(({ meaning, remedy }) => [meaning, remedy]),
    ...Object.values(NOTIFICATION_KINDS).map(({ label }) => label),
    ...Object.values(RUN_REASONS),
    ...Object.values(RETENTION).map(({ what }) => what),
  ]
}

export function dashboardSources(): string[] {
  return globSync('web/dashboard/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|\/src\/words\//.test(file))
    .sort()
}

/** All messages, each as often as it is named, and what is wrong with how sources name them. */
export function readMessages(files: readonly string[] = dashboardSources()): {
  messages: Message[]
  faults: string[]
} {
  const messages = toldSentences().map((key): Message => ({ key, isPlural: false, place: 'src/base/errors' }))
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
      else messages.push({ key, isPlural: call.name.toLowerCase().endsWith('plural'), place: placeOf(node) })
    })
  }
  return { messages, faults: [...faults, ...twofold(messages)] }
}

/** One translation cannot be a text and forms by how many. */
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

/** `Open|state` for `t('Open', { context: 'state' })`. */
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

/** A text that is shown as it stands. */
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

/** The value of an attribute or field that people read. */
function isNamed({ type, name, key }: Node): boolean {
  const named = type === 'JSXAttribute' ? name : type === 'Property' ? key : null
  return isNode(named) && READ.has(String(named.name))
}

/** Neither part of a message, nor of a type, an import, an error for developers, code, or a list of classes. */
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

/** What a language's file lacks, has too much, or has differently from the English text. */
export function catalogFaults(
  tag: string,
  catalog: Readonly<Record<string, unknown>>,
  messages: readonly Message[],
): string[] {
  const known = new Map(messages.map((message) => [message.key, message]))
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  return [
    ...[...known.keys()]
      .filter((key) => !Object.hasOwn(catalog, key))
      .map((key) => `lacks ${JSON.stringify(key)}`),
    ...Object.entries(catalog).flatMap(([key, translation]) => {
      const message = known.get(key)
      if (message === undefined) return [`${JSON.stringify(key)} is no message any more`]
      return formsOf(message, translation, categories).flatMap((form) => formFaults(key, form))
    }),
  ]
}

/** `null`: a form that is no text, or is not there. Millions (`many` in French and Spanish) may go by `other`. */
function formsOf(
  { isPlural }: Message,
  translation: unknown,
  categories: readonly string[],
): (string | null)[] {
  if (!isPlural || categories.length === 1) return [typeof translation === 'string' ? translation : null]
  const forms: Record<string, unknown> = Object(translation)
  return categories
    .filter((category) => category !== 'many' || Object.hasOwn(forms, category))
    .map((category) => (typeof forms[category] === 'string' ? String(forms[category]) : null))
}

function formFaults(key: string, form: string | null): string[] {
  if (form === null || form.trim() === '') return [`${JSON.stringify(key)} has not all of its forms`]
  const given = marksOf(key.split('|')[0] ?? '')
  const wrong = marksOf(form).filter((mark) => !given.includes(mark))
  // A form may leave out how many: `one page`.
  const lost = given.filter((mark) => mark !== '{count}' && !marksOf(form).includes(mark))
  return [
    ...wrong.map((mark) => `${JSON.stringify(key)} has no ${mark}`),
    ...lost.map((mark) => `${JSON.stringify(form)} lost ${mark}`),
  ]
}

/** Values and elements; each once. */
function marksOf(text: string): string[] {
  return [...new Set(text.match(/\{[a-zA-Z]+\}|<\/?[a-z]+>/g) ?? [])]
}
