/** Converts a parsed file to a tree for the isolate. */

import type { DynamicProp, Literal, LiteralProps, TreeExpression, TreeNode } from '../tree/program.ts'
import type { SourceAttribute, SourceNode } from '../tree/source-node.ts'
import { type CodeMeta, parseCodeMeta } from './code-meta.ts'
import { type CompiledExpression, compileExpression } from './compile-expression.ts'
import { resolveAddress, URL_PROPS } from './compile-links.ts'
import type { VariableContext } from './compile-variables.ts'
import type { MathResult } from './math.ts'
import { isTwoslash, withoutTwoslash } from './twoslash.ts'

export interface TreeDeps {
  /** Path below the docs folder. */
  file: string
  isSnippet: boolean
  restore(text: string, variableContext: VariableContext, line: number | null): string
  /** Registers a component. Returns the number that identifies it in the isolate. */
  mark(line: number | null, label: string): number
  /** Adds a function body. Returns its index. */
  addCode(body: string): number
  problem(line: number | null, code: string, message: string, remedy: string): void
  /** Called for each twoslash block. Only the first one of a file is reported. */
  noteTwoslash(line: number | null): void
  math(tex: string, isBlock: boolean): MathResult
  /** Called for each code block, in order. */
  sample(line: number | null, meta: CodeMeta, code: string): void
}

export function compileTree(deps: TreeDeps, root: SourceNode): TreeNode[] {
  return children(deps, root)
}

function children(deps: TreeDeps, parent: SourceNode): TreeNode[] {
  const compiledNodes: TreeNode[] = []
  for (const node of parent.children ?? []) {
    const compiled = compileNode(deps, node)
    if (compiled === null) continue
    if (Array.isArray(compiled)) compiledNodes.push(...compiled)
    else if (typeof compiled === 'string' && typeof compiledNodes.at(-1) === 'string')
      compiledNodes.push(compiledNodes.pop() + compiled)
    else compiledNodes.push(compiled)
  }
  return compiledNodes
}

function compileNode(deps: TreeDeps, node: SourceNode): TreeNode | TreeNode[] | null {
  switch (node.type) {
    case 'text':
      return deps.restore(node.value ?? '', 'text', getLine(node))
    case 'element':
      return element(deps, node)
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return jsx(deps, node)
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return textExpression(deps, node)
    default:
      return null // comments, imports and exports
  }
}

function element(deps: TreeDeps, node: SourceNode): TreeNode {
  const tag = node.tagName ?? 'div'
  if (tag === 'pre') {
    const code = node.children?.length === 1 ? node.children[0] : undefined
    if (code?.tagName === 'code') return codeBlock(deps, node, code)
  }
  if (tag === 'code' && classNames(node).includes('math-inline'))
    return math(deps, node, false, getLine(node))
  if (tag === 'blockquote') {
    const alert = compileAlert(deps, node)
    if (alert) return alert
  }
  const props = /^h[1-6]$/.test(tag) ? headingProps(htmlProps(deps, node)) : htmlProps(deps, node)
  const isFootnotesTitle = props?.id === 'footnote-label'
  const inner = compileInner(deps, node, tag)
  // An empty header cell becomes a data cell.
  const isEmptyHead = tag === 'th' && inner.length === 0
  return {
    tag: isFootnotesTitle ? 'p' : isEmptyHead ? 'td' : tag,
    ...(isFootnotesTitle || tag === 'code' ? { isPlain: true as const } : {}),
    ...(props ? { props } : {}),
    ...(inner.length > 0 ? { children: inner } : {}),
  }
}

function compileInner(deps: TreeDeps, node: SourceNode, tag: string): TreeNode[] {
  if (tag === 'code') return [deps.restore(readText(node), 'code', getLine(node))]
  return tag === 'tr' ? compileCells(node, children(deps, node)) : children(deps, node)
}

