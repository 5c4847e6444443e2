/**
 * Converts the prose between code blocks to MDX. A single pass recognizes code spans, comments, tags, braces,
 * links and the syntax of the dialect. Other text is unchanged.
 */
import { createForwardSearch } from '../../base/text/forward-search.ts'
import { isBlockElement, isHtmlElement, isPlainAttribute, writeHtmlTag } from './html.ts'
import { endOfBraces, readTag, type ScanBudget, scanBudget, type Tag } from './tags.ts'

export interface ProseRules {
  /** Whether the text is already MDX: braces are expressions, and tags may be components. */
  isMdx: boolean
  link(href: string, line: number, use: 'link' | 'image'): string
  /** Returns the replacement for a tag; null for the default. */
  tag(tag: Tag, line: number): string | null
  /** Returns the replacement for an MDX expression; null to leave it unchanged. */
  expression?(source: string, line: number): string | null
  /** Called for each dropped part of a tag. */
  lost?(what: string, line: number): void
  /** Characters at which `own` is called. */
  marks: string
  /** Converts syntax of the dialect at this position; null if there is none. */
  own(text: string, at: number, line: number): { text: string; end: number } | null
}

/** Maximum number of characters between opening and closing delimiters. */
const MAX_SPAN = 5000

interface Scan {
  text: string
  rules: ProseRules
  budget: ScanBudget
  parts: string[]
  lineOf(at: number): number
  /** Search functions that must be called with increasing positions. */
  next: Record<'comment' | 'emptyLine' | 'math', (from: number) => number>
  backticks: Map<number, (from: number) => number>
}

export function convertProse(text: string, firstLine: number, rules: ProseRules): string {
  const scan: Scan = {
    text,
    rules,
    budget: scanBudget(text),
    parts: [],
    lineOf: lineCounter(text, firstLine),
    next: {
      comment: createForwardSearch(text, /-->/g),
      emptyLine: createForwardSearch(text, /\n[ \t]*\n/g),
      math: createForwardSearch(text, /\$\$/g),
    },
    backticks: new Map(),
  }
  const marks = new Set(`\\\`<{}]$[${rules.marks}`)
  let copiedUntil = 0
  let at = 0
  while (at < text.length) {
    if (!marks.has(text[at] as string)) {
      at++
      continue
    }
    const found = convertMark(scan, at)
    if (found === null) {
      at++
      continue
    }
    scan.parts.push(text.slice(copiedUntil, at), found.text)
    copiedUntil = at = found.end
  }
  scan.parts.push(text.slice(copiedUntil))
  return scan.parts.join('')
}

type ConvertedSpan = { text: string; end: number } | null

function convertMark(scan: Scan, at: number): ConvertedSpan {
  const { text, rules } = scan
  const mark = text[at] as string
  if (mark === '\\') return convertEscape(scan, at)
  if (mark === '`') return convertCodeSpan(scan, at)
  if (rules.marks.includes(mark)) {
    const own = rules.own(text, at, scan.lineOf(at))
    if (own) return own
  }
  if (mark === '<') return convertAngleBracket(scan, at)
  if (mark === '{') return convertBrace(scan, at)
  if (mark === '}') return rules.isMdx ? null : { text: '\\}', end: at + 1 }
  if (mark === '$') return convertMath(scan, at)
  if (mark === ']') return convertLink(scan, at)
  if (mark === '[') return convertDefinition(scan, at)
  return null
}

/** Copies backslash escapes, except for `\<`, which is only special in MDX. */
function convertEscape({ text }: Scan, at: number): ConvertedSpan {
  const next = text[at + 1]
  if (next === undefined || next === '\n') return null
  return { text: next === '<' ? '&lt;' : text.slice(at, at + 2), end: at + 2 }
}

