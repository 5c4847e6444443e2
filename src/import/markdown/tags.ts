/** Parses a single HTML or JSX tag. Lookahead is limited. */

export interface Tag {
  name: string
  isClosing: boolean
  isSelfClosing: boolean
  attributes: TagAttribute[]
  /** Position after the `>`. */
  end: number
}

export interface TagAttribute {
  /** Empty for `{...spread}`. */
  name: string
  /** Null if there is no value. For an expression, the text between the braces. */
  value: string | null
  isExpression: boolean
}

/** Number of characters that may still be scanned without a match. Shared by a whole page. */
export interface ScanBudget {
  left: number
}

export function scanBudget(text: string): ScanBudget {
  return { left: 200_000 + 20 * text.length }
}

const MAX_TAG = 20_000
const NAME = /[A-Za-z][\w.:-]*/y
const SPACE = /\s+/y
const ATTRIBUTE_NAME = /[^\s"'<>/={}`]+/y
const EQUALS = /\s*=\s*/y
const UNQUOTED = /[^\s"'=<>`{}]+/y

/** Returns the tag whose `<` is at `at`, or null. */
export function readTag(text: string, at: number, budget: ScanBudget): Tag | null {
  if (budget.left <= 0) return null
  const tag = tagAt(text, at, budget)
  if (tag === null) budget.left -= Math.min(MAX_TAG, 40)
  return tag
}

function tagAt(text: string, start: number, budget: ScanBudget): Tag | null {
  let at = start + 1
  const isClosing = text[at] === '/'
  if (isClosing) at++
  const name = match(NAME, text, at)
  // `<>` starts a fragment.
  if (name === null && text[at] !== '>') return null
  at += name?.length ?? 0
  const attributes: TagAttribute[] = []
  while (at - start < MAX_TAG) {
    const space = match(SPACE, text, at)?.length ?? 0
    at += space
    const next = text[at]
    if (next === undefined) break
    if (next === '>') {
      return { name: name ?? '', isClosing, isSelfClosing: false, attributes, end: at + 1 }
    }
    if (next === '/' && text[at + 1] === '>') {
      return { name: name ?? '', isClosing, isSelfClosing: true, attributes, end: at + 2 }
    }
    if (space === 0) return null
    const attribute = readAttribute(text, at, budget)
    if (attribute === null) return null
    attributes.push(attribute.attribute)
    at = attribute.end
  }
  budget.left -= at - start
  return null
}

function readAttribute(
  text: string,
  at: number,
  budget: ScanBudget,
): { attribute: TagAttribute; end: number } | null {
  if (text[at] === '{') {
    const end = endOfBraces(text, at, budget)
    const value = end === null ? null : text.slice(at + 1, end - 1)
    return end === null ? null : { attribute: { name: '', value, isExpression: true }, end }
  }
  const name = match(ATTRIBUTE_NAME, text, at)
  if (name === null) return null
  let end = at + name.length
  const equals = match(EQUALS, text, end)
  if (equals === null) return { attribute: { name, value: null, isExpression: false }, end }
  end += equals.length
  const quote = text[end]
  if (quote === '"' || quote === "'") {
    const close = text.indexOf(quote, end + 1)
    if (close === -1 || close - at > MAX_TAG) {
      budget.left -= MAX_TAG
      return null
    }
    return { attribute: { name, value: text.slice(end + 1, close), isExpression: false }, end: close + 1 }
  }
  if (quote === '{') {
    const close = endOfBraces(text, end, budget)
    if (close === null) return null
    return { attribute: { name, value: text.slice(end + 1, close - 1), isExpression: true }, end: close }
  }
  const value = match(UNQUOTED, text, end)
  if (value === null) return null
  return { attribute: { name, value, isExpression: false }, end: end + value.length }
}

/**
 * Returns the position after the matching brace, ignoring braces in JavaScript strings and comments, or null.
 */
export function endOfBraces(text: string, at: number, budget: ScanBudget): number | null {
  let depth = 0
  const last = Math.min(text.length, at + MAX_TAG)
  for (let i = at; i < last; i++) {
    const character = text[i]
    if (character === '{') depth++
    else if (character === '}') {
      depth--
      if (depth === 0) return i + 1
    } else if (character === '"' || character === "'" || character === '`') {
      const close = endOfQuoted(text, i, last)
      if (close !== null) i = close - 1
    } else if (character === '/' && text[i + 1] === '*') {
      const close = text.indexOf('*/', i + 2)
      if (close === -1 || close > last) break
      i = close + 1
    }
  }
  budget.left -= last - at
  return null
}

/** Returns the position after the closing quote; null for an apostrophe that does not begin a string. */
function endOfQuoted(text: string, at: number, last: number): number | null {
  const quote = text[at]
  for (let i = at + 1; i < last; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === quote) return i + 1
    else if (text[i] === '\n' && quote !== '`') return null
  }
  return null
}

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? null
}

/** Returns the text of an attribute; null if it is missing, or an expression other than a string literal. */
export function attributeText(tag: Tag, name: string): string | null {
  const attribute = tag.attributes.find((one) => one.name === name)
  if (!attribute || attribute.value === null) return null
  if (!attribute.isExpression) return attribute.value
  const text = attribute.value.trim()
  const quote = text[0]
  const isQuoted =
    text.length > 1 && (quote === '"' || quote === "'" || quote === '`') && text.endsWith(quote)
  const inner = text.slice(1, -1)
  return isQuoted && !inner.includes(quote) && !inner.includes('\\') && !inner.includes('${') ? inner : null
}

export function hasAttribute(tag: Tag, name: string): boolean {
  return tag.attributes.some((one) => one.name === name)
}

/** Returns ` name="text"`, with single quotes if the text contains double quotes. */
export function attribute(name: string, text: string | null | undefined): string {
  if (text === null || text === undefined || text === '') return ''
  const line = text.replace(/\s+/g, ' ')
  if (!line.includes('"')) return ` ${name}="${line}"`
  return line.includes("'") ? ` ${name}="${line.replaceAll('"', '&quot;')}"` : ` ${name}='${line}'`
}
