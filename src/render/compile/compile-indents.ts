/**
 * White space at the start of lines, put back into expressions: the parser takes it off, and what stands between
 * backticks (code, data) loses its shape with it.
 */
import type { SourceAttribute, SourceNode } from '../tree/source-node.ts'

/** Places in a tag where an attribute does not stand after all; each may cost a look through all of it. */
const MOST_MISSES = 50

/** Changes the tree. `text` is what it was parsed from. */
export function restoreIndents(node: SourceNode, text: string): void {
  const start = node.position?.start
  const column = start?.column ?? 1
  if (isExpression(node.type) && isShaped(node.value) && start?.offset !== undefined) {
    node.value = findShape(text, start.offset + 1, node.value, column) ?? node.value
  }
  if (start?.offset !== undefined && node.attributes?.some(isShapedAttribute))
    restoreAttributes(node.attributes, text.slice(start.offset, node.position?.end.offset), column)
  for (const child of node.children ?? []) restoreIndents(child, text)
}

/** They stand in the tag in this order, so each is looked for behind the one before. */
function restoreAttributes(attributes: readonly SourceAttribute[], tag: string, column: number): void {
  let at = 0
  let misses = 0
  for (const { name, value } of attributes) {
    if (typeof value !== 'object' || value === null || !isShaped(value.value)) continue
    const open = name === undefined ? /\{/g : new RegExp(`\\b${escapeRegExp(name)}\\s*=\\s*\\{`, 'g')
    open.lastIndex = at
    while (misses <= MOST_MISSES) {
      const shape = open.exec(tag) && findShape(tag, open.lastIndex, value.value, column)
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

function isShapedAttribute({ value }: SourceAttribute): boolean {
  return typeof value === 'object' && isShaped(value?.value)
}

function isExpression(type: string): boolean {
  return type === 'mdxFlowExpression' || type === 'mdxTextExpression'
}

function isShaped(value: string | undefined): value is string {
  return value?.includes('\n') === true && value.includes('`')
}

/**
 * The value as it stands in the text from `from` on, without the indent that its first line has; null when something
 * else stands there.
 */
function findShape(text: string, from: number, value: string, column: number): string | null {
  let shape = ''
  let at = from
  let isLineStart = false
  for (let index = 0; index < value.length; ) {
    const wanted = value.charAt(index)
    if (isLineStart) {
      const [indent = ''] = /^[ \t]*/.exec(text.slice(at, at + 400)) ?? []
      const [kept = ''] = /^[ \t]*/.exec(value.slice(index, index + 400)) ?? []
      shape += indent.slice(Math.min(column - 1, Math.max(0, indent.length - kept.length)))
      at += indent.length
      index += kept.length
      isLineStart = false
      continue
    }
    if (text.charAt(at) !== wanted) return null
    shape += wanted
    isLineStart = wanted === '\n'
    at += 1
    index += 1
  }
  return shape
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
