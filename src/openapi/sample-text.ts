/** Formats values as literals of programming languages, so that samples run unchanged for any value. */
import { isScalar, type Json } from './api-json.ts'

/** Formats a single-quoted string of POSIX shells. */
export function shellStringLiteral(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Formats a double-quoted string with the escapes common to C, Java, Go, JavaScript, Python and C#. */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .replaceAll('\\b', '\\u0008')
    .replaceAll('\\f', '\\u000c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** Formats a single-quoted string for languages where only the quote and the backslash are escaped. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

export interface LiteralStyle {
  text(text: string): string
  nothing: string
  yes: string
  no: string
  list: readonly [open: string, close: string]
  map: readonly [open: string, close: string]
  /** Formats a key with its value, for example `"a": 1`. */
  pair(key: string, value: string): string
  indent: string
}

const formatJsonEntry = (key: string, value: string) => `${quoted(key)}: ${value}`

export const PYTHON: LiteralStyle = {
  text: quoted,
  nothing: 'None',
  yes: 'True',
  no: 'False',
  list: ['[', ']'],
  map: ['{', '}'],
  pair: formatJsonEntry,
  indent: '    ',
}

export const JAVASCRIPT: LiteralStyle = {
  text: singleQuotedScript,
  nothing: 'null',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  map: ['{', '}'],
  pair: (key, value) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : singleQuotedScript(key)}: ${value}`,
  indent: '  ',
}

export const PHP: LiteralStyle = {
  text: singleQuoted,
  nothing: 'null',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  map: ['[', ']'],
  pair: (key, value) => `${singleQuoted(key)} => ${value}`,
  indent: '    ',
}

export const RUBY: LiteralStyle = {
  text: rubyStringLiteral,
  nothing: 'nil',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  map: ['{', '}'],
  pair: (key, value) =>
    /^[a-z_]\w*$/i.test(key) ? `${key}: ${value}` : `${rubyStringLiteral(key)} => ${value}`,
  indent: '  ',
}

/** Formats a single-quoted string. Nonprintable characters have the same escapes as in double quotes. */
function singleQuotedScript(text: string): string {
  return `'${quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Uses double quotes only if escapes are required, because Ruby runs the code in `#{…}` inside them. */
export function rubyStringLiteral(text: string): string {
  return /[\n\r\t]/.test(text) ? quoted(text).replaceAll('#', '\\#') : singleQuoted(text)
}

/** Formats a value. `depth` is the indentation level of its first line. */
export function literal(style: LiteralStyle, value: Json, depth = 0): string {
  if (value === null) return style.nothing
  if (typeof value === 'boolean') return value ? style.yes : style.no
  if (typeof value === 'string') return style.text(value)
  if (isScalar(value)) return String(value)
  const [open, close] = Array.isArray(value) ? style.list : style.map
  const parts = Array.isArray(value)
    ? value.map((one) => literal(style, one, depth + 1))
    : Object.entries(value).map(([key, one]) => style.pair(key, literal(style, one, depth + 1)))
  // An empty list or map has no line breaks or spaces between its brackets.
  if (parts.length === 0) return open + close
  const indent = style.indent.repeat(depth + 1)
  return `${open}\n${parts.map((part) => indent + part).join(',\n')}\n${style.indent.repeat(depth)}${close}`
}
