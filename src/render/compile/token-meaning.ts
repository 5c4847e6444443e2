/** Determines which tokens of a page are markup and which are text. */

import type { ProblemLevel } from '../../base/errors/problem.ts'
import { createLineFinder } from '../../base/text/text-lines.ts'
import { hasOptionalEndTag, isElementName, isInertWhenBare, isVoidElement } from '../html/html-elements.ts'
import { BUILT_IN_NAMES } from '../tree/built-in-names.ts'
import type { PageToken, TagToken } from './page-tokens.ts'
import { takeImports } from './take-imports.ts'
import { type Meaning, writeToken } from './write-token.ts'

export interface Notice {
  line: number | null
  code: string
  level: ProblemLevel
  message: string
  remedy: string
}

export interface Meanings {
  of(token: PageToken): Meaning
  /** Returns the replacement for a token, or null to leave the token unchanged. `tag` replaces the tag of the token. */
  textOf(token: PageToken, tag?: string): string | null
  change(token: PageToken, meaning: Meaning): void
  notice(offset: number, notice: Omit<Notice, 'line'>): void
  notices(): Notice[]
}

/** Further names for pages. They are not in `BUILT_IN_NAMES`, because islands lack or replace them. */
const PAGE_NAMES = ['File', 'Image', 'Math', 'Panel', 'RequestExample', 'ResponseExample', 'Snippet', 'props']
const COMPONENTS = new Set([...BUILT_IN_NAMES, ...PAGE_NAMES])
/** Structural elements, which are rarely meant as text. Unpaired tags of these are dropped. */
const STRUCTURAL_ELEMENTS = new Set('center div font ol span table ul'.split(' '))
const IDENTIFIER = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu

/** Codes of problems that are reported only once per name on a page. */
const REPORTED_ONCE_CODES = new Set(['mdx.angle_brackets', 'mdx.unknown_component'])

export interface MeaningRules {
  /** Whether every tag must be closed, as in MDX. Markdown accepts the same HTML as browsers. */
  isMdx: boolean
  /** Whether to accept HTML syntax that MDX rejects, without reporting it. */
  isMarkdownFile: boolean
}

export function readMeanings(source: string, tokens: readonly PageToken[], rules: MeaningRules): Meanings {
  const lines = createLineFinder(source)
  const meanings = new Map<PageToken, Meaning>()
  const found = new Map<string, Notice>()
  const context: MeaningContext = {
    ...rules,
    isComponent: componentNames(source, tokens),
    opened: tagNames(tokens, false),
    closed: tagNames(tokens, true),
    isIn: null,
  }
  const made: Meanings = {
    of: (token) => meanings.get(token) ?? 'markup',
    textOf: (token, tag) => writeToken(source, token, made.of(token), { isMdx: rules.isMdx, tag }),
    change: (token, meaning) => meanings.set(token, meaning),
    notice(offset, notice) {
      const line = lines.lineOf(offset)
      const isOnce = notice.remedy === HTML_REMEDY || REPORTED_ONCE_CODES.has(notice.code)
      const key = isOnce ? notice.message : `${line} ${notice.message}`
      if (!found.has(key)) found.set(key, { line, ...notice })
    },
    notices: () => [...found.values()].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  }
  for (const token of tokens) {
    const meaning = token.kind === 'tag' ? chooseTagMeaning(token, context) : 'markup'
    if (meaning !== 'markup') meanings.set(token, meaning)
    if (meaning === 'text') made.notice(token.start, unknownTagNotice(token as TagToken, context))
    const mistake = meaning === 'markup' ? describeMistake(source, token, rules) : null
    if (mistake) made.notice(token.start, mistake)
  }
  return made
}

/**
 * Returns a function that checks whether a component of this name is built in, imported or defined by the
 * page.
 */
export function componentNames(source: string, tokens: readonly PageToken[]): (name: string) => boolean {
  const own = new Set<string>()
  const add = (list: string) => {
    for (const [name] of list.matchAll(IDENTIFIER)) own.add(name)
  }
  for (const token of tokens) {
    if (token.kind !== 'module') continue
    const code = takeImports(source.slice(token.start, token.end), ({ clause }) => add(clause))
    for (const [, name = ''] of code.matchAll(
      /\b(?:const|let|var|function|class)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu,
    ))
      add(name)
    for (const [, list = ''] of code.matchAll(/\b(?:const|let|var)\s*[{[]([^}\]]{0,2000})[}\]]\s*=/g))
      add(list)
  }
  return (name) => {
    const [first = ''] = name.split('.')
    return own.has(first) || COMPONENTS.has(first)
  }
}