/** Adds `scope="col"` to the cells of a header row with an empty corner. Otherwise, they might apply to the row. */
function compileCells(row: SourceNode, cells: TreeNode[]): TreeNode[] {
  const isHeads = row.children?.every((cell) => cell.tagName === undefined || cell.tagName === 'th')
  const tagOf = (cell: TreeNode) => (typeof cell === 'object' && 'tag' in cell ? cell.tag : null)
  if (!isHeads || !cells.some((cell) => tagOf(cell) === 'td')) return cells
  return cells.map((cell) =>
    typeof cell === 'object' && 'tag' in cell && cell.tag === 'th'
      ? { ...cell, props: { scope: 'col', ...cell.props } }
      : cell,
  )
}

function codeBlock(deps: TreeDeps, pre: SourceNode, node: SourceNode): TreeNode {
  const line = getLine(pre)
  if (classNames(node).includes('math-display')) return math(deps, node, true, line)
  const written = deps.restore(readText(node).replace(/\n$/, ''), 'code', line)
  const named = classNames(node).find((name) => name.startsWith('language-'))
  const info = deps.restore(
    `${node.data?.lang ?? named?.slice(9) ?? ''} ${node.data?.meta ?? ''}`,
    'code',
    line,
  )
  const meta = parseCodeMeta(info.trim())
  const text = isTwoslash(meta) ? twoslashCode(deps, written, line) : written
  deps.sample(line, meta, text)
  if (meta.language === 'mermaid') {
    const props = { chart: text, ...meta.rest }
    return { name: 'Mermaid', mark: deps.mark(line, 'Mermaid'), props }
  }
  if (meta.language === 'math') return math(deps, node, true, line)
  const { highlight, focus } = meta
  const props: LiteralProps = { language: meta.language, highlight, focus }
  if (meta.title !== null) props.filename = meta.title
  if (meta.icon !== null) props.icon = meta.icon
  for (const flag of ['lines', 'wrap', 'nocopy', 'expandable', 'diff'] as const)
    if (meta[flag]) props[flag] = true
  const hasHoles = deps.isSnippet && /\{(?:props\.)?[A-Za-z_$]/.test(text)
  return {
    name: 'CodeBlock',
    mark: deps.mark(line, 'code block'),
    props,
    children: [hasHoles ? { template: text } : text],
  }
}

function twoslashCode(deps: TreeDeps, written: string, line: number | null): string {
  deps.noteTwoslash(line)
  return withoutTwoslash(written)
}

function math(deps: TreeDeps, node: SourceNode, isBlock: boolean, line: number | null): TreeNode {
  const tex = deps.restore(readText(node), 'code', null).trim()
  const result = deps.math(tex, isBlock)
  if ('html' in result) return { html: result.html, text: tex }
  deps.problem(line, 'math.syntax', `Cannot render the formula: ${result.error}.`, 'Correct the formula.')
  const code: TreeNode = { tag: 'code', isPlain: true, props: { class: 'math-error' }, children: [tex] }
  return isBlock ? { tag: 'pre', isPlain: true, children: [code] } : code
}

const ALERTS: Readonly<Record<string, string>> = {
  NOTE: 'Note',
  TIP: 'Tip',
  IMPORTANT: 'Info',
  WARNING: 'Warning',
  CAUTION: 'Danger',
}

/** Converts an alert: `> [!NOTE]` and the text after it. */
function compileAlert(deps: TreeDeps, node: SourceNode): TreeNode | null {
  const first = node.children?.find((child) => child.type === 'element')
  const text = first?.tagName === 'p' ? first.children?.[0] : undefined
  if (!first || text?.type !== 'text') return null
  const found = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i.exec(text.value ?? '')
  if (!found) return null
  const rest = { ...text, value: (text.value ?? '').slice(found[0].length) }
  const paragraph = { ...first, children: [rest, ...(first.children ?? []).slice(1)] }
  const isEmpty = rest.value === '' && paragraph.children.length === 1
  const content = (node.children ?? []).flatMap((child) =>
    child === first ? (isEmpty ? [] : [paragraph]) : [child],
  )
  const name = ALERTS[found[1]?.toUpperCase() ?? ''] ?? 'Note'
  return {
    name,
    mark: deps.mark(getLine(node), name),
    children: children(deps, { ...node, children: content }),
  }
}

function jsx(deps: TreeDeps, node: SourceNode): TreeNode | TreeNode[] {
  const name = node.name ?? ''
  if (name === '') return children(deps, node)
  const line = getLine(node)
  const isTag = /^[a-z]/.test(name) && !name.includes('.')
  const { props, dynamic } = jsxProps(deps, node, line, isTag)
  if (name === 'Latex' || name === 'Math') {
    const tex = readTex(node.children ?? [])
    if (tex !== null && tex.trim() !== '')
      return math(deps, { ...node, children: [{ type: 'text', value: tex }] }, false, line)
  }
  const inner = children(deps, isTag && PARAGRAPH_UNWRAPPING_TAGS.has(name) ? withoutParagraphs(node) : node)
  const shared = {
    ...(Object.keys(props).length > 0 ? { props } : {}),
    ...(dynamic.length > 0 ? { dynamic } : {}),
    ...(inner.length > 0 ? { children: inner } : {}),
  }
  return isTag ? { tag: name, ...shared } : { name, mark: deps.mark(line, name), ...shared }
}

/** Restores braces in a formula, which were parsed as expressions. Returns null for other content. */
function readTex(nodes: readonly SourceNode[]): string | null {
  let tex = ''
  for (const node of nodes) {
    const value = node.value ?? ''
    if (node.type === 'text') tex += value
    else if (/^mdx(?:Text|Flow)Expression$/.test(node.type)) {
      const compiled = compileExpression(value)
      const isText = compiled.kind === 'literal' && typeof compiled.value === 'string'
      tex += isText && nodes.length === 1 ? compiled.value : `{${value}}`
    } else if (node.type === 'element' && node.tagName === 'p') {
      const inner = readTex(node.children ?? [])
      if (inner === null) return null
      tex += inner
    } else return null
  }
  return tex
}

/**
 * Elements in which paragraphs are unwrapped, because browsers would end the element at a paragraph, or because
 * authors style the element.
 */
const PARAGRAPH_UNWRAPPING_TAGS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'])

/** Unwraps paragraphs, which Markdown creates from separate lines in a tag. */
function withoutParagraphs(node: SourceNode): SourceNode {
  const flat = (node.children ?? []).flatMap((child) =>
    child.type === 'element' && child.tagName === 'p' ? (child.children ?? []) : [child],
  )
  return { ...node, children: flat }
}

function jsxProps(deps: TreeDeps, node: SourceNode, line: number | null, isTag: boolean) {
  const props: LiteralProps = {}
  const dynamic: DynamicProp[] = []
  for (const attribute of node.attributes ?? []) {
    const name = attribute.type === 'mdxJsxAttribute' ? (attribute.name ?? '') : null
    if (name === 'key' || name === 'ref' || name === '__proto__') continue
    // Event handlers do not run during rendering, and HTML cannot contain functions.
    if (isTag && name !== null && /^on[A-Z]/.test(name) && typeof attribute.value === 'object') continue
    const value = attributeValue(deps, attribute, line)
    if (value === null) continue
    if (value.kind === 'dynamic') dynamic.push({ name, value: value.expression })
    else if (name !== null) props[name] = address(deps, name, value.literal)
    else if (typeof value.literal === 'object') Object.assign(props, value.literal)
  }
  return { props, dynamic }
}

type AttributeValue = { kind: 'literal'; literal: Literal } | { kind: 'dynamic'; expression: TreeExpression }

function attributeValue(
  deps: TreeDeps,
  attribute: SourceAttribute,
  line: number | null,
): AttributeValue | null {
  const { value } = attribute
  if (attribute.type === 'mdxJsxAttribute' && (value === null || value === undefined)) {
    return { kind: 'literal', literal: true }
  }
  if (attribute.type === 'mdxJsxAttribute' && typeof value === 'string') {
    return { kind: 'literal', literal: deps.restore(value, 'text', line) }
  }
  const written = typeof value === 'object' && value !== null ? value.value : String(value ?? '')
  const source = deps.restore(written.replace(/^\s*\.\.\./, ''), 'script', line)
  const compiled = compileExpression(source)
  if (compiled.kind === 'literal') return { kind: 'literal', literal: compiled.value }
  const expression = treeExpression(deps, compiled, source, line)
  return expression === null || typeof expression === 'string' ? null : { kind: 'dynamic', expression }
}

function address(deps: TreeDeps, name: string, value: Literal): Literal {
  return typeof value === 'string' && URL_PROPS.has(name) ? resolveAddress(value.trim(), deps.file) : value
}

function textExpression(deps: TreeDeps, node: SourceNode): TreeNode | null {
  const line = getLine(node)
  const source = deps.restore(node.value ?? '', 'script', line)
  const compiled = compileExpression(source)
  if (compiled.kind === 'literal') {
    return literalText(compiled.value) || null
  }
  return treeExpression(deps, compiled, source, line)
}

/** Returns text and numbers as text, lists as the text of their items, and nothing for other values. */
function literalText(value: Literal): string {
  if (Array.isArray(value)) return value.map(literalText).join('')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Returns null for a comment, or the source as text if it cannot be compiled. */
function treeExpression(
  deps: TreeDeps,
  compiled: CompiledExpression,
  source: string,
  line: number | null,
): TreeExpression | string | null {
  if (compiled.kind === 'nothing' || compiled.kind === 'literal') return null
  const written = `{${source}}`
  if (compiled.kind === 'error') {
    deps.problem(
      line,
      'mdx.expression',
      `Cannot parse the expression ${shorten(written)}: ${compiled.message}.`,
      'Correct the expression, or escape the brace as \\{ if it is text.',
    )
    return written
  }
  const mark = deps.mark(line, shorten(written))
  if (compiled.kind === 'path') return { mark, source: written, path: compiled.path }
  return { mark, source: written, code: deps.addCode(compiled.body) }
}

/** Converts DOM properties to HTML attributes. */
function htmlProps(deps: TreeDeps, node: SourceNode): LiteralProps | null {
  let props: LiteralProps | null = null
  for (const [name, value] of Object.entries(node.properties ?? {})) {
    if (value === null || value === undefined || value === false) continue
    props ??= {}
    props[attributeName(name)] = attributeText(deps, name, value, getLine(node))
  }
  return props
}

/** Restores an id with spaces, `{#id with space}`, which is parsed as an id and empty attributes. */
function headingProps(props: LiteralProps | null): LiteralProps | null {
  if (!props || typeof props.id !== 'string') return props
  const { id, ...rest } = props
  const words = Object.keys(rest).filter((name) => rest[name] === '')
  for (const word of words) delete rest[word]
  return { ...rest, id: [id, ...words].join('-') }
}

function attributeText(deps: TreeDeps, name: string, value: unknown, line: number | null): Literal {
  if (value === true || typeof value === 'number') return value
  const text = deps.restore(Array.isArray(value) ? value.join(' ') : String(value), 'text', line)
  return address(deps, name, text)
}

function attributeName(name: string): string {
  if (name === 'className') return 'class'
  if (name === 'htmlFor') return 'for'
  if (/^aria[A-Z]/.test(name)) return `aria-${name.slice(4).toLowerCase()}`
  if (/^data[A-Z]/.test(name)) return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return name
}

function classNames(node: SourceNode): string[] {
  const value = node.properties?.className
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/\s+/) : []
}

function readText(node: SourceNode): string {
  return node.value ?? (node.children ?? []).map(readText).join('')
}

function getLine(node: SourceNode): number | null {
  return node.position?.start.line ?? null
}

/** Shortens text to one line of at most 60 characters. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
