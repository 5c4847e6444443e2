/**
 * Parses a page to a tree, even if it contains mistakes. Tags, expressions and modules are identified first;
 * everything else is text. All unpaired tags are found in one pass. A block that cannot be parsed is shown as
 * text.
 */
import { markdownToHast, markdownToMdast, mdxToHast } from 'satteri'
import type { SourceNode } from '../tree/source-node.ts'
import { readCompilerMessage } from './compile-expression.ts'
import { restoreIndents } from './compile-indents.ts'
import { findUnusedCharacter } from './compile-variables.ts'
import { isHeading, type PageToken, readTokens } from './page-tokens.ts'
import { isJavaScript } from './read-tag.ts'
import { type RewrittenSource, rewrite } from './rewrite.ts'
import { resolvePairs } from './tag-pairs.ts'
import { componentNames, type Meanings, type Notice, readMeanings, resolveBlock } from './token-meaning.ts'

export interface BodyRules {
  isMarkdownFile: boolean
  /** Whether dollar signs may delimit formulas. */
  hasMath: boolean
}

export interface ParsedBody {
  root: SourceNode
  /** Source with corrections, as parsed. */
  text: string
  notices: readonly Notice[]
}

const FEATURES = {
  gfm: true,
  frontmatter: false,
  headingAttributes: true,
  math: { singleDollarTextMath: false },
  smartPunctuation: true,
}

export function parseBody(source: string, rules: BodyRules): ParsedBody {
  const tokens = readTokens(source, { code: null, hasMath: rules.hasMath, isModule: isJavaScript })
  if (rules.isMarkdownFile && !isMdx(source, tokens)) return parseMarkdown(source, rules)
  const meanings = readMeanings(source, tokens, { isMdx: true, isMarkdownFile: rules.isMarkdownFile })
  const root = (): SourceNode | null => parseMdx(source, tokens, meanings)
  const parsed = (made: SourceNode): ParsedBody => ({
    root: made,
    // Formulas in single dollars are supported, so they are not corrected in the text.
    text: rewrite(source, tokens, (token) => (isFormula(token) ? null : meanings.textOf(token))).text,
    notices: meanings.notices(),
  })
  const first = hasOpenHeading(source, tokens, meanings) ? null : root()
  if (first) return parsed(first)
  resolvePairs(source, tokens, meanings, FEATURES)
  const paired = root()
  if (paired) return parsed(paired)
  const parts = parseParts(source, tokens, meanings)
  return parsed(root() ?? { type: 'root', children: parts })
}

/**
 * Returns whether a heading contains an unclosed tag, which the parser would extend over the following text.
 */
function hasOpenHeading(source: string, tokens: readonly PageToken[], meanings: Meanings): boolean {
  let line = -1
  let depth = 0
  for (const token of tokens) {
    const change = getDepthChange(token, meanings)
    if (change === 0 || !isHeading(source, token.start)) continue
    const own = source.lastIndexOf('\n', token.start)
    if (own !== line && depth !== 0) return true
    depth = (own === line ? depth : 0) + change
    line = own
  }
  return depth !== 0
}

function isFormula(token: PageToken): boolean {
  return token.kind === 'math' && !token.isBlock
}

