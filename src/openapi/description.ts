/** Converts the descriptions in API files to Markdown with plain HTML. Removes executable content. */

/** Matches fenced code and code spans. Has three groups. */
const CODE =
  /(^[ \t]*(`{3,}(?!`)|~{3,}(?!~))[^\r\n]*\r?\n[\s\S]*?(?:^[ \t]*\2[^\n]*$|$(?![\s\S]))|(?<!`)(`+)(?!`)(?:(?!\n[ \t]*\n)[\s\S])*?[^`]\3(?!`))/m
const VALUE = /\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+)/.source
/** Matches a complete tag of a harmless element, or otherwise a single `<`. */
const TAG = new RegExp(
  `<(?:/?(?:a|abbr|b|blockquote|br|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|img|kbd|li|ol|p|pre|s|small|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|u|ul)(?:\\s{1,99}[A-Za-z][\\w:-]*(?:${VALUE})?)*\\s{0,99}/?>)?`,
  'g',
)
/** Attributes that run code. */
const HANDLER_ATTRIBUTE = new RegExp(`\\s{1,99}on[\\w:-]*(?:${VALUE})?`, 'gi')

/** Longer text is not searched for code. */
const MAX_SCANNED_CHARACTERS = 50_000

/** Removes comments and event handlers, and escapes braces and unknown tags. */
export function descriptionMarkdown(text: string): string {
  if (text.length > MAX_SCANNED_CHARACTERS)
    return text.replace(/[{}<`]/g, (mark) => `&#${mark.charCodeAt(0)};`)
  return mapOutsideCode(withoutComments(text), (prose) =>
    prose
      .replace(/(?<!\\)[{}]/g, '\\$&')
      .replace(TAG, (tag) => (tag === '<' ? '&lt;' : tag.replace(HANDLER_ATTRIBUTE, ''))),
  )
}

/** Removes HTML comments, except inside code. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text
  // A comment may contain a backtick, and code may contain a comment, so whichever starts first applies.
  const either = new RegExp(`${CODE.source}|<!--[\\s\\S]*?-->[ \\t]*(?:\\n(?=[ \\t]*\\n))?`, 'gm')
  return text.replace(either, (found) => (found.startsWith('<!--') ? '' : found)).trim()
}

function mapOutsideCode(text: string, change: (prose: string) => string): string {
  return text
    .split(CODE)
    .map((part, index) => (index % 4 === 1 ? part : index % 4 === 0 ? change(part ?? '') : ''))
    .join('')
}

/** Returns whether the text is the same when rendered as Markdown. */
export function isPlain(text: string): boolean {
  return !/[`*_#<>[\]{}|\\~!&:"'\n$]|--|\.\.\.|^\s*(?:[-+]|\d+[.)])\s|www\.|@/.test(text)
}

export interface SplitDescription {
  /** First paragraph as a single line, if it is short enough. */
  subtitle: string | null
  rest: string
}

/** Blocks that can interrupt a paragraph. */
const BLOCK =
  /^ {0,3}(?:#{1,6}(?:[ \t]|$)|>|`{3}|~{3}|[-*+][ \t]+\S|1[.)][ \t]+\S|(?:[-*_][ \t]*){3,}$|<(?:\/?(?:address|article|aside|blockquote|center|dd|details|dialog|dir|div|dl|dt|fieldset|figure|footer|form|h[1-6]|header|hr|li|main|menu|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)\b|script\b|style\b|pre\b|!|\?))/i
/** Other blocks that a text can start with. */
const OTHER_BLOCK_START = /^(?: {4}|\t| {0,3}(?:\d{1,9}[.)][ \t]|[-*+]$|\[[^\]]+\]:|\$\$|<[^\s>]+>\s*$))/
const HEADING_UNDERLINE_PATTERN = /^ {0,3}(?:=+|-+)[ \t]*$/
const DELIMITERS = /^ {0,3}(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/
/** Syntax that is not supported in a subtitle: strikethrough, references, images, formulas. */
const BODY_ONLY_SYNTAX =
  /~~|\]\[|\[\^|!\[|\$\$|<(?:audio|button|details|div|h[1-6]|iframe|img|input|li|ol|p|picture|pre|svg|table|ul|video)\b/i

/** Uses the first block as the subtitle if it is a paragraph. */
export function splitDescription(text: string | null): SplitDescription {
  const all = withoutComments((text ?? '').replace(/\r\n?/g, '\n'))
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  const lines = all.split('\n')
  const end = paragraphEnd(lines)
  const paragraph = lines.slice(0, end)
  const isShort = end > 0 && !BODY_ONLY_SYNTAX.test(paragraph.join('\n').replace(/(`+)[^`]*\1/g, ''))
  if (!isShort) return { subtitle: null, rest: all }
  return {
    subtitle: joinLines(paragraph),
    rest: lines
      .slice(end)
      .join('\n')
      .replace(/^(?:[ \t]*\n)+/, ''),
  }
}

/** Returns the number of lines of the first paragraph; 0 if the first block is of another kind. */
function paragraphEnd(lines: readonly string[]): number {
  const [first = ''] = lines
  if (first.trim() === '' || BLOCK.test(first) || OTHER_BLOCK_START.test(first)) return 0
  for (const [index, line] of lines.entries()) {
    if (index > 0 && HEADING_UNDERLINE_PATTERN.test(line)) return 0
    // The next line is a delimiter row, so this is the header of a table.
    const isHead = line.includes('|') && DELIMITERS.test(lines[index + 1] ?? '')
    if (line.trim() === '' || isHead || (index > 0 && BLOCK.test(line))) return index
  }
  return lines.length
}

/** Joins lines with spaces and resolves backslash escapes. */
function joinLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim().replace(/\\$/, ''))
    .join(' ')
    .split(/((`+)[^`]*\2)/)
    .map((part, index) => (index % 3 === 0 ? removeEscapes(part) : index % 3 === 1 ? part : ''))
    .join('')
    .replace(/<(https?:[^\s<>]+)>/g, '[$1]($1)')
    .replace(/\s+/g, ' ')
    .trim()
}

function removeEscapes(text: string): string {
  return text.replace(/\\([!-/:-@[-`{-~])/g, (_, sign: string) =>
    /[`*_[\]<>&]/.test(sign) ? `&#${sign.charCodeAt(0)};` : sign,
  )
}
