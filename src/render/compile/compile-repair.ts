/**
 * From the text of a page to a tree, whatever the text is like. In order:
 *   exact      the text is MDX
 *   repaired   HTML comments, void tags and bare addresses made MDX; then, mistake by mistake, the brace or tag that the
 *              compiler names becomes plain text
 *   markdown   as Markdown with HTML; component tags go, their titles and contents stay
 *   text       paragraph by paragraph, as it is
 */
import { markdownToHast, mdxToHast } from 'satteri'
import { nextOf } from '../../base/next-of.ts'
import type { SourceNode } from '../tree/source-node.ts'
import { type CompilerMessage, readCompilerMessage } from './compile-expression.ts'
import { restoreIndents } from './compile-indents.ts'

export interface ParsedBody {
  root: SourceNode
  how: 'exact' | 'repaired' | 'markdown' | 'text'
  /** One for each repair, in order; lines count from the start of the given text. */
  mistakes: { line: number | null; message: string }[]
}

/** A page with more mistakes than this is read as Markdown. */
const MOST_REPAIRS = 60
/** Characters that are read again for the sake of repairs: a page of 66,000 may have all of them. */
const MOST_READ_AGAIN = 4_000_000

export const TAKES_TOO_LONG = 'Reading the text takes too long'

const FEATURES = {
  gfm: true,
  frontmatter: false,
  headingAttributes: true,
  math: { singleDollarTextMath: false },
  smartPunctuation: true,
}

export function parseBody(source: string, isMarkdown: boolean): ParsedBody {
  const exact = tryMdx(source)
  if (exact.root) return { root: exact.root, how: 'exact', mistakes: [] }
  if (isMarkdown && !/<[A-Z]/.test(source)) {
    const root = tryMarkdown(source)
    if (root) return { root, how: 'exact', mistakes: [] }
  }
  let text = makeMdx(source)
  // Comments and void tags are no mistakes in a Markdown file.
  const html = isMarkdown ? tryMdx(text) : { root: undefined }
  if (html.root) return { root: html.root, how: 'repaired', mistakes: [] }
  const mistakes = [mistakeOf(exact.error)]
  let last = exact.error
  const rounds = Math.min(MOST_REPAIRS, Math.ceil(MOST_READ_AGAIN / text.length))
  for (let round = 0; round < rounds; round++) {
    const attempt = tryMdx(text)
    if (attempt.root) return { root: attempt.root, how: 'repaired', mistakes }
    if (round > 0 || attempt.error.line !== last.line) mistakes.push(mistakeOf(attempt.error))
    const repaired = repairOnce(text, attempt.error)
    if (repaired === null || repaired === text) break
    text = repaired
    last = attempt.error
  }
  const root = tryMarkdown(withoutComponents(source))
  return root ? { root, how: 'markdown', mistakes } : { root: asText(source), how: 'text', mistakes }
}

/** For a text that the parsers do not come to an end with. */
export function unreadBody(source: string): ParsedBody {
  return { root: asText(source), how: 'text', mistakes: [{ line: null, message: TAKES_TOO_LONG }] }
}

/** Paragraphs of plain text. */
function asText(source: string): SourceNode {
  const paragraphs = source.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '')
  return {
    type: 'root',
    children: paragraphs.map((value) => ({
      type: 'element',
      tagName: 'p',
      properties: {},
      children: [{ type: 'text', value }],
    })),
  }
}

type Attempt = { root: SourceNode; error?: undefined } | { root?: undefined; error: CompilerMessage }

function tryMdx(source: string): Attempt {
  try {
    // The library's node types are unions by type; SourceNode names the few fields that are read.
    const root = mdxToHast(source, { features: FEATURES }) as unknown as SourceNode
    if (source.includes('`')) restoreIndents(root, source)
    return { root }
  } catch (error) {
    return { error: readCompilerMessage(error) }
  }
}

function tryMarkdown(source: string): SourceNode | null {
  try {
    const features = { ...FEATURES, rawHtml: true }
    return markdownToHast(source, { features }) as unknown as SourceNode
  } catch {
    return null
  }
}

function mistakeOf({ line, message }: CompilerMessage): { line: number | null; message: string } {
  return { line, message }
}

const VOID = 'area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr'

/** What is HTML but not MDX, outside of code. The number of lines stays. */
function makeMdx(source: string): string {
  return outsideCode(commentsMadeMdx(source), (text) =>
    text
      .replace(/<!doctype[^<>\n]*>/gi, '')
      .replace(new RegExp(`<(${VOID})((?:\\s(?:[^<>"']|"[^"]*"|'[^']*'){0,500}?)?)\\s*/?>`, 'gi'), '<$1$2 />')
      .replace(new RegExp(`</(?:${VOID})\\s*>`, 'gi'), '')
      .replace(/<((?:https?|mailto|ftp):[^\s<>]+)>/g, '[$1]($1)')
      .replace(/<([\w.+-]+@[\w-]+\.[\w.-]+)>/g, '[$1](mailto:$1)'),
  )
}