/** Returns whether a Markdown file contains a component or an MDX comment, and must therefore be parsed as MDX. */
function isMdx(source: string, tokens: readonly PageToken[]): boolean {
  const isComponent = componentNames(source, tokens)
  return tokens.some(
    (token) =>
      (token.kind === 'tag' && isComponent(token.tag.name)) ||
      (token.kind === 'expression' && /^\{\s*\/\*/.test(source.slice(token.start, token.end))),
  )
}

function parseMdx(source: string, tokens: readonly PageToken[], meanings: Meanings): SourceNode | null {
  const made = rewrite(source, tokens, (token) => meanings.textOf(token))
  const tree = tryParseMdx(made)
  return tree.root ?? null
}

type Attempt = { root: SourceNode; error?: undefined } | { root?: undefined; error: string }

function tryParseMdx(made: RewrittenSource): Attempt {
  try {
    // The library's node types are unions, while SourceNode has only the fields that are used.
    const root = mdxToHast(made.text, { features: FEATURES }) as unknown as SourceNode
    if (made.text.includes('`')) restoreIndents(root, made.text)
    if (made.isMoved) restoreLines(root, made.lineOf)
    return { root }
  } catch (error) {
    return { error: readCompilerMessage(error).message }
  }
}

function restoreLines(node: SourceNode, lineOf: (line: number) => number): void {
  if (node.position) node.position.start.line = lineOf(node.position.start.line)
  for (const child of node.children ?? []) restoreLines(child, lineOf)
}

/** Parses each block separately. Blocks that cannot be parsed become text, also in the corrected source. */
function parseParts(source: string, tokens: readonly PageToken[], meanings: Meanings): SourceNode[] {
  let line = 0
  return splitBlocks(source, tokens, meanings).flatMap(({ start, end, own }) => {
    const text = source.slice(start, end)
    const above = line
    line += text.split('\n').length - 1
    const moved = own.map((token) => ({ token, start: token.start - start, end: token.end - start }))
    const { root, error } = tryParseMdx(rewrite(text, moved, ({ token }) => meanings.textOf(token)))
    if (error !== undefined) resolveBlock(meanings, own, start + text.search(/\S|$/), error)
    const made = root ?? createPlainTextTree(text)
    restoreLines(made, (at) => at + above)
    return made.children ?? []
  })
}

/** Splits at empty lines outside of tags. */
function splitBlocks(source: string, tokens: readonly PageToken[], meanings: Meanings) {
  const parts: { start: number; end: number; own: PageToken[] }[] = []
  const empty = /\n(?:[ \t]*\n)+/g
  let own: PageToken[] = []
  let start = 0
  let next = 0
  let depth = 0
  for (let found = empty.exec(source); found; found = empty.exec(source)) {
    const end = empty.lastIndex
    for (let token = tokens[next]; token && token.start < end; token = tokens[++next]) {
      own.push(token)
      depth = Math.max(0, depth + getDepthChange(token, meanings))
    }
    if (depth > 0 || (own.at(-1)?.end ?? 0) > end) continue
    parts.push({ start, end, own })
    own = []
    start = end
  }
  parts.push({ start, end: source.length, own: [...own, ...tokens.slice(next)] })
  return parts
}

function getDepthChange(token: PageToken, meanings: Meanings): number {
  if (token.kind !== 'tag' || token.tag.isSelfClosing || meanings.textOf(token)?.endsWith('/>')) return 0
  return /^(?:markup|apart)$/.test(meanings.of(token)) ? (token.tag.isClosing ? -1 : 1) : 0
}

/** Maximum number of passes. Several are needed if a line of HTML becomes text and reveals further tokens. */
const MAX_ROUNDS = 4

/** Parses Markdown. HTML in the text is parsed in the same way as by browsers. */
function parseMarkdown(source: string, rules: BodyRules): ParsedBody {
  const sign = findUnusedCharacter(source)
  let shown = source
  let tokens: PageToken[] = []
  let meanings: Meanings | null = null
  let infos: TextRange[] = []
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { code, html, infos: found } = findRanges(shown)
    infos = found
    const isInHtml = (at: number) => html.some(({ start, end }) => start <= at && at < end)
    const isModule = () => true
    tokens = readTokens(source, { code, isInHtml, hasMath: rules.hasMath, isModule }).filter(
      ({ kind, start }) => kind !== 'math' || !isInHtml(start),
    )
    meanings = readMeanings(source, tokens, { isMdx: false, isMarkdownFile: true })
    // Autolinks in angle brackets are not supported inside HTML blocks.
    for (const token of tokens)
      if (token.kind === 'address' && isInHtml(token.start)) meanings.change(token, 'text')
    const text = rewrite(source, tokens, (token) => {
      const isWord = meanings?.of(token) === 'text' || token.kind === 'mark'
      const written = source.slice(token.start, token.end)
      if (isWord && token.kind !== 'mark') return sign + written.slice(1)
      return isWord || (token.kind === 'math' && token.isBlock) ? written.replace(/[^\n]/g, sign) : null
    }).text
    if (text === shown) break
    shown = text
  }
  const textOf = (token: PageToken) => meanings?.textOf(token) ?? null
  const { text } = rewrite(source, tokens, textOf)
  const notices = meanings?.notices() ?? []
  try {
    const parts = [...tokens, ...infos].sort((a, b) => a.start - b.start)
    const made = rewrite<PageToken | TextRange>(source, parts, (part) =>
      'kind' in part ? textOf(part) : source.slice(part.start, part.end).replace(/[ \t]/g, sign),
    )
    const root = markdownToHast(made.text, {
      features: { ...FEATURES, rawHtml: true },
    }) as unknown as SourceNode
    if (infos.length > 0) splitCodeInfo(root, sign)
    return { root, text, notices }
  } catch {
    return { root: createPlainTextTree(source), text: source, notices }
  }
}

