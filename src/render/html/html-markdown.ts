/**
 * Converts a page to plain Markdown, with all its text and each component in the closest Markdown syntax.
 * Omits purely visual parts: icons, buttons, tab bars.
 */
import {
  CONTROLS,
  createTextTree,
  findElement,
  getAttribute,
  hasClass,
  listClasses,
  rawText,
  type TextElement,
  type TextNode,
} from './html-tree.ts'
import {
  codeSpan,
  escapeMarkdown,
  fence,
  indentLines,
  linkTo,
  prefixLines,
  toSingleLine,
} from './markdown-text.ts'
import { parseHtml } from './parse-html.ts'

export function htmlToMarkdown(html: string): string {
  return treeToMarkdown(createTextTree(parseHtml(html)))
}

export function treeToMarkdown(root: TextElement): string {
  return joinBlocks(createBlocks(root.children))
}

interface Block {
  text: string
  isList: boolean
}

const SKIPPED_CLASSES: ReadonlySet<string> = new Set([...CONTROLS, 'tabs-bar', 'step-marker', 'callout-icon'])

function isSkipped(element: TextElement): boolean {
  if (getAttribute(element, 'aria-hidden') === 'true' || element.tag === 'o-icon') return true
  return listClasses(element).some(isSkippedClass)
}

const isSkippedClass = (name: string) => SKIPPED_CLASSES.has(name)

function joinBlocks(blocks: readonly Block[]): string {
  return blocks
    .filter((block) => /\S/.test(block.text))
    .map((block) => block.text)
    .join('\n\n')
}

/** Wraps text and inline elements between blocks in paragraphs. */
function createBlocks(nodes: readonly TextNode[]): Block[] {
  const blocks: Block[] = []
  let run: TextNode[] = []
  const flush = () => {
    if (run.length === 0) return
    const text = paragraph(renderInline(run))
    if (text !== '') blocks.push({ text, isList: false })
    run = []
  }
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as TextNode
    if (typeof node === 'string' || !node.isBlock) {
      run.push(node)
      continue
    }
    flush()
    if (!isSkipped(node)) blocks.push(...createBlock(node))
  }
  flush()
  return blocks
}

const one = (text: string): Block[] => [{ text, isList: false }]

function createBlock(element: TextElement): Block[] {
  return componentBlock(element) ?? elementBlock(element)
}

function elementBlock(element: TextElement): Block[] {
  const { tag, children } = element
  const heading = /^h([1-6])$/.exec(tag)
  if (heading) return one(`${'#'.repeat(Number(heading[1]))} ${toSingleLine(renderInline(children))}`)
  switch (tag) {
    case 'pre':
      return one(fence(rawText(element), '', null))
    case 'ul':
    case 'ol':
      return listBlock(element)
    case 'table':
      return one(tableText(element))
    case 'blockquote':
      return one(prefixLines(joinBlocks(createBlocks(children)), '> '))
    case 'hr':
      return one('---')
    case 'summary':
    case 'dt':
      return one(bold(renderInline(children)))
    case 'figcaption':
      return one(emphasis(renderInline(children)))
    case 'iframe':
    case 'video':
    case 'audio':
      return one(mediaText(element))
    case 'a':
      return one(paragraph(inlineElement(element)))
    case 'p':
      return children.some((child) => typeof child !== 'string' && child.isBlock)
        ? createBlocks(children)
        : one(paragraph(renderInline(children)))
    default:
      return createBlocks(children)
  }
}

/** Converts a component to blocks, or returns null for other elements. */
function componentBlock(element: TextElement): Block[] | null {
  const { children } = element
  const classes = listClasses(element)
  if (getAttribute(element, 'data-footnotes') !== null) return footnotes(element)
  if (classes.length === 0) return null
  const has = (name: string) => classes.includes(name)
  if (has('code-block')) return one(codeText(element, null))
  if (has('mermaid')) return one(fence(rawText(element).trim(), 'mermaid', null))
  if (has('callout')) return one(calloutText(element))
  if (has('steps')) return stepsBlock(element)
  if (has('step')) return one(stepText(element))
  if (has('field')) return [{ text: fieldText(element), isList: true }]
  if (has('update')) return one(updateText(element))
  if (has('tab-panel')) return tabPanel(element)
  if (has('prompt-text')) return children.flatMap((child) => promptText(child))
  if (classes.some((name) => TITLES.has(name))) return one(bold(renderInline(children)))
  return null
}

