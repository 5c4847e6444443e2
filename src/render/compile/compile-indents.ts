/**
 * Restores leading white space in expressions. The parser removes it, although it matters in template literals.
 */
import type { SourceAttribute, SourceNode } from '../tree/source-node.ts'

/** Maximum number of failed searches for an attribute, each of which may scan a whole tag. */
const MAX_FAILED_SEARCHES = 50

/** Modifies the tree. `text` is its source. */
export function restoreIndents(node: SourceNode, text: string): void {
  const start = node.position?.start
  const column = start?.column ?? 1
  if (isExpression(node.type) && isMultilineTemplate(node.value) && start?.offset !== undefined) {
    node.value = findWrittenValue(text, start.offset + 1, node.value, column) ?? node.value
  }
  if (start?.offset !== undefined && node.attributes?.some(isMultilineTemplateAttribute))
    restoreAttributes(node.attributes, text.slice(start.offset, node.position?.end.offset), column)
  for (const child of node.children ?? []) restoreIndents(child, text)
}

/** Restores attributes in order, by searching for each one after the previous one. */
function restoreAttributes(attributes: readonly SourceAttribute[], tag: string, column: number): void {
  let at = 0
  let misses = 0
  for (const { name, value } of attributes) {
    if (typeof value !== 'object' || value === null || !isMultilineTemplate(value.value)) continue
    const open = name === undefined ? /\{/g : new RegExp(`\\b${escapeRegExp(name)}\\s*=\\s*\\{`, 'g')
    open.lastIndex = at
    while (misses <= MAX_FAILED_SEARCHES) {
      const shape = open.exec(tag) && findWrittenValue(tag, open.lastIndex, value.value, column)
      if (shape !== null) {
        value.value = shape
        at = open.lastIndex
        break
      }
      misses += 1
      if (open.lastIndex === 0) break
    }
  }
}

function isMultilineTemplateAttribute({ value }: SourceAttribute): boolean {
  return typeof value === 'object' && isMultilineTemplate(value?.value)
}

function isExpression(type: string): boolean {
  return type === 'mdxFlowExpression' || type === 'mdxTextExpression'
}

function isMultilineTemplate(value: string | undefined): value is string {
  return value?.includes('\n') === true && value.includes('`')
}

/**
 * Returns the value as written at or after `from`, without the indentation of its first line. Returns null if
 * the text differs in more than white space.
 */
function findWrittenValue(text: string, from: number, value: string, column: number): string | null {
  let shape = ''
  let at = from
  let isLineStart = false
  for (let index = 0; index < value.length; ) {
    const expected = value.charAt(index)
    if (isLineStart) {
      const [indent = ''] = /^[ \t]*/.exec(text.slice(at, at + 400)) ?? []
      const [leadingBlanks = ''] = /^[ \t]*/.exec(value.slice(index, index + 400)) ?? []
      shape += indent.slice(Math.min(column - 1, Math.max(0, indent.length - leadingBlanks.length)))
      at += indent.length
      index += leadingBlanks.length
      isLineStart = false
      continue
    }
    if (text.charAt(at) !== expected) return null
    shape += expected
    isLineStart = expected === '\n'
    at += 1
    index += 1
  }
  return shape
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
