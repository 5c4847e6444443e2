/** Handles imports between the tags of a page. */
import type { SourceNode } from '../tree/source-node.ts'
import { takeImports } from './take-imports.ts'

export interface NestedImport {
  clause: string
  specifier: string
  line: number | null
}

/** Removes and returns imports inside tags, which Markdown parses as paragraphs. Ignores code. */
export function takeNestedImports(node: SourceNode, isInTag = false): NestedImport[] {
  if (CODE.test(node.tagName ?? node.name ?? '')) return []
  const found: NestedImport[] = []
  const isTag = isInTag || node.type.startsWith('mdxJsx')
  node.children = node.children?.filter((child) => {
    const own = isTag && beginsLine(child) ? readImports(child) : []
    found.push(...(own.length > 0 ? own : takeNestedImports(child, isTag)))
    return own.length === 0
  })
  return found
}

const CODE = /^(?:code|pre|kbd|samp|CodeBlock|CodeGroup)$/
const TEXT_NODE_TYPES = ['text', 'mdxTextExpression', 'mdxjsEsm']

/** Returns nothing unless the node consists only of imports. */
function readImports(node: SourceNode): NestedImport[] {
  const holder = isParagraph(node) ? node.children : [node]
  if (!holder?.every(({ type }) => TEXT_NODE_TYPES.includes(type))) return []
  const text = holder
    .map(({ type, value = '' }) => (type === 'mdxTextExpression' ? `{${value}}` : value))
    .join('')
  if (!/^\s*import\s/.test(text)) return []
  const found: NestedImport[] = []
  // Reverts typographic quotation marks and indentation.
  const plain = text.replace(/[“”‘’]/g, '"').replace(/^[ \t]+/gm, '')
  const rest = takeImports(plain, ({ clause, specifier, line }) => {
    const start = node.position?.start.line
    found.push({ clause, specifier, line: start === undefined ? null : start + line })
  })
  return rest.trim() === '' ? found : []
}

function isParagraph({ type, tagName }: SourceNode): boolean {
  return type === 'element' && tagName === 'p'
}

/** Returns whether the node begins a line. Imports must not follow a tag on the same line. */
function beginsLine(node: SourceNode): boolean {
  return isParagraph(node) || node.type === 'mdxjsEsm' || /^\s*\n/.test(node.value ?? '')
}
