/** Converts the body of a GitBook page to MDX. */
import {
  closesFence,
  type Fence,
  infoWords,
  joinLines,
  type Line,
  readFence,
  splitOption,
  writeFence,
} from '../markdown/blocks.ts'
import { noteCodeOptions } from '../markdown/code-options.ts'
import { commentOf, convertProse, type ProseRules } from '../markdown/prose.ts'
import { indentedCode, type ListState, rawElement, watchList } from '../markdown/raw-blocks.ts'
import { plainTitle } from '../page-file.ts'
import { type BlockTag, splitTags } from './block-tags.ts'
import { callOf, cardOf, closingOf, openingOf, type TagDeps } from './components.ts'

export interface PageDeps extends TagDeps {
  rules: ProseRules
}

interface Converting {
  deps: PageDeps
  lines: readonly Line[]
  out: string[]
  prose: Line[]
  list: ListState
  /** Options of a `{% code %}` tag whose code block has not begun yet. */
  code: BlockTag | null
  /** Blocks that describe an operation inline, with their start in `out`. */
  operations: { tag: BlockTag; at: number }[]
  /** Imports of included files. */
  imports: Map<string, string>
}

/** Converts a page. `top` precedes the text. */
export function convertPage(deps: PageDeps, lines: readonly Line[], top: string): string {
  const converting: Converting = {
    deps,
    lines,
    out: [],
    prose: [],
    list: { isInList: false },
    code: null,
    operations: [],
    imports: new Map(),
  }
  for (let at = 0; at < lines.length; ) at += takeBlock(converting, at)
  flush(converting)
  const imports = [...converting.imports].map(([place, name]) => `import ${name} from '/${place}'`)
  return joinLines([...imports, '', top, ...converting.out])
}

/** Converts a block and returns the number of lines consumed. */
function takeBlock(converting: Converting, at: number): number {
  const { deps, lines, out, list } = converting
  const line = lines[at] as Line
  const fence = readFence(line.text)
  if (fence) {
    flush(converting)
    return takeCode(converting, at, fence)
  }
  const raw = rawElement(lines, at, deps.notes, deps.file) ?? indentedCode(lines, at, list)
  if (raw) {
    flush(converting)
    out.push(...raw.out)
    return raw.length
  }
  if (line.text.includes('{%')) return takeTags(converting, at)
  watchList(list, line.text, (lines[at - 1]?.text ?? '').trim() === '')
  converting.prose.push(line)
  return 1
}

function flush(converting: Converting): void {
  const [first] = converting.prose
  if (first) {
    const text = converting.prose.map((line) => line.text).join('\n')
    converting.out.push(convertProse(text, first.number, converting.deps.rules))
  }
  converting.prose = []
}

function takeCode(converting: Converting, at: number, fence: Fence): number {
  const { lines, out, deps } = converting
  let end = at + 1
  while (end < lines.length && !closesFence(lines[end]?.text ?? '', fence)) end++
  const options = codeOptions(fence.info, converting.code)
  noteCodeOptions(deps, lines[at]?.number ?? null, options)
  out.push(writeFence(fence, options) + (converting.code?.options.get('overflow') === 'wrap' ? ' wrap' : ''))
  out.push(...lines.slice(at + 1, end + 1).map(({ text }) => text))
  if (end >= lines.length) out.push(fence.indent + fence.mark)
  converting.code = null
  return Math.min(end, lines.length - 1) - at + 1
}

function codeOptions(info: string, tag: BlockTag | null) {
  const [language = '', ...words] = infoWords(info)
  const title = words.map(splitOption).find((option) => option?.name === 'title')?.value
  return {
    language: language === '' && tag ? 'text' : language,
    title: tag?.options.get('title') ?? title ?? null,
    highlight: null,
    hasLineNumbers: tag?.options.get('lineNumbers') === 'true',
    unknown: words.filter((word) => splitOption(word)?.name !== 'title'),
  }
}

const MAX_TAG_LINES = 60