/** Whichever begins first holds the other: a comment may speak of `code`, and code may show a comment. */
function commentsMadeMdx(source: string): string {
  const opening = new RegExp(`${CODE.source}|<!--`, 'gm')
  const close = nextOf(source, /-->/g)
  const parts: string[] = []
  let kept = 0
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const end = found[0] === '<!--' ? close(opening.lastIndex) : -1
    if (end === -1) continue
    const comment = source.slice(opening.lastIndex, end).replaceAll('*/', '* /')
    parts.push(source.slice(kept, found.index), `{/*${comment}*/}`)
    kept = end + 3
    opening.lastIndex = kept
  }
  return parts.join('') + source.slice(kept)
}

/** Takes away the cause of one compiler message; null when it cannot be found. */
function repairOnce(text: string, error: CompilerMessage): string | null {
  const place = error.tag ?? (error.line && error.column ? { line: error.line, column: error.column } : null)
  if (!place) return null
  const at = offsetOf(text, place.line, place.column)
  if (at === null) return null
  const isBrace = /expression|brace|attribute|`\{`/.test(error.message) && error.tag === null
  const found = isBrace ? openBefore(text, at) : text[at] === '<' ? at : text.lastIndexOf('<', at)
  if (found < 0) return null
  if (text[found] === '{') return `${text.slice(0, found)}&#123;${text.slice(found + 1)}`
  const tag = /^<\/?[a-z][\w-]*(?:\s(?:[^<>"'{}]|"[^"]*"|'[^']*')*)?\/?>/.exec(
    text.slice(found, found + 2000),
  )
  if (tag) return text.slice(0, found) + text.slice(found + tag[0].length)
  return `${text.slice(0, found)}&lt;${text.slice(found + 1)}`
}

/** The `{` or `<` that opens what the compiler could not read. */
function openBefore(text: string, at: number): number {
  let depth = 0
  for (let i = at; i >= 0 && at - i < 5000; i--) {
    const character = text[i]
    if (character === '}' && i !== at) depth += 1
    else if (character === '{' && depth > 0) depth -= 1
    else if (character === '{') return i
  }
  return text[at] === '<' ? at : text.lastIndexOf('<', at)
}

/** Columns count bytes or characters alike in the ASCII part of a line; the place is only a starting point. */
function offsetOf(text: string, line: number, column: number): number | null {
  let start = 0
  for (let count = 1; count < line; count++) {
    const next = text.indexOf('\n', start)
    if (next === -1) return null
    start = next + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + column - 1, end === -1 ? text.length : end)
}

/** Component tags become their titles; imports and exports go. */
function withoutComponents(source: string): string {
  return outsideCode(makeMarkdownComments(source), (text) =>
    text
      .replace(/^import\s.*from\s*['"][^'"\r\n]*['"];?[ \t]*$/gm, '')
      .replace(
        /<\/?[A-Z][\w.]*((?:\s(?:[^<>"']|"[^"]*"|'[^']*'){0,500}?)?)\/?>/g,
        (_, attributes: string) => {
          const title = /\s(?:title|label|name|caption)=(?:"([^"]*)"|'([^']*)')/.exec(attributes)
          return title ? `\n\n**${title[1] ?? title[2]}**\n\n` : '\n\n'
        },
      ),
  )
}

function makeMarkdownComments(source: string): string {
  return outsideCode(source, withoutMdxComments)
}

function withoutMdxComments(text: string): string {
  const parts: string[] = []
  let kept = 0
  for (let at = text.indexOf('{/*'); at !== -1; at = text.indexOf('{/*', kept)) {
    const end = text.indexOf('*/}', at + 3)
    if (end === -1) break
    parts.push(text.slice(kept, at))
    kept = end + 3
  }
  return parts.join('') + text.slice(kept)
}

/** Fenced code and code spans. */
const CODE =
  /^([ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+|\d+[.)][ \t]+)*)(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^[ \t>]*\2[`~]*[ \t]*$|$(?![\s\S]))|(?<!`)(`+)(?!`)[^\n]{0,2000}?(?<!`)\3(?!`)/gm

/** Applies a change to everything but fenced code and code spans. */
function outsideCode(source: string, change: (text: string) => string): string {
  let out = ''
  let copied = 0
  for (const found of source.matchAll(CODE)) {
    out += change(source.slice(copied, found.index)) + found[0]
    copied = found.index + found[0].length
  }
  return out + change(source.slice(copied))
}
