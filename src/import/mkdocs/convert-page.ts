/** Converts an MkDocs page to MDX. Blocks are recognized by indentation and converted recursively. */
import {
  type CodeOptions,
  closesFence,
  dedent,
  indented,
  joinLines,
  type Line,
  measureIndent,
  readFence,
  splitInfo,
  splitOption,
  writeFence,
} from '../markdown/blocks.ts'
import { calloutComponent, calloutTitle } from '../markdown/callouts.ts'
import { addCodeOptionNotes } from '../markdown/code-options.ts'
import { convertProse, type ProseRules } from '../markdown/prose.ts'
import { indentedCode, type ListState, rawElement, updateListState } from '../markdown/raw-blocks.ts'
import { attribute } from '../markdown/tags.ts'
import type { Notes } from '../notes.ts'
import { plainTitle } from '../page-file.ts'
import { findIcon } from './inline-marks.ts'

const OPENING = /^([ \t]*)<div\b[^<>]{0,200}\bclass="([^"<>]{0,100})"[^<>]{0,200}>[ \t]*$/

const ITEM = /^[-*+][ \t]{1,4}/

export interface PageDeps {
  file: string
  notes: Notes
  rules: ProseRules
}

export function convertPage(deps: PageDeps, lines: readonly Line[]): string {
  return joinLines(convertLines(deps, lines))
}

interface ConversionState {
  deps: PageDeps
  out: string[]
  prose: Line[]
  list: ListState
}

/** Output without the indentation of the block, and the number of lines read. */
interface ConvertedBlock {
  out: string[]
  length: number
}

export function convertLines(deps: PageDeps, lines: readonly Line[]): string[] {
  const state: ConversionState = { deps, out: [], prose: [], list: { isInList: false } }
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line
    const converted =
      convertCodeBlock(deps, lines, at) ??
      convertCallout(deps, lines, at) ??
      convertTabs(deps, lines, at) ??
      cardGrid((inside) => convertLines(deps, inside), lines, at) ??
      rawElement(lines, at, deps.notes, deps.file) ??
      indentedCode(lines, at, state.list) ??
      convertDefinitionList(state, lines, at)
    if (converted === null) {
      updateListState(state.list, line.text, (lines[at - 1]?.text ?? '').trim() === '')
      state.prose.push(line)
      at++
      continue
    }
    flush(state)
    state.out.push(...converted.out)
    at += converted.length
  }
  flush(state)
  return state.out
}

function flush(state: ConversionState): void {
  const [first] = state.prose
  if (first) {
    const text = state.prose.map((line) => line.text).join('\n')
    state.out.push(convertProse(text, first.number, state.deps.rules))
  }
  state.prose = []
}

function convertCodeBlock(deps: PageDeps, lines: readonly Line[], at: number): ConvertedBlock | null {
  const fence = readFence(lines[at]?.text ?? '')
  if (fence === null) return null
  const options = codeOptions(fence.info)
  addCodeOptionNotes(deps, lines[at]?.number ?? null, options)
  let end = at + 1
  while (end < lines.length && !closesFence(lines[end]?.text ?? '', fence)) end++
  const code = lines.slice(at + 1, end + 1).map(({ text }) => text)
  if (end >= lines.length) code.push(fence.indent + fence.mark)
  return {
    out: [writeFence(fence, options), ...code],
    length: Math.min(end, lines.length - 1) - at + 1,
  }
}

/** Returns the lines below `at` that are indented by at least `columns`, including empty lines between them. */
export function contentBelow(
  lines: readonly Line[],
  at: number,
  columns: number,
): { content: Line[]; length: number } {
  let end = at + 1
  for (let next = at + 1; next < lines.length; next++) {
    const { text } = lines[next] as Line
    if (text.trim() === '') continue
    if (measureIndent(text) < columns) break
    end = next + 1
  }
  const content = lines.slice(at + 1, end).map((line) => ({ ...line, text: dedent(line.text, columns) }))
  return { content, length: end - at }
}

