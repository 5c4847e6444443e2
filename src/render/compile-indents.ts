/**
 * White space at the start of lines, put back into expressions: the parser takes it off, and what stands between
 * backticks (code, data) loses its shape with it.
 */
import type { SourceNode } from './compile-repair.ts'

/** Changes the tree. `text` is what it was parsed from. */
export function restoreIndents(node: SourceNode, text: string): void {
  const start = node.position?.start
  const column = start?.column ?? 1
  if (isExpression(node.type) && isShaped(node.value) && start?.offset !== undefined) {
    node.value = findShape(text, start.offset + 1, node.value, column) ?? node.value
  }
  for (const attribute of node.attributes ?? []) {
    const { value } = attribute
    if (typeof value !== 'object' || value === null || !isShaped(value.value)) continue
    if (start?.offset === undefined) continue
    const open =
      attribute.name === undefined ? /\{/g : new RegExp(`\\b${escapeRegExp(attribute.name)}\\s*=\\s*\\{`, 'g')
    const tag = text.slice(start.offset, node.position?.end.offset)
    for (const found of tag.matchAll(open)) {
      const shape = findShape(tag, found.index + found[0].length, value.value, column)
      if (shape === null) continue
      value.value = shape
      break
    }
  }
  for (const child of node.children ?? []) restoreIndents(child, text)
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
