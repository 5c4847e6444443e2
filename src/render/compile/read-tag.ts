/**
 * Reads tags and braces at given positions. Parses a text only a few times, regardless of the number of
 * calls.
 */
import { mdxToJs, mdxToMdast } from 'satteri'

export interface Tag {
  /** Empty for a fragment. */
  name: string
  isClosing: boolean
  isSelfClosing: boolean
  attributes: TagAttribute[]
  /** Position after the `>`. */
  end: number
}

export interface TagAttribute {
  start: number
  end: number
  /** Empty for `{...spread}`. */
  name: string
  /** Null if there is no value. For an expression, the source between the braces. */
  value: string | null
  form: 'bare' | 'quoted' | 'unquoted' | 'expression' | 'no-expression'
}

export interface Reader {
  /** Returns the tag that starts at a `<`, or null. */
  tag(at: number): Tag | null
  /** Returns the position after the matching brace, or -1. */
  brace(at: number): number
  isExpression(source: string): boolean
  /** Returns the position of the first empty line outside of brackets opened since `at`. */
  statementsEnd(at: number): number
}

const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$-]*(?:[.:][\p{ID_Start}$_][\p{ID_Continue}$-]*)*/uy
const SPACE = /\s*/y
const ATTRIBUTE_NAME = /[^\s"'<>/={}`]+/y
const EQUALS = /\s*=\s*/y
const UNQUOTED = /[^\s"'=<>`{}]+/y
const MAX_VALUE_CHARACTERS = 200_000

/** Maximum number of passes over a text to find the ends of statements. */
const MAX_STATEMENT_READS = 20

export function createReader(text: string): Reader {
  const brace = braceFinder(text)
  const cached = new Map<string, boolean>()
  let budget = MAX_STATEMENT_READS * text.length
  const isExpression = (source: string): boolean => {
    const verdict = cached.get(source) ?? isJavaScriptExpression(source)
    cached.set(source, verdict)
    return verdict
  }
  return {
    tag: (at) => readTag({ text, brace, isExpression }, at),
    brace,
    isExpression,
    statementsEnd(at) {
      const end = budget > 0 ? endOfStatements(text, at) : nextEmptyLine(text, at)
      budget -= end - at
      return end
    },
  }
}

interface TagReader {
  text: string
  brace: Reader['brace']
  isExpression: Reader['isExpression']
}

function readTag(reader: TagReader, start: number): Tag | null {
  const { text } = reader
  let at = start + 1
  const isClosing = text[at] === '/'
  if (isClosing) at += 1
  const name = match(NAME, text, at) ?? ''
  if (name === '' && text[at] !== '>') return null
  at += name.length
  const attributes: TagAttribute[] = []
  for (;;) {
    at += match(SPACE, text, at)?.length ?? 0
    const isSelfClosing = text[at] === '/'
    if (isSelfClosing) at += 1 + (match(SPACE, text, at + 1)?.length ?? 0)
    if (text[at] === '>')
      return isClosing && (isSelfClosing || attributes.length > 0)
        ? null
        : { name, isClosing, isSelfClosing, attributes, end: at + 1 }
    const attribute = isSelfClosing ? null : readAttribute(reader, at)
    if (attribute === null) return null
    attributes.push(attribute)
    at = attribute.end
  }
}

function readAttribute(reader: TagReader, start: number): TagAttribute | null {
  const { text } = reader
  if (text[start] === '{') {
    const end = reader.brace(start)
    if (end === -1) return null
    const value = text.slice(start + 1, end - 1)
    const spread = /^\s*\.\.\.([\s\S]+)$/.exec(value)
    const isRead =
      /^\s*(?:\/\*[\s\S]*\*\/\s*)?$/.test(value) || (spread && reader.isExpression(spread[1] ?? ''))
    return { start, end, name: '', value, form: isRead ? 'expression' : 'no-expression' }
  }
  const name = match(ATTRIBUTE_NAME, text, start)
  if (name === null) return null
  const behind = start + name.length
  const equals = match(EQUALS, text, behind)
  if (equals === null) return { start, end: behind, name, value: null, form: 'bare' }
  const value = readValue(reader, behind + equals.length)
  return value && { start, name, ...value }
}

function readValue(reader: TagReader, start: number): Pick<TagAttribute, 'end' | 'value' | 'form'> | null {
  const { text } = reader
  const quote = text[start]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, start + 1)
    if (end === -1 || end - start > MAX_VALUE_CHARACTERS) return null
    return { end: end + 1, value: text.slice(start + 1, end), form: 'quoted' }
  }
  if (quote === '{') {
    const end = reader.brace(start)
    if (end === -1) return null
    const value = text.slice(start + 1, end - 1)
    const isRead = reader.isExpression(value)
    return { end, value, form: isRead ? 'expression' : 'no-expression' }
  }
  const value = match(UNQUOTED, text, start)
  return value === null ? null : { end: start + value.length, value, form: 'unquoted' }
}