const CALLOUT = /^(\s*)(!!!|\?\?\?\+?)[ \t]([^"\n]*)/

/** Converts `!!! note "Title"`, `??? note` (collapsible) and `???+ note` (open). */
function convertCallout(deps: PageDeps, lines: readonly Line[], at: number): ConvertedBlock | null {
  const { text = '' } = lines[at] ?? {}
  const found = /^\s*[!?]{3}/.test(text) ? CALLOUT.exec(text.trimEnd()) : null
  if (!found) return null
  const [opened, indent = '', mark = '', names = ''] = found
  const rest = text.slice(opened.length).trimEnd()
  if (rest !== '' && !(rest.length > 1 && rest.endsWith('"'))) return null
  const title = rest === '' ? undefined : rest.slice(1, -1)
  const [name = 'note', ...modifiers] = names.trim().split(/\s+/)
  const { content, length } = contentBelow(lines, at, measureIndent(indent) + 4)
  if (name === '' && title === undefined) return null
  if (modifiers.length > 0) {
    const noteLocation = { file: deps.file, line: lines[at]?.number ?? null }
    deps.notes.add(
      'syntax',
      noteLocation,
      `The option ${modifiers.join(' ')} of a callout has no equivalent, so the callout is shown in the text.`,
    )
  }
  const heading = title?.replaceAll('\\"', '"') ?? (mark === '!!!' ? calloutTitle(name) : capitalize(name))
  const component = mark === '!!!' ? calloutComponent(name) : 'Accordion'
  const state = mark === '???+' ? ' defaultOpen' : ''
  const opening = `<${component}${attribute('title', heading)}${state}>`
  return {
    out: indented(indent, ['', opening, '', ...convertLines(deps, content), '', `</${component}>`, '']),
    length,
  }
}

function capitalize(name: string): string {
  return `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`
}

const TAB = /^([ \t]*)===([!+]{0,2})[ \t]+(["'])(.*)\3$/

/** Converts a group of consecutive tabs. `===!` starts a new group; `===+` marks the initial tab. */
function convertTabs(deps: PageDeps, lines: readonly Line[], at: number): ConvertedBlock | null {
  const first = tabAt(lines, at)
  if (!first) return null
  const out: string[] = []
  let chosen = 0
  let next = at
  for (let count = 0; ; count++) {
    const tab = tabAt(lines, next)
    if (!tab || tab.indent !== first.indent || (count > 0 && tab.marks.includes('!'))) break
    if (tab.marks.includes('+')) chosen = count
    const { content, length } = contentBelow(lines, next, measureIndent(tab.indent) + 4)
    out.push(`<Tab${attribute('title', tab.title)}>`, '', ...convertLines(deps, content), '', '</Tab>')
    next += length
    while (lines[next] && lines[next]?.text.trim() === '' && tabAt(lines, findNonBlankLine(lines, next)))
      next++
  }
  const opening = chosen > 0 ? `<Tabs defaultTabIndex={${chosen}}>` : '<Tabs>'
  return { out: indented(first.indent, ['', opening, ...out, '</Tabs>', '']), length: next - at }
}

function tabAt(lines: readonly Line[], at: number): { indent: string; marks: string; title: string } | null {
  const { text = '' } = lines[at] ?? {}
  const found = text.trimStart().startsWith('===') ? TAB.exec(text.trimEnd()) : null
  return found ? { indent: found[1] ?? '', marks: found[2] ?? '', title: found[4] ?? '' } : null
}

function findNonBlankLine(lines: readonly Line[], at: number): number {
  let next = at
  while (next < lines.length && lines[next]?.text.trim() === '') next++
  return next
}

const DEFINITION = /^( {0,3}):[ \t]{1,4}(\S.*)$/

/** Converts a term, followed by definitions that begin with a colon. */
function convertDefinitionList(
  { deps, prose }: ConversionState,
  lines: readonly Line[],
  at: number,
): ConvertedBlock | null {
  const isTermLine = (text: string | undefined) =>
    text !== undefined && text.trim() !== '' && !/^\s*(?:[#>|:]|[-*+] |\d+[.)] )/.test(text)
  if (!DEFINITION.test(lines[at]?.text ?? '')) return null
  const isApart = prose.at(-1)?.text.trim() === ''
  const term = isApart ? prose.at(-2) : prose.at(-1)
  if (!term || !isTermLine(term.text)) return null
  prose.splice(prose.lastIndexOf(term))
  const out = ['', '<dl>', '<dt>', '', ...convertLines(deps, [term]), '', '</dt>']
  let next = at
  for (
    let found = DEFINITION.exec(lines[next]?.text ?? '');
    found;
    found = DEFINITION.exec(lines[findNonBlankLine(lines, next)]?.text ?? '')
  ) {
    next = findNonBlankLine(lines, next)
    const { number = 0 } = lines[next] ?? {}
    const { content, length } = readLazyContent(lines, next)
    out.push('<dd>', '', ...convertLines(deps, [{ text: found[2] ?? '', number }, ...content]), '', '</dd>')
    next += length
  }
  out.push('</dl>', '')
  return { out, length: next - at }
}

/** Reads a definition. Lines that follow it directly belong to it, even if they are not indented. */
function readLazyContent(lines: readonly Line[], at: number): { content: Line[]; length: number } {
  const lazy: Line[] = []
  let next = at + 1
  while (
    next < lines.length &&
    lines[next]?.text.trim() !== '' &&
    !DEFINITION.test(lines[next]?.text ?? '')
  ) {
    const line = lines[next] as Line
    lazy.push({ ...line, text: line.text.trimStart() })
    next++
  }
  const { content, length } = contentBelow(lines, next - 1, 4)
  return { content: [...lazy, ...content], length: next - at + length - 1 }
}

// Opening lines of code blocks, in the forms that Python-Markdown supports.

/** Parses `py title="x" hl_lines="1 3-5" linenums="1"` and `{ .py .annotate title="x" }`. */
function codeOptions(info: string): CodeOptions {
  const isBraced = /^\{.*\}$/.test(info)
  const words = splitInfo(isBraced ? info.slice(1, -1) : info.replace(/\s\{\s?([.#][^{}]*)\}$/, ' $1'))
  const options = {
    language: '',
    title: null as string | null,
    highlight: null as string | null,
    hasLineNumbers: false,
    unknown: [] as string[],
  }
  for (const word of words) {
    const option = splitOption(word)
    if (option?.name === 'title') options.title = option.value
    else if (option?.name === 'hl_lines')
      options.highlight = option.value
        .trim()
        .split(/[\s,]+/)
        .join(',')
    else if (option?.name === 'linenums') options.hasLineNumbers = true
    else if (option === null && options.language === '' && !word.startsWith('#'))
      options.language = word.replace(/^\./, '')
    else options.unknown.push(word.replace(/^\./, ''))
  }
  return options
}

type ConvertLines = (lines: readonly Line[]) => string[]

/** Converts a list in `<div class="grid cards" markdown>` to cards. */
function cardGrid(
  convert: ConvertLines,
  lines: readonly Line[],
  at: number,
): { out: string[]; length: number } | null {
  const { text = '' } = lines[at] ?? {}
  const found = text.includes('grid') ? OPENING.exec(text.slice(0, 600)) : null
  const names = found?.[2]?.split(/\s+/) ?? []
  if (!found || !names.includes('grid') || !/\bmarkdown\b/.test(text)) return null
  const end = closing(lines, at)
  if (end === -1) return null
  const indent = found[1] ?? ''
  const inside = lines.slice(at + 1, end).map((line) => ({ ...line, text: dedent(line.text, indent.length) }))
  const isCards = names.includes('cards') && inside.some((line) => ITEM.test(line.text))
  const out = isCards
    ? [
        '<CardGroup cols={2}>',
        ...splitListItems(inside).flatMap((item) => card(convert, item)),
        '</CardGroup>',
      ]
    : ['<Columns cols={2}>', '', ...convert(inside), '', '</Columns>']
  return { out: indented(indent, ['', ...out, '']), length: end - at + 1 }
}

function closing(lines: readonly Line[], at: number): number {
  let depth = 0
  for (let next = at; next < lines.length; next++) {
    const { text } = lines[next] as Line
    if (/<div\b/.test(text)) depth++
    if (text.includes('</div>')) depth--
    if (depth === 0) return next
  }
  return -1
}

function splitListItems(lines: readonly Line[]): Line[][] {
  const items: Line[][] = []
  for (const line of lines) {
    const mark = ITEM.exec(line.text)?.[0]
    if (mark !== undefined) items.push([{ ...line, text: line.text.slice(mark.length) }])
    else items.at(-1)?.push({ ...line, text: dedent(line.text, 4) })
  }
  return items
}

/** Converts a list item. A bold first line becomes the title of the card. An icon before it becomes the icon. */
function card(convert: ConvertLines, item: readonly Line[]): string[] {
  const [first] = item
  const head = (first?.text ?? '').replace(/\{[^{}]*\}/g, '').trim()
  const found = /^(?::([\w-]{1,80}):[ \t]{0,5})?(?:\*\*|__)([^*_]{1,300})(?:\*\*|__)$/.exec(head)
  if (!found) return ['<Card>', '', ...convert(item), '', '</Card>']
  const icon = findIcon(found[1] ?? '')
  const shortName =
    found[1] !== undefined && icon === null ? [{ text: `:${found[1]}:`, number: first?.number ?? 0 }] : []
  const body = [...shortName, ...item.slice(1)].filter(({ text }) => !/^\s*(?:---|\*\*\*|___)\s*$/.test(text))
  return [
    `<Card${attribute('title', plainTitle(found[2] ?? ''))}${attribute('icon', icon)}>`,
    '',
    ...convert(body),
    '',
    '</Card>',
  ]
}
