/**
 * Extracts the statements of a page: sentences, table rows, headings, fields and lines of samples, each with its values
 * and its names in code format. Reads line by line without a parser, so that a page with syntax errors also has
 * statements. Takes time linear in the length of the text.
 */
import { ENVIRONMENT_VARIABLE_PATTERN, isCodeLikeName, OPTION, PATH_WITH_SLASH, pathKey } from './names.ts'
import { valuesInText } from './values.ts'

export interface Statement {
  line: number
  kind: 'sentence' | 'row' | 'heading' | 'field' | 'sample'
  text: string
  /** Names in code format. */
  names: string[]
  /** Names in the enclosing heading, field or list item; for a row or field, its own names. */
  about: string[]
  values: string[]
  /** Calls with their original arguments, such as `listen(port, host)`. */
  calls: Call[]
}

export interface Call {
  name: string
  arguments: string[]
}

const MAX_TEXT = 300
const MAX_LINE = 4000
const MAX_STATEMENTS = 20_000
const FENCE =
  /^([ \t]{0,200}(?:>[ \t]{0,20})?(?:[-*+][ \t]{1,20}|\d{1,9}[.)][ \t]{1,20})?)(`{3,}|~{3,})(?![`~])(.*)/
const HEADING = /^ {0,3}(#{1,6})[ \t](.*)/
const ROW = /^\s*\|/
const ITEM = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+/
const FIELD_TAG = /<(?:Param|Response)Field\b|<(?:Property|Parameter|Option)\b/
const FIELD_NAME = /\s(?:path|query|body|header|cookie|name)\s*=\s*(?:\{\s*)?["']([^"'\n]{1,100})["']/
const FIELD_DEFAULT = /\s(?:default|initialValue)\s*=\s*(?:\{\s*)?["'{]?([^"'}\n]{1,100})/
const FIELD_END = /<\/(?:(?:Param|Response)Field|Property|Parameter|Option)>/
const CODE_SPAN_PATTERN = /(`+)([^`\n]{1,300}?)\1(?!`)|<code>([^<\n]{1,300})<\/code>/g
/** The spaces are a part of their own, because they may contain line breaks. */
const SENTENCE_END = /((?<=[.!?])\s+(?=[A-Z`*[(]))/

export function readPage(text: string): Statement[] {
  const state: State = { statements: [], headings: [], field: null, items: [], block: [] }
  const lines = text.split('\n')
  let fence: string | null = null
  let start = 0
  if (/^---\s*$/.test(lines[0] ?? ''))
    start = lines.findIndex((line, at) => at > 0 && /^---\s*$/.test(line)) + 1
  for (let index = start; index < lines.length; index++) {
    if (state.statements.length > MAX_STATEMENTS) break
    const line = (lines[index] as string).replace(/\r$/, '').slice(0, MAX_LINE)
    const mark = FENCE.exec(line)
    if (fence !== null) {
      if (mark?.[2]?.startsWith(fence) && mark[3]?.trim() === '') fence = null
      else addSample(state, line, index + 1)
    } else if (mark !== null && !(mark[2]?.startsWith('`') && mark[3]?.includes('`'))) {
      endBlock(state)
      fence = mark[2] as string
    } else readLine(state, line, index + 1)
  }
  endBlock(state)
  return state.statements
}

interface State {
  statements: Statement[]
  /** Names in the current headings, by level. */
  headings: string[][]
  field: string | null
  /** Names in enclosing list items, by indentation. */
  items: { indent: number; names: string[] }[]
  block: { line: number; text: string }[]
}

function readLine(state: State, line: string, number: number): void {
  const [heading, item] = [HEADING.exec(line), ITEM.exec(line)]
  const [isBlank, isRow, isField, isFieldEnd] = [/^\s*$/, ROW, FIELD_TAG, FIELD_END].map((one) =>
    one.test(line),
  )
  if (isBlank || heading !== null || isRow || isField || isFieldEnd || item !== null) endBlock(state)
  if (isBlank) return
  if (heading !== null) readHeading(state, heading, number)
  else if (isRow) readRow(state, line, number)
  else if (isField) readField(state, line, number)
  else if (isFieldEnd) state.field = null
  else {
    if (item !== null) {
      const indent = (item[1] as string).length
      while ((state.items.at(-1)?.indent ?? -1) >= indent) state.items.pop()
      state.items.push({ indent, names: namesOfSpans(line).slice(0, 4) })
    } else if (/^\S/.test(line) && state.block.length === 0) state.items = []
    state.block.push({ line: number, text: line })
  }
}

function readHeading(state: State, [, marks = '', heading = '']: RegExpExecArray, line: number): void {
  const written = heading.replace(/<[^<>]{0,200}>/g, '').replace(/\{#[^{}]{0,100}\}/, '')
  // Removes closing number signs.
  const text = written.split(/ #+ *$/, 1)[0]?.trim() ?? ''
  const names = namesOfSpans(text)
  // A heading such as “## server.port” is a name without code format.
  const isName = isCodeLikeName(text.replace(/\(.*/, '')) || /^[a-z]/.test(text)
  if (names.length === 0 && isName && /^[\w$.@/-]+(?:\(.*\))?$/.test(text)) names.push(...namesInSpan(text))
  state.headings.length = Math.min(state.headings.length, marks.length)
  state.headings[marks.length - 1] = names
  state.field = null
  state.items = []
  if (names.length > 0)
    push(state, { line, kind: 'heading', text, names, about: [], values: [], calls: findCalls(text) })
}

function readRow(state: State, row: string, line: number): void {
  if (/^[\s|:+-]+$/.test(row)) return
  const text = row.replace(/<a\s[^>]{0,500}>/g, ' ').replace(/<br\s*\/?>|``/g, '')
  const first = /^\s*\|\s*(?:\*\*|_)?([\w$.-]{2,60})(?:\*\*|_)?\s*(?:\||$)/.exec(text)?.[1]
  const plain = first !== undefined && (isCodeLikeName(first) || /^[a-z]/.test(first)) ? [first] : []
  const own = plain.length > 0 ? plain : namesOfSpans(text.split('|', 2)[1] ?? '')
  const about = own.length > 0 ? own : listSubjectNames(state)
  const names = [...plain, ...namesOfSpans(text)]
  push(state, { line, kind: 'row', text, names, about, values: valuesOf(text), calls: findCalls(text) })
}

function readField(state: State, text: string, line: number): void {
  const name = FIELD_NAME.exec(text)?.[1] ?? null
  state.field = FIELD_END.test(text) || /\/>\s*$/.test(text) ? null : name
  if (name === null) return
  const given = FIELD_DEFAULT.exec(text)?.[1]
  const values = given === undefined ? [] : [given, ...valuesInText(given)]
  const names = [name, ...namesOfSpans(text)]
  push(state, { line, kind: 'field', text, names, about: splitName(name), values, calls: [] })
}

function addSample(state: State, text: string, line: number): void {
  const names = namesInSample(text)
  const calls = findCalls(`\`${text}\``)
  if (names.length > 0) push(state, { line, kind: 'sample', text, names, values: valuesOfCode(text), calls })
}

/** Splits a paragraph or list item into sentences, each with the number of its first line. */
function endBlock(state: State): void {
  const { block } = state
  if (block.length === 0) return
  state.block = []
  let line = (block[0] as { line: number }).line
  const whole = block.map(({ text }) => text.trim()).join('\n')
  for (const written of whole.split(SENTENCE_END)) {
    const text = written.replaceAll('\n', ' ')
    const [names, values] = [namesOfSpans(text), valuesOf(text)]
    if (text.trim() !== '' && (names.length > 0 || values.length > 0))
      push(state, { line, kind: 'sentence', text, names, values, calls: findCalls(text) })
    line += written.split('\n').length - 1
  }
}

function listSubjectNames(state: State): string[] {
  const heading = state.headings.findLast((names) => names !== undefined && names.length > 0) ?? []
  const items = state.items.flatMap(({ names }) => names)
  return [...(state.field === null ? [] : [state.field]), ...items, ...heading]
}

function push(state: State, given: Omit<Statement, 'about'> & { about?: string[] }): void {
  const text = given.text.trim().replace(/\s+/g, ' ').slice(0, MAX_TEXT)
  const [names, about, values] = [given.names, given.about ?? listSubjectNames(state), given.values].map(
    (list) => [...new Set(list)],
  ) as [string[], string[], string[]]
  state.statements.push({ ...given, text, names, about, values })
}

function namesOfSpans(text: string): string[] {
  const names: string[] = []
  const rest = text.replace(CODE_SPAN_PATTERN, (_, __, span?: string, html?: string) => {
    names.push(...namesInSpan((span ?? html ?? '').trim()))
    return ''
  })
  // Options and environment variables are recognizable without code format.
  for (const [option] of rest.matchAll(OPTION)) names.push(option)
  for (const [name] of rest.replace(/\\_/g, '_').matchAll(ENVIRONMENT_VARIABLE_PATTERN)) names.push(name)
  return names
}

const WORD_PATH = /^[A-Za-z_$@][\w$-]*(?:(?:\.|::|#|\?\.)(?:[\w$*-]+|[<{]\w+[>}])|\[[\w'"*-]{0,60}\])*$/

function namesInSpan(span: string): string[] {
  const variable = /^\$\{?([A-Z][A-Z0-9_]+)\}?$/.exec(span)?.[1]
  if (variable !== undefined) return [variable]
  const bare = span.replace(/^["']|["']$/g, '').replace(/(?<=\w)\s*=$|[,;:?]$/, '')
  const called = /^([\w$.:#@]+)\s*(?:<[^>]*>)?\(.*\)?$/s.exec(bare)?.[1]
  if (called !== undefined)
    return [...splitName(called), ...(bare.length > called.length + 2 ? namesInSample(bare) : [])]
  if (WORD_PATH.test(bare)) return splitName(bare)
  if (/^--?[A-Za-z]/.test(bare)) return namesInSample(bare)
  const route = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s+(\/\S*)$/.exec(bare)?.[1]
  if (route !== undefined) return [pathKey(route)]
  const path = bare.replace(/:\d+$/, '')
  if (PATH_WITH_SLASH.test(path) && path.includes('/')) {
    const variables = [...path.matchAll(ENVIRONMENT_VARIABLE_PATTERN)].map(([name]) => name)
    return path.startsWith('/') ? [pathKey(path), path] : [path, ...variables]
  }
  return namesInSample(bare)
}

/** Returns a dotted name and each of its parts. */
function splitName(name: string): string[] {
  const parts = name.split(/\.|::|#|->|\?\.|\[|\]/).filter((part) => /^[@\w$-]+$/.test(part))
  const words = parts.map((part) => part.replace(/^@/, ''))
  return parts.length > 1 ? [name, ...words] : words.length === 1 ? words : [name]
}

const SAMPLE_WORD = /(?<![\w$])[A-Za-z_$@][\w$]*(?:-\w+)*/g

/** Returns invented names, options, keys, calls and members; plain words in samples are mostly local. */
function namesInSample(line: string): string[] {
  const names: string[] = []
  for (const [option] of line.matchAll(OPTION)) names.push(option)
  for (const { 0: word, index } of line.matchAll(SAMPLE_WORD)) {
    const name = word.replace(/^@/, '')
    const before = line.slice(Math.max(0, index - 2), index)
    const after = line.slice(index + word.length, index + word.length + 2)
    const isMember = /[^.]\.$|^\.$|::$|->$/.test(before) || (before.endsWith('.') && !before.startsWith('.'))
    const isKey = /^["']?\s?[:=](?!=)/.test(after) || after.startsWith('(') || /^["']:/.test(after)
    if (before.endsWith('-')) continue
    if (isCodeLikeName(name) || ((isMember || isKey) && name.length > 2)) names.push(name)
    if (name.includes('-')) names.push(...name.split('-').filter(isCodeLikeName))
  }
  for (const [, path = ''] of line.matchAll(
    /(?<![\w/:.])(\/(?:[\w{}:.*-]+|<\w+>)(?:\/(?:[\w{}:.*-]+|<\w+>))*)/g,
  ))
    if (path.length > 3) names.push(pathKey(path))
  for (const [path] of line.matchAll(
    /(?<![\w/.:@-])[\w@-][\w@.-]{0,100}(?:\/[\w@.-]{1,100}){1,12}(?![\w/])/g,
  ))
    if (/\.\w{1,5}$/.test(path)) names.push(path)
  for (const [, value = ''] of line.matchAll(/["'`]([\w./:-]{3,80})["'`]/g))
    if (isCodeLikeName(value) || value.includes('-')) names.push(value)
  return names
}

const SPAN_VALUE = /`["']?([^`"'\n]{1,60})["']?`/g

/** Returns numbers, quoted texts and texts in code format. */
function valuesOf(text: string): string[] {
  const spans = [...text.matchAll(SPAN_VALUE)].map(([, value = '']) => value)
  const quoted = [...text.matchAll(/["“]([^"“”\n]{1,60})["”]/g)].map(([, value = '']) => value)
  const cells = ROW.test(text)
    ? text
        .split('|')
        .map((cell) => cell.trim())
        .filter((cell) => /^[\w.:/-]{1,40}$/.test(cell))
    : []
  return [...spans, ...quoted, ...cells, ...valuesInText(text.replace(/\]\([^)]{0,500}\)/g, ']'))]
}

function valuesOfCode(line: string): string[] {
  return [
    ...[...line.matchAll(/["'`]([^"'`\n]{1,60})["'`]/g)].map(([, value = '']) => value),
    ...valuesInText(line),
  ]
}

const CALL = /(?<![\w$])([A-Za-z_$][\w$]*)\s?\(([^()`]{0,200})\)/g

function findCalls(text: string): Call[] {
  const calls: Call[] = []
  for (const [, , span = '', html = ''] of text.includes('`')
    ? text.matchAll(CODE_SPAN_PATTERN)
    : [['', '', text, '']]) {
    for (const [, name = '', list = ''] of (span || html).matchAll(CALL)) {
      const given = list.split(',').map((part) => part.replace(/[[\]\s]/g, ''))
      calls.push({
        name,
        arguments: given.filter(Boolean).map((part) => /^(?:\.{3})?([\w$]+)/.exec(part)?.[1] ?? part),
      })
    }
  }
  return calls
}