interface MeaningContext extends MeaningRules {
  isComponent(name: string): boolean
  opened: ReadonlySet<string>
  closed: ReadonlySet<string>
  /** Language of the enclosing element, if not HTML. */
  isIn: 'svg' | 'math' | null
}

function tagNames(tokens: readonly PageToken[], isClosing: boolean): ReadonlySet<string> {
  const names = tokens.map((token) =>
    token.kind === 'tag' && token.tag.isClosing === isClosing ? token.tag.name : '',
  )
  return new Set(names)
}

function chooseTagMeaning({ tag }: TagToken, context: MeaningContext): Meaning {
  const { name, isClosing, isSelfClosing, attributes } = tag
  if (name === '' || context.isComponent(name)) return name === '' && !context.isMdx ? 'text' : 'markup'
  const { isIn } = context
  if ((name === 'svg' || name === 'math') && !isSelfClosing) context.isIn = isClosing ? null : name
  const element = name.toLowerCase()
  if (!isElementName(element, isIn)) return 'text'
  const isBare = attributes.length === 0 && !isSelfClosing
  if (isVoidElement(name)) {
    if (isClosing) return 'removed'
    return isBare && isInertWhenBare(element) ? 'text' : 'markup'
  }
  const isPaired = (isClosing ? context.opened : context.closed).has(name)
  // JSX treats a name with capital letters as a component. In Markdown, an unpaired `<TITLE>` is text, but
  // `<B>bold</B>` is not.
  if (isIn === null && name !== element && (context.isMdx || (isBare && !isPaired))) return 'text'
  // Whether the parser accepts the tag without a counterpart.
  const isLeft =
    context.isMdx || isPaired || hasOptionalEndTag(element) || STRUCTURAL_ELEMENTS.has(element) || !isBare
  return isLeft ? 'markup' : 'text'
}

const TAG_REMEDY = 'Put it in backticks, or write &lt; instead of <.'

function unknownTagNotice({ tag }: TagToken, { opened, closed }: MeaningContext): Omit<Notice, 'line'> {
  const { name, attributes, isSelfClosing, isClosing } = tag
  const isPaired = opened.has(name) && closed.has(name)
  if (/^\p{Lu}/u.test(name) && (attributes.length > 0 || isSelfClosing || isPaired))
    return {
      code: 'mdx.unknown_component',
      level: 'warning',
      message: `Unknown component <${name}>. Its tags are shown as text.`,
      remedy: 'Use a built-in component, import the component, or put the tag in backticks.',
    }
  return {
    code: 'mdx.angle_brackets',
    level: 'hint',
    message: isElementName(name)
      ? `<${name}> has no ${isVoidElement(name) ? 'attributes' : 'closing tag'}, so it is shown as text.`
      : `<${isClosing ? '/' : ''}${name}> is not an HTML element or a component, so it is shown as text.`,
    remedy: TAG_REMEDY,
  }
}

/** Returns null for the delimiter row, because the problem is reported for the header row. */
function missingCellsNotice(cell: string): Omit<Notice, 'line'> | null {
  if (cell !== ' ') return null
  return {
    code: 'mdx.table',
    level: 'warning',
    message: 'A row of this table has more cells than the header, so empty header cells were added.',
    remedy: 'Escape bars in text as \\|, or add the missing header cells.',
  }
}

const HTML_REMEDY = 'Write comments as {/* … */}, void elements as <br />, and links as [text](url).'

