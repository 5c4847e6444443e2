/** What the dashboard's sources say: the messages that they name, and texts that no language could change. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
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

export function dashboardSources(): string[] {
  return globSync('web/dashboard/src/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$|\/src\/words\//.test(file))
    .sort()
}

/** All messages, and what is wrong with how sources name them. */
export function readMessages(files: readonly string[] = dashboardSources()): {
  messages: Message[]
  faults: string[]
} {
  const messages: Message[] = []
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
  return { messages, faults }
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