const TITLES: ReadonlySet<string> = new Set([
  'card-title',
  'view-title',
  'tab-panel-title',
  'accordion-group-title',
])

function codeText(element: TextElement, title: string | null): string {
  const pre = findElement(element, ({ tag }) => tag === 'pre')
  const own = findElement(element, (one) => hasClass(one, 'code-block-title'))
  const language = getAttribute(element, 'data-language') ?? ''
  const named = own ? toSingleLine(rawText(own)) : title
  return fence(rawText(pre ?? element).replace(/\n$/, ''), language === 'text' ? '' : language, named)
}

/** Writes the title above the panel. A panel of a single untitled code block gets the title as its code title. */
function tabPanel(element: TextElement): Block[] {
  const title = getAttribute(element, 'data-title')
  const elements = element.children.filter((child) => typeof child !== 'string' || child.trim() !== '')
  const [only] = elements
  const isCode = elements.length === 1 && typeof only === 'object' && hasClass(only, 'code-block')
  const named = isCode && findElement(only, (one) => hasClass(one, 'code-block-title'))
  if (isCode && (!named || toSingleLine(rawText(named)) === title)) {
    return one(codeText(only, title))
  }
  return [...(title ? one(bold(escapeMarkdown(title))) : []), ...createBlocks(element.children)]
}

function calloutText(element: TextElement): string {
  const kind = getAttribute(element, 'data-callout-type') ?? 'custom'
  const titled = findElement(element, (child) => hasClass(child, 'callout-title'))
  const content = findElement(element, (child) => hasClass(child, 'callout-content')) ?? element
  const name = kind === 'custom' ? '' : kind.charAt(0).toUpperCase() + kind.slice(1)
  const title = titled ? toSingleLine(renderInline(titled.children)) : ''
  const head = bold([name, title].filter((part) => part !== '').join(': '))
  const rest = createBlocks(content.children.filter((child) => child !== titled))
  return prefixLines(joinBlocks([{ text: head, isList: false }, ...rest]), '> ')
}

function stepsBlock(element: TextElement): Block[] {
  const blocks: Block[] = []
  let number = 0
  for (const child of element.children) {
    if (typeof child === 'object' && hasClass(child, 'step')) {
      number += 1
      const mark = `${number}. `
      blocks.push({ text: mark + indentLines(stepText(child), mark.length), isList: true })
    } else blocks.push(...createBlocks([child]))
  }
  return blocks
}

function stepText(element: TextElement): string {
  const title = findElement(element, (child) => hasClass(child, 'step-title'))
  const content = findElement(element, (child) => hasClass(child, 'step-content'))
  const head = title ? one(bold(renderInline(title.children))) : []
  return joinBlocks([...head, ...createBlocks(content ? content.children : element.children)])
}

function fieldText(element: TextElement): string {
  const header = element.children.find(
    (child) => typeof child === 'object' && hasClass(child, 'field-header'),
  )
  if (typeof header !== 'object') return joinBlocks(createBlocks(element.children))
  const facts: string[] = []
  for (const child of header.children) {
    if (typeof child === 'object')
      facts.push(hasClass(child, 'field-name') ? codeSpan(rawText(child)) : inlineElement(child))
    else if (child !== ' ') facts.push(escapeMarkdown(child))
  }
  const rest = joinBlocks(createBlocks(element.children.filter((child) => child !== header)))
  return `- ${indentLines(joinBlocks([...one(toSingleLine(facts.join(' '))), ...one(rest)]), 2)}`
}

