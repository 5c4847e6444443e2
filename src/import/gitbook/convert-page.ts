/** Converts the body of a GitBook page to MDX. */
import {
  closesFence,
  type Fence,
  joinLines,
  type Line,
  readFence,
  splitInfo,
  splitOption,
  writeFence,
} from '../markdown/blocks.ts'
import { addCodeOptionNotes } from '../markdown/code-options.ts'
import { convertProse, type ProseRules, toMdxComment } from '../markdown/prose.ts'
import { indentedCode, type ListState, rawElement, updateListState } from '../markdown/raw-blocks.ts'
import { plainTitle } from '../page-file.ts'
import { type BlockTag, splitTags } from './block-tags.ts'
import { closeBlock, openBlock, readOperationCall, renderCard, type TagDeps } from './components.ts'

export interface PageDeps extends TagDeps {
  rules: ProseRules
}

interface ConversionState {
  deps: PageDeps
  lines: readonly Line[]
  out: string[]
  prose: Line[]
  list: ListState
  /** `{% code %}` tag whose code block has not begun yet. */
  code: BlockTag | null
  /** Open blocks of inline operations, with the index of their start in `out`. */
  operations: { tag: BlockTag; at: number }[]
  imports: Map<string, string>
}

/** Converts a page. `top` is inserted before its text. */
export function convertPage(deps: PageDeps, lines: readonly Line[], top: string): string {
  const state: ConversionState = {
    deps,
    lines,
    out: [],
    prose: [],
    list: { isInList: false },
    code: null,
    operations: [],
    imports: new Map(),
  }
  for (let at = 0; at < lines.length; ) at += convertBlock(state, at)
  flush(state)
  const imports = [...state.imports].map(([target, name]) => `import ${name} from '/${target}'`)
  return joinLines([...imports, '', top, ...state.out])
}

/** Converts a block. Returns the number of lines read. */
function convertBlock(state: ConversionState, at: number): number {
  const { deps, lines, out, list } = state
  const line = lines[at] as Line
  const fence = readFence(line.text)
  if (fence) {
    flush(state)
    return convertCodeBlock(state, at, fence)
  }
  const raw = rawElement(lines, at, deps.notes, deps.file) ?? indentedCode(lines, at, list)
  if (raw) {
    flush(state)
    out.push(...raw.out)
    return raw.length
  }
  if (line.text.includes('{%')) return convertTags(state, at)
  updateListState(list, line.text, (lines[at - 1]?.text ?? '').trim() === '')
  state.prose.push(line)
  return 1
}

function flush(state: ConversionState): void {
  const [first] = state.prose
  if (first) {
    const text = state.prose.map((line) => line.text).join('\n')
    state.out.push(convertProse(text, first.number, state.deps.rules))
  }
  state.prose = []
}

function convertCodeBlock(state: ConversionState, at: number, fence: Fence): number {
  const { lines, out, deps } = state
  let end = at + 1
  while (end < lines.length && !closesFence(lines[end]?.text ?? '', fence)) end++
  const options = codeOptions(fence.info, state.code)
  addCodeOptionNotes(deps, lines[at]?.number ?? null, options)
  out.push(writeFence(fence, options) + (state.code?.options.get('overflow') === 'wrap' ? ' wrap' : ''))
  out.push(...lines.slice(at + 1, end + 1).map(({ text }) => text))
  if (end >= lines.length) out.push(fence.indent + fence.mark)
  state.code = null
  return Math.min(end, lines.length - 1) - at + 1
}

function codeOptions(info: string, tag: BlockTag | null) {
  const [language = '', ...words] = splitInfo(info)
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

/** Converts the tags of a line. Returns the number of lines read, since a tag may span several. */
function convertTags(state: ConversionState, at: number): number {
  const { lines } = state
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
  let consumed = length
  for (const piece of splitTags(text)) {
    if ('text' in piece) {
      if (piece.text.trim() !== '') state.prose.push({ text: indent + piece.text.trim(), number })
      continue
    }
    flush(state)
    consumed += writeTag(state, piece.tag, number, indent, at + consumed)
  }
  return consumed
}

/** Writes a tag. Returns the number of following lines that belong to it. */
function writeTag(state: ConversionState, tag: BlockTag, line: number, indent: string, next: number): number {
  const { deps, out } = state
  const push = (text: string) =>
    out.push('', ...text.split('\n').map((one) => (one === '' ? '' : indent + one)), '')
  if (tag.name === 'code') {
    state.code = tag
    return 0
  }
  if (tag.name === 'include') {
    const included = deps.include(tag.words, line)
    if (included === null) push(toMdxComment(` ${tag.source} `))
    else {
      const name = state.imports.get(included) ?? `Included${state.imports.size + 1}`
      state.imports.set(included, name)
      push(`<${name} />`)
    }
    return 0
  }
  if (tag.name === 'step') {
    const heading = headingAt(state.lines, next)
    push(openBlock(deps, tag, line, heading?.title ?? null))
    return heading?.length ?? 0
  }
  if (
    ['content-ref', 'page-ref', 'file', 'embed', 'openapi', 'openapi-operation', 'swagger'].includes(tag.name)
  ) {
    const inner = readContentUntil(state.lines, next, `end${tag.name}`)
    if (inner === null && tag.name === 'swagger' && readOperationCall(tag) !== null) {
      state.operations.push({ tag, at: out.length })
      return 0
    }
    push(openBlock(deps, tag, line, inner?.text ?? null))
    return inner?.length ?? 0
  }
  const described = tag.name === 'endswagger' ? state.operations.pop() : undefined
  if (described) {
    push(renderOperationCard(deps, described.tag, joinLines(out.splice(described.at))))
    return 0
  }
  const written = tag.name.startsWith('end') ? closeBlock(deps, tag) : openBlock(deps, tag, line, null)
  if (written !== '') push(written)
  return 0
}

function renderOperationCard(deps: PageDeps, tag: BlockTag, body: string): string {
  const call = readOperationCall(tag) ?? ''
  const [method = '', path = ''] = call.split(' ')
  const title = tag.options.get('summary') ?? call
  const base = (tag.options.get('baseUrl') ?? '').replace(/\/$/, '')
  const fields = { api: `${method} ${/^https?:/.test(path) ? '' : base}${path}` }
  return renderCard(title, deps.operation({ title, call, fields, body }))
}

/** Returns the heading that follows immediately, used as the title of a step. */
function headingAt(lines: readonly Line[], from: number): { title: string; length: number } | null {
  let at = from
  while (at < lines.length && lines[at]?.text.trim() === '') at++
  const found = /^\s*#{1,6}[ \t](.*)$/.exec(lines[at]?.text ?? '')
  return found ? { title: plainTitle(found[1] ?? ''), length: at - from + 1 } : null
}

const MAX_CONTENT_LINES = 20

/** Returns the content between a tag and its end tag, such as a link or caption, if the content is short. */
function readContentUntil(
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