/** Converts the tags of a line, or of several lines if a tag spans them. */
function takeTags(converting: Converting, at: number): number {
  const { lines } = converting
  let length = 1
  let text = lines[at]?.text ?? ''
  while (
    text.lastIndexOf('{%') > text.lastIndexOf('%}') &&
    at + length < lines.length &&
    length < MAX_TAG_LINES
  ) {
    text += `\n${lines[at + length]?.text ?? ''}`
    length++
  }
  const { number } = lines[at] as Line
  const indent = /^[ \t]*/.exec(text)?.[0] ?? ''
  let taken = length
  for (const piece of splitTags(text)) {
    if ('text' in piece) {
      if (piece.text.trim() !== '') converting.prose.push({ text: indent + piece.text.trim(), number })
      continue
    }
    flush(converting)
    taken += writeTag(converting, piece.tag, number, indent, at + taken)
  }
  return taken
}

/** Writes a tag and returns the number of following lines that became part of it. */
function writeTag(converting: Converting, tag: BlockTag, line: number, indent: string, next: number): number {
  const { deps, out } = converting
  const push = (text: string) =>
    out.push('', ...text.split('\n').map((one) => (one === '' ? '' : indent + one)), '')
  if (tag.name === 'code') {
    converting.code = tag
    return 0
  }
  if (tag.name === 'include') {
    const included = deps.include(tag.words, line)
    if (included === null) push(commentOf(` ${tag.source} `))
    else {
      const name = converting.imports.get(included) ?? `Included${converting.imports.size + 1}`
      converting.imports.set(included, name)
      push(`<${name} />`)
    }
    return 0
  }
  if (tag.name === 'step') {
    const heading = headingAt(converting.lines, next)
    push(openingOf(deps, tag, line, heading?.title ?? null))
    return heading?.length ?? 0
  }
  if (
    ['content-ref', 'page-ref', 'file', 'embed', 'openapi', 'openapi-operation', 'swagger'].includes(tag.name)
  ) {
    const inner = contentUntil(converting.lines, next, `end${tag.name}`)
    if (inner === null && tag.name === 'swagger' && callOf(tag) !== null) {
      converting.operations.push({ tag, at: out.length })
      return 0
    }
    push(openingOf(deps, tag, line, inner?.text ?? null))
    return inner?.length ?? 0
  }
  const described = tag.name === 'endswagger' ? converting.operations.pop() : undefined
  if (described) {
    push(ownOperation(deps, described.tag, joinLines(out.splice(described.at))))
    return 0
  }
  const written = tag.name.startsWith('end') ? closingOf(deps, tag) : openingOf(deps, tag, line, null)
  if (written !== '') push(written)
  return 0
}

function ownOperation(deps: PageDeps, tag: BlockTag, body: string): string {
  const call = callOf(tag) ?? ''
  const [method = '', path = ''] = call.split(' ')
  const title = tag.options.get('summary') ?? call
  const base = (tag.options.get('baseUrl') ?? '').replace(/\/$/, '')
  const fields = { api: `${method} ${/^https?:/.test(path) ? '' : base}${path}` }
  return cardOf(title, deps.operation({ title, call, fields, body }))
}

/** Returns a heading directly below, which becomes the title of a step. */
function headingAt(lines: readonly Line[], from: number): { title: string; length: number } | null {
  let at = from
  while (at < lines.length && lines[at]?.text.trim() === '') at++
  const found = /^\s*#{1,6}[ \t](.*)$/.exec(lines[at]?.text ?? '')
  return found ? { title: plainTitle(found[1] ?? ''), length: at - from + 1 } : null
}

const MAX_CONTENT_LINES = 20

/** Returns the content between a tag and its end if it is short, such as a link or caption. */
function contentUntil(
  lines: readonly Line[],
  from: number,
  end: string,
): { text: string; length: number } | null {
  const texts: string[] = []
  for (let at = from; at < lines.length && at - from < MAX_CONTENT_LINES; at++) {
    const text = lines[at]?.text.trim() ?? ''
    if (/^\{%-?\s/.test(text) && text.includes(` ${end} `))
      return { text: texts.join(' ').trim(), length: at - from + 1 }
    if (text.includes('{%')) return null
    texts.push(text)
  }
  return null
}