function convertCodeSpan(scan: Scan, at: number): ConvertedSpan {
  const { text } = scan
  let length = 1
  while (text[at + length] === '`') length++
  const after = at + length
  const run = { text: text.slice(at, after), end: after }
  if (length > 32) return run
  const next =
    scan.backticks.get(length) ?? createForwardSearch(text, new RegExp(`(?<!\`)\`{${length}}(?!\`)`, 'g'))
  scan.backticks.set(length, next)
  const close = next(after)
  if (close === -1 || close - after > 4 * MAX_SPAN) return run
  const empty = scan.next.emptyLine(after)
  if (empty !== -1 && empty < close) return run
  return { text: text.slice(at, close + length), end: close + length }
}

function convertAngleBracket(scan: Scan, at: number): ConvertedSpan {
  const { text, rules } = scan
  if (text.startsWith('<!--', at)) return convertComment(scan, at)
  const address = /<((?:https?|ftp|mailto):[^\s<>]{1,2000}|[\w.+-]{1,100}@[\w-]{1,100}\.[\w.-]{1,100})>/y
  address.lastIndex = at
  const found = address.exec(text)
  if (found) {
    const href = found[1] as string
    return { text: `[${href}](${/^[a-z]+:/.test(href) ? href : `mailto:${href}`})`, end: address.lastIndex }
  }
  const tag = readTag(text, at, scan.budget)
  if (tag === null)
    return rules.isMdx && /[A-Za-z/>]/.test(text[at + 1] ?? '') ? null : { text: '&lt;', end: at + 1 }
  const line = scan.lineOf(at)
  const own = rules.tag(tag, line)
  if (own !== null) return { text: own, end: tag.end }
  if (isHtmlElement(tag.name)) return convertElement(scan, at, tag)
  if (rules.isMdx) return { text: text.slice(at, tag.end), end: tag.end }
  return { text: '&lt;', end: at + 1 }
}

function convertComment(scan: Scan, at: number): ConvertedSpan {
  const end = scan.next.comment(at + 4)
  if (end === -1) return { text: '&lt;', end: at + 1 }
  return { text: toMdxComment(scan.text.slice(at + 4, end)), end: end + 3 }
}

export function toMdxComment(text: string): string {
  return `{/*${text.replaceAll('*/', '* /')}*/}`
}

function convertElement(scan: Scan, at: number, tag: Tag): ConvertedSpan {
  const { text, rules } = scan
  const line = scan.lineOf(at)
  for (const one of tag.attributes) {
    if (isPlainAttribute(one)) {
      const use = one.name === 'src' || one.name === 'poster' ? 'image' : one.name === 'href' ? 'link' : null
      if (use && one.value !== null && !one.isExpression) one.value = rules.link(one.value, line, use)
    } else if (one.name !== 'markdown') {
      rules.lost?.(`${one.name}="${one.value ?? ''}" of <${tag.name}>`, line)
    }
  }
  return { text: isolateBlockTag(text, at, tag, writeHtmlTag(tag)), end: tag.end }
}

/**
 * Moves a block tag to a separate line unless its counterpart is on the same line, because in MDX a tag ends a
 * paragraph only on a separate line.
 */
function isolateBlockTag(text: string, at: number, tag: Tag, written: string): string {
  if (!isBlockElement(tag.name) || tag.isSelfClosing) return written
  const above = text.slice(Math.max(0, at - MAX_SPAN), at)
  const below = text.slice(tag.end, tag.end + MAX_SPAN)
  const start = at - above.length + above.lastIndexOf('\n') + 1
  const newline = below.indexOf('\n')
  const end = tag.end + (newline === -1 ? below.length : newline)
  const line = text.slice(start, end).toLowerCase()
  const name = tag.name.toLowerCase()
  if (/^\s*\|/.test(line)) return written
  const opened = line.split(`<${name}`).length
  const closed = line.split(`</${name}`).length
  if (opened === closed) return written
  const indent = /^[ \t]*/.exec(line)?.[0] ?? ''
  const before = text.slice(start, at).trim() === '' ? '' : `\n${indent}`
  const after = text.slice(tag.end, end).trim() === '' ? '' : `\n${indent}`
  return `${before}${written}${after}`
}