function updateText(element: TextElement): string {
  const part = (name: string) => findElement(element, (child) => hasClass(child, name))
  const label = part('update-label')
  const tags = part('update-tags')?.children.map((tag) => toSingleLine(renderInline([tag])))
  const description = part('update-description')
  const content = part('update-content')
  return joinBlocks([
    ...one(`## ${toSingleLine(label ? renderInline(label.children) : '')}`),
    ...(tags ? one(`Tags: ${tags.filter((tag) => tag !== '').join(', ')}`) : []),
    ...(description ? one(paragraph(renderInline(description.children))) : []),
    ...createBlocks(content?.children ?? []),
  ])
}

function promptText(node: TextNode): Block[] {
  return typeof node === 'object' && node.tag === 'summary' ? [] : createBlocks([node])
}

function footnotes(element: TextElement): Block[] {
  const list = findElement(element, ({ tag }) => tag === 'ol')
  const notes = (list?.children ?? []).filter((child) => typeof child === 'object' && child.tag === 'li')
  return notes.flatMap((note, index) =>
    one(`[^${index + 1}]: ${indentLines(joinBlocks(createBlocks((note as TextElement).children)), 4)}`),
  )
}

function listBlock(element: TextElement): Block[] {
  const start = Number(getAttribute(element, 'start') ?? 1) || 1
  const items: string[] = []
  let isLoose = false
  for (const child of element.children) {
    if (typeof child === 'string') {
      if (child.trim() !== '') items.push(`- ${paragraph(escapeMarkdown(child))}`)
      continue
    }
    const mark = element.tag === 'ol' ? `${start + items.length}. ` : '- '
    const blocks = createBlocks(child.tag === 'li' ? child.children : [child]).filter(
      ({ text }) => text.trim() !== '',
    )
    isLoose ||= blocks.some((block, index) => index > 0 && !block.isList)
    const text = blocks.map((block, index) => (index === 0 ? '' : block.isList ? '\n' : '\n\n') + block.text)
    items.push(mark + indentLines(text.join(''), mark.length))
  }
  return [{ text: items.join(isLoose ? '\n\n' : '\n'), isList: true }]
}