/** Splits the class of a code block, which contains its whole info string, into language and options. */
function splitCodeInfo(node: SourceNode, sign: string): void {
  const names = node.tagName === 'code' ? node.properties?.className : null
  const [info] = Array.isArray(names) ? names.map(String).filter((name) => name.includes(sign)) : []
  if (info !== undefined) {
    const [lang = '', ...meta] = info.replace(/^language-/, '').split(sign)
    node.data = { lang, meta: meta.join(' ') }
    node.properties = { ...node.properties, className: [`language-${lang}`] }
  }
  for (const child of node.children ?? []) splitCodeInfo(child, sign)
}

interface TextRange {
  start: number
  end: number
}

interface MdastNode {
  type: string
  children?: MdastNode[]
  position?: { start: { offset: number }; end: { offset: number } }
}

const CODE = new Set(['code', 'inlineCode', 'definition'])

function findRanges(text: string): { code: TextRange[]; html: TextRange[]; infos: TextRange[] } {
  const code: TextRange[] = []
  /** Ranges of info strings with more than a language. */
  const infos: TextRange[] = []
  const html: TextRange[] = []
  const walk = (node: MdastNode, isInline: boolean) => {
    const list = CODE.has(node.type) ? code : node.type === 'html' && !isInline ? html : null
    if (list && node.position) list.push({ start: node.position.start.offset, end: node.position.end.offset })
    for (const child of node.children ?? [])
      walk(child, /^(?:paragraph|heading|tableCell)$/.test(node.type) || isInline)
  }
  try {
    walk(markdownToMdast(text, { features: FEATURES }) as unknown as MdastNode, false)
  } catch {
    // text that cannot be parsed is shown unchanged
  }
  for (const { start } of code) {
    const [whole, marks = '', info = ''] = /^(`{3,}|~{3,})(.*)/.exec(text.slice(start, start + 2000)) ?? []
    const begin = start + marks.length
    if (whole !== undefined && /\S[ \t]+\S/.test(info))
      infos.push({ start: begin, end: begin + info.trimEnd().length })
  }
  return { code: code.sort((a, b) => a.start - b.start), html, infos }
}

/** Returns the text as plain paragraphs, for texts that take too long to parse. */
export function createUnreadBody(source: string): ParsedBody {
  const notice: Notice = {
    line: null,
    code: 'mdx.syntax',
    level: 'error',
    message: 'Parsing takes too long, so the page is shown as plain text.',
    remedy: 'Split the page, and check for large numbers of unclosed tags or braces.',
  }
  return { root: createPlainTextTree(source), text: source, notices: [notice] }
}

function createPlainTextTree(source: string): SourceNode {
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