function describeMistake(
  source: string,
  token: PageToken,
  { isMdx, isMarkdownFile }: MeaningRules,
): Omit<Notice, 'line'> | null {
  const mistake = (message: string, remedy: string) => ({
    code: 'mdx.syntax',
    level: 'warning' as const,
    message,
    remedy,
  })
  if (token.kind === 'columns') return missingCellsNotice(token.cell)
  if (!isMdx) return null
  if (token.kind === 'mark') {
    const sign = source[token.start]
    if (sign === '$') return null
    if (sign === '<') return mistake('This < does not start a valid tag, so it is shown as text.', TAG_REMEDY)
    if (sign === '{')
      return mistake(
        'This brace does not start a valid expression, so it is shown as text.',
        'Escape the brace as \\{ or put the text in backticks.',
      )
    const word = /^\w+/.exec(source.slice(token.start, token.start + 20))?.[0]
    return mistake(
      `The line that begins with "${word}" is not valid JavaScript, so it is shown as text.`,
      'Correct the code. If it is text, begin the line with a different word.',
    )
  }
  if (token.kind === 'tag' && token.tag.attributes.some(({ form }) => form === 'no-expression'))
    return mistake(
      `An attribute of <${token.tag.name}> contains an invalid expression, so it is used as a string.`,
      'Correct the expression, or use quotation marks instead of braces.',
    )
  if (isMarkdownFile) return null
  if (token.kind === 'comment')
    return mistake('MDX does not support HTML comments, so this one is removed.', HTML_REMEDY)
  if (token.kind === 'doctype')
    return mistake('MDX does not support doctypes, so this one is removed.', HTML_REMEDY)
  if (token.kind === 'address')
    return mistake(
      'MDX does not support links in angle brackets. This one is converted to a link.',
      HTML_REMEDY,
    )
  if (
    token.kind === 'tag' &&
    !isClosedAtOnce(source, token) &&
    writeToken(source, token, 'markup', { isMdx: true }) !== null
  )
    return mistake(
      `<${token.tag.name}> uses HTML syntax that is not valid in MDX. It is treated as HTML.`,
      HTML_REMEDY,
    )
  return null
}

/** Returns whether the tag is followed by its closing tag, since `<br></br>` is valid MDX. */
function isClosedAtOnce(source: string, { tag, end }: TagToken): boolean {
  if (!isVoidElement(tag.name)) return false
  const behind = source.slice(end, end + MAX_BLANK_CHARACTERS + tag.name.length + 3)
  return behind.trimStart().startsWith(`</${tag.name}>`)
}

const MAX_BLANK_CHARACTERS = 20

/** Drops a tag without a counterpart, or converts it to text. */
export function resolveUnmatched(meanings: Meanings, token: TagToken, isPairedElsewhere: boolean): void {
  const { name, isClosing } = token.tag
  const isElement = isElementName(name.toLowerCase())
  const isRemoved =
    name === '' ||
    (isElement && (isPairedElsewhere || hasOptionalEndTag(name) || STRUCTURAL_ELEMENTS.has(name)))
  meanings.change(token, isRemoved ? 'removed' : 'text')
  const what = isClosing
    ? `The tag </${name}> has no opening tag in this block`
    : `The tag <${name}> has no closing tag in this block`
  meanings.notice(token.start, {
    code: 'mdx.syntax',
    level: 'warning',
    message: `${what}, so it is ${isRemoved ? 'removed' : 'shown as text'}.`,
    remedy: PAIR_REMEDY,
  })
}

const PAIR_REMEDY = 'Close every tag in the block in which it is opened, or write void elements as <br />.'

/** Moves tags of a pair to separate lines, because they are in different blocks. */
export function resolveCrossBlockPair(meanings: Meanings, token: TagToken): void {
  meanings.change(token, 'apart')
  if (token.tag.isClosing) return
  meanings.notice(token.start, {
    code: 'mdx.syntax',
    level: 'warning',
    message: `<${token.tag.name}> is opened in one block and closed in another. Both tags are treated as if they were on separate lines.`,
    remedy: 'Put each tag on its own line.',
  })
}

export function resolveBlock(
  meanings: Meanings,
  tokens: readonly PageToken[],
  offset: number,
  why: string,
): void {
  for (const token of tokens)
    if (token.kind !== 'code' && token.kind !== 'math') meanings.change(token, 'text')
  meanings.notice(offset, {
    code: 'mdx.syntax',
    level: 'error',
    message: `${why}, so this block is shown as plain text.`,
    remedy: PAIR_REMEDY,
  })
}