const PATH = /^\s*[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)+\s*$/u

function isJavaScriptExpression(source: string): boolean {
  if (/^(?:\d*|"[^"\\\n]*")$/.test(source.trim()) || PATH.test(source)) return true
  try {
    const { children } = mdxToMdast(`{${source}}`, { position: false }) as { children: { type: string }[] }
    return children.length === 1 && children[0]?.type === 'mdxFlowExpression'
  } catch {
    return false
  }
}

export function isJavaScript(source: string): boolean {
  try {
    mdxToJs(source, { features: { frontmatter: false } })
    return true
  } catch {
    return false
  }
}

const createCodeMarkPattern = () => /[{}()[\]`"'\n]|\/\*|\/\//g

/** Skips a string or comment. Returns the position after it, or -1 if it is not closed. */
function skipStringOrComment(text: string, at: number, mark: string): number {
  if (mark === '/*') {
    const end = text.indexOf('*/', at + 2)
    return end === -1 ? -1 : end + 2
  }
  if (mark === '//') {
    if (text[at - 1] === ':') return at + 2
    const end = text.indexOf('\n', at)
    return end === -1 ? text.length : end
  }
  // A quote without a counterpart on the line is an apostrophe in text between tags.
  for (let i = at + 1; i < text.length && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === mark) return i + 1
  }
  return at + 1
}

/** Returns the position after a template literal or after a `${` in it, or -1 if it is not closed. */
function skipTemplate(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '`') return i + 1
    else if (text[i] === '$' && text[i + 1] === '{') return i + 2
  }
  return -1
}

/**
 * Calls `onMark` for each bracket and line break in code until the callback returns true. Returns false if the end is
 * reached.
 */
function walkCode(text: string, from: number, onMark: (at: number, mark: string) => boolean): boolean {
  const marks = createCodeMarkPattern()
  /** Brace depths at which an expression in a template literal ends. */
  const templates: number[] = []
  let depth = 0
  marks.lastIndex = from
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    const [mark] = found
    const at = found.index
    if (mark === '{') depth += 1
    if (mark === '}') depth -= 1
    const isBracket = /^[{}()[\]\n]$/.test(mark)
    if (isBracket && onMark(at, mark)) return true
    const isTemplate = mark === '`' || (mark === '}' && templates.at(-1) === depth)
    if (isBracket && !isTemplate) continue
    if (mark === '}') templates.pop()
    const end = isTemplate ? skipTemplate(text, at + 1) : skipStringOrComment(text, at, mark)
    if (end === -1) return false
    if (isTemplate && text[end - 1] === '{') {
      templates.push(depth)
      depth += 1
      if (onMark(end - 1, '{')) return true
    }
    marks.lastIndex = end
  }
  return false
}

function braceFinder(text: string): (at: number) => number {
  const ends = new Map<number, number>()
  return (start) => {
    const cached = ends.get(start)
    if (cached !== undefined) return cached
    const open: number[] = []
    walkCode(text, start, (at, mark) => {
      if (mark === '{') open.push(at)
      const opening = mark === '}' ? open.pop() : undefined
      if (opening !== undefined) ends.set(opening, at + 1)
      return mark === '}' && open.length === 0
    })
    for (const at of open) ends.set(at, -1)
    return ends.get(start) ?? -1
  }
}

const EMPTY_LINE = /\n[ \t]*(?:\n|$)/y

/** Returns the position of the first empty line outside of brackets, or the end of the text. */
function endOfStatements(text: string, start: number): number {
  let depth = 0
  let end = -1
  const isFound = walkCode(text, start, (at, mark) => {
    if (mark === '\n') {
      EMPTY_LINE.lastIndex = at
      end = at
      return depth <= 0 && EMPTY_LINE.test(text)
    }
    depth += /[{([]/.test(mark) ? 1 : -1
    return false
  })
  return isFound ? end : text.length
}

function nextEmptyLine(text: string, from: number): number {
  const length = text.slice(from).search(/\n[ \t]*(?:\n|$)/)
  return length === -1 ? text.length : from + length
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}
