/** Descriptions of interfaces: Markdown with plain HTML, and nothing that runs. */

/** Fences and code spans; three groups. */
const CODE =
  /(^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\r\n]*\r?\n[\s\S]*?(?:^[ \t]*\2[^\n]*$|$(?![\s\S]))|(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?[^`]\3(?!`))/m
const OTHER_TAG =
  /<(?!\/?(?:a|abbr|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|kbd|li|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)\b)/g

/** Longer texts are shown as they are, without a search for code. */
const LONG_CHARACTERS = 50_000

/** Braces and other tags are text; comments are left out. */
export function descriptionMarkdown(text: string): string {
  if (text.length > LONG_CHARACTERS) return text.replace(/[{}<`]/g, (mark) => `&#${mark.charCodeAt(0)};`)
  return outsideCode(withoutComments(text), (prose) =>
    prose.replace(/(?<!\\)[{}]/g, '\\$&').replace(OTHER_TAG, '&lt;'),
  )
}

/** A text without comments of HTML; code may show some. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text
  // A comment may hold a backtick, and code a comment: whichever begins first holds the other.
  const either = new RegExp(`${CODE.source}|<!--[\\s\\S]*?-->[ \\t]*(?:\\n(?=[ \\t]*\\n))?`, 'gm')
  return text.replace(either, (found) => (found.startsWith('<!--') ? '' : found)).trim()
}

function outsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(CODE)
    .map((part, index) => (index % 4 === 1 ? part : index % 4 === 0 ? change(part ?? '') : ''))
    .join('')
}

/** True for a line that means the same with and without Markdown. */
export function isPlain(text: string): boolean {
  return !/[`*_#<>[\]{}|\\~!&:"'\n$]|--|\.\.\.|^\s*(?:[-+]|\d+[.)])\s|www\.|@/.test(text)
}

export interface SplitDescription {
  /** The first block as one line, where it is a paragraph that a line can show. */
  subtitle: string | null
  /** All that the subtitle does not say. */
  rest: string
}

/** Blocks that end a paragraph. */
const BLOCK =
  /^ {0,3}(?:#{1,6}(?:[ \t]|$)|>|`{3}|~{3}|[-*+][ \t]+\S|1[.)][ \t]+\S|(?:[-*_][ \t]*){3,}$|<(?:\/?(?:address|article|aside|blockquote|center|dd|details|dialog|dir|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|menu|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)\b|script\b|style\b|pre\b|!|\?))/i
/** What a text may begin with besides, and be no paragraph. */
const OTHER_START = /^(?: {4}|\t| {0,3}(?:\d{1,9}[.)][ \t]|[-*+]$|\[[^\]]+\]:|\$\$|<[^\s>]+>\s*$))/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
const DELIMITERS = /^ {0,3}(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/
/** Marks that only the body shows: struck text, references, pictures, formulas. */
const BODY_ONLY =
  /~~|\]\[|\[\^|!\[|\$\$|<(?:audio|button|details|div|h[1-6]|iframe|img|input|li|ol|p|picture|pre|svg|table|ul|video)\b/i

/** A subtitle is the first block, when that is a paragraph; else all of the text is for the body. */
export function splitDescription(text: string | null): SplitDescription {
  const all = withoutComments((text ?? '').replace(/\r\n?/g, '\n'))
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  const lines = all.split('\n')
  const end = paragraphEnd(lines)
  const paragraph = lines.slice(0, end)
  const isShort = end > 0 && !BODY_ONLY.test(paragraph.join('\n').replace(/(`+)[^`]*\1/g, ''))
  if (!isShort) return { subtitle: null, rest: all }
  return {
    subtitle: asLine(paragraph),
    rest: lines
      .slice(end)
      .join('\n')
      .replace(/^(?:[ \t]*\n)+/, ''),
  }
}

/** Number of lines of the paragraph with which the text begins; 0 when it begins with something else. */
function paragraphEnd(lines: readonly string[]): number {
  const [first = ''] = lines
  if (first.trim() === '' || BLOCK.test(first) || OTHER_START.test(first)) return 0
  for (const [index, line] of lines.entries()) {
    if (index > 0 && UNDERLINE.test(line)) return 0
    // The line above the marks of columns is the head of a table.
    const isHead = line.includes('|') && DELIMITERS.test(lines[index + 1] ?? '')
    if (line.trim() === '' || isHead || (index > 0 && BLOCK.test(line))) return index
  }
  return lines.length
}

/** Line breaks are spaces, and a character behind a backslash is itself. */
function asLine(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim().replace(/\\$/, ''))
    .join(' ')
    .split(/((`+)[^`]*\2)/)
    .map((part, index) => (index % 3 === 0 ? unescaped(part) : index % 3 === 1 ? part : ''))
    .join('')
    .replace(/<(https?:[^\s<>]+)>/g, '[$1]($1)')
    .replace(/\s+/g, ' ')
    .trim()
}

function unescaped(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) =>
    /[`*_[\]<>&]/.test(sign) ? `&#${sign.charCodeAt(0)};` : sign,
  )
}