function tableText(element: TextElement): string {
  const rows: string[][] = []
  const captions: string[] = []
  collectRows(element, rows, captions)
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (width === 0) return captions.join('\n\n')
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => row[index] ?? '').join(' | ')} |`
  const [head = [], ...body] = rows
  const table = [line(head), `|${' --- |'.repeat(width)}`, ...body.map(line)].join('\n')
  return [...captions, table].join('\n\n')
}

function collectRows(element: TextElement, rows: string[][], captions: string[]): void {
  for (const child of element.children) {
    if (typeof child === 'object' && child.tag === 'tr') {
      const cells = child.children.filter((cell) => typeof cell === 'object' || cell.trim() !== '')
      rows.push(cells.map((cell) => cellText(typeof cell === 'string' ? [cell] : cell.children)))
    } else if (typeof child === 'object' && /^t(?:head|body|foot)$/.test(child.tag)) {
      collectRows(child, rows, captions)
    } else {
      const text = joinBlocks(createBlocks([child]))
      if (text !== '') captions.push(text)
    }
  }
}

/** Formats a cell on one line, with `<br>` between blocks and escaped pipes. */
function cellText(nodes: readonly TextNode[]): string {
  const lines = nodes.some((child) => typeof child === 'object' && child.isBlock)
    ? joinBlocks(createBlocks(nodes))
    : paragraph(renderInline(nodes))
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('<br>')
    .replaceAll('|', '\\|')
}

function mediaText(element: TextElement): string {
  const source = findElement(element, ({ tag }) => tag === 'source')
  const address = getAttribute(element, 'src') ?? (source && getAttribute(source, 'src'))
  const title = getAttribute(element, 'title') ?? (element.tag === 'audio' ? 'Audio' : 'Video')
  const inner = joinBlocks(createBlocks(element.children))
  return [address ? linkTo(escapeMarkdown(title), address) : '', inner]
    .filter((part) => part !== '')
    .join('\n\n')
}

function renderInline(nodes: readonly TextNode[]): string {
  let text = ''
  for (const node of nodes) text += typeof node === 'string' ? escapeMarkdown(node) : inlineElement(node)
  return text
}

function inlineElement(element: TextElement): string {
  const classes = listClasses(element)
  if (classes.includes('katex-display')) return ` $$${readTex(element)}$$ `
  if (classes.includes('katex')) return `$${readTex(element)}$`
  if (isSkipped(element)) return ''
  const inner = () => renderInline(element.children)
  switch (element.tag) {
    case 'br':
      return '\n'
    case 'code':
      return codeSpan(rawText(element))
    case 'strong':
    case 'b':
      return bold(inner())
    case 'em':
    case 'i':
      return emphasis(inner())
    case 'del':
    case 's':
      return wrapped(inner(), '~~')
    case 'img':
      return imageText(element)
    case 'input':
      return getAttribute(element, 'type') === 'checkbox'
        ? `[${getAttribute(element, 'checked') === null ? ' ' : 'x'}] `
        : ''
    case 'a':
      return anchorText(element, inner())
  }
  if (classes.includes('tooltip-content')) return ` (${inner().trim()})`
  if (classes.includes('color-item'))
    return ` ${element.children.map((part) => renderInline([part])).join(' ')} `
  return element.isBlock || element.tag === 'button' ? ` ${inner()} ` : inner()
}

function anchorText(element: TextElement, inner: string): string {
  if (getAttribute(element, 'data-footnote-ref') !== null) return `[^${toSingleLine(rawText(element))}]`
  if (getAttribute(element, 'data-footnote-backref') !== null) return ''
  const address = getAttribute(element, 'href')
  const text = toSingleLine(inner)
  if (address === null) return inner
  const label = text || escapeMarkdown(getAttribute(element, 'aria-label') ?? '') || escapeMarkdown(address)
  const [lead = ''] = /^\s*/.exec(inner) ?? []
  const tail = inner.slice(inner.trimEnd().length)
  return lead + linkTo(label, address) + (text === '' ? '' : tail)
}

function imageText(element: TextElement): string {
  const address = getAttribute(element, 'src') ?? ''
  const text = escapeMarkdown(toSingleLine(getAttribute(element, 'alt') ?? ''))
  return address === '' || address.startsWith('data:') ? text : `!${linkTo(text, address)}`
}

function readTex(element: TextElement): string {
  const source = findElement(element, ({ tag }) => tag === 'annotation')
  return (source ? rawText(source) : rawText(element)).trim()
}

function bold(text: string): string {
  return wrapped(text, '**')
}

function emphasis(text: string): string {
  return wrapped(text, '*')
}

/** Adds delimiters directly around text. Text that contains the same delimiters is unchanged. */
function wrapped(text: string, mark: string): string {
  const inner = text.trim()
  if (inner === '' || inner.startsWith(mark) || inner.endsWith('\\')) return text
  const [lead = ''] = /^\s*/.exec(text) ?? []
  return `${lead}${mark}${toSingleLine(inner)}${mark}${text.slice(lead.length + inner.length)}`
}

/**
 * Formats a paragraph. Collapses spaces, preserves line breaks, and escapes lines that would begin another
 * block.
 */
function paragraph(text: string): string {
  const lines = (/[\t\r\f\v]| {2}/.test(text) ? text.replace(/[ \t\r\f\v]+/g, ' ') : text).split('\n')
  return lines.flatMap(escapeTextLine).join('\n')
}

function escapeTextLine(text: string): string | [] {
  const line = text.trim()
  if (line === '') return []
  return line.replace(/^(?:(#{1,6}|[-+]|>)(?=\s|$)|(\d{1,9})([.)])(?=\s|$)|(=+|-{3,})$)/, escapeLineMarker)
}

function escapeLineMarker(whole: string, _mark?: string, digits?: string, dot?: string): string {
  return digits === undefined ? `\\${whole}` : `${digits}\\${dot}`
}