function convertBrace(scan: Scan, at: number): ConvertedSpan {
  const { text, rules } = scan
  // All dialects support heading ids.
  const id = /\{#[\w.:-]{1,200}\}[ \t]*(?=\n|$)/y
  id.lastIndex = at
  const found = id.exec(text)
  if (found) return { text: found[0], end: id.lastIndex }
  if (!rules.isMdx) return { text: '\\{', end: at + 1 }
  const end = scan.budget.left > 0 ? endOfBraces(text, at, scan.budget) : null
  if (end === null) return { text: '\\{', end: at + 1 }
  const source = text.slice(at + 1, end - 1)
  return { text: rules.expression?.(source, scan.lineOf(at)) ?? text.slice(at, end), end }
}

/** Copies a formula in `$$`, where braces are not expressions. */
function convertMath(scan: Scan, at: number): ConvertedSpan {
  const { text } = scan
  if (text[at + 1] !== '$') return null
  const close = scan.next.math(at + 2)
  if (close === -1 || close - at > MAX_SPAN) return { text: '$$', end: at + 2 }
  return { text: text.slice(at, close + 2), end: close + 2 }
}

/** Converts `](address "title")`. The label has already been read. */
function convertLink(scan: Scan, at: number): ConvertedSpan {
  const { text, rules } = scan
  if (text[at + 1] !== '(') return null
  const pattern = /\]\([ \t]{0,20}\n?[ \t]{0,20}(?:<([^<>\n]{0,2000})>|([^\s<]\S{0,2000}))/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found) return null
  const bare = found[2]
  const href = bare === undefined ? (found[1] ?? '') : balanced(bare)
  const end = bare === undefined ? pattern.lastIndex : pattern.lastIndex - (bare.length - href.length)
  const use = isImage(text, at) ? 'image' : 'link'
  return { text: `](${escapeLinkUrl(rules.link(href, scan.lineOf(at), use))}`, end }
}

/** Returns the text before the closing parenthesis of the link. */
function balanced(text: string): string {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++
    else if (text[i] === ')') {
      if (depth === 0) return text.slice(0, i)
      depth--
    }
  }
  return text
}

function isImage(text: string, close: number): boolean {
  let depth = 0
  for (let i = close; i >= 0 && close - i < 500; i--) {
    if (text[i] === ']') depth++
    else if (text[i] === '[') {
      depth--
      if (depth === 0) return text[i - 1] === '!'
    }
  }
  return false
}

function escapeLinkUrl(href: string): string {
  return /[\s()<>]/.test(href)
    ? encodeURI(decodeSafely(href)).replaceAll('(', '%28').replaceAll(')', '%29')
    : href
}

function decodeSafely(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/** Converts `[name]: address` at the start of a line. */
function convertDefinition(scan: Scan, at: number): ConvertedSpan {
  const { text, rules } = scan
  const before = `${at <= 3 ? '\n' : ''}${text.slice(Math.max(0, at - 4), at)}`
  if (!/\n {0,3}$/.test(before) || text[at + 1] === '^') return null
  const pattern = /\[[^\]\n]{1,500}\]:[ \t]+(?:<([^<>\n]{0,2000})>|([^\s<]\S{0,2000}))/y
  pattern.lastIndex = at
  const found = pattern.exec(text)
  if (!found) return null
  const href = found[1] ?? found[2] ?? ''
  const label = found[0].slice(0, found[0].indexOf(']:') + 2)
  return {
    text: `${label} ${escapeLinkUrl(rules.link(href, scan.lineOf(at), 'link'))}`,
    end: pattern.lastIndex,
  }
}

/** Returns a function that converts positions to line numbers. Must be called with increasing positions. */
function lineCounter(text: string, firstLine: number): (at: number) => number {
  const nextEnd = createForwardSearch(text, /\n/g)
  let line = firstLine
  let counted = 0
  return (at) => {
    for (let end = nextEnd(counted); end !== -1 && end < at; end = nextEnd(counted)) {
      line++
      counted = end + 1
    }
    return line
  }
}
