/** Writes values as literals of programming languages, so that every sample runs unchanged for any example value. */
import { isScalar, type Json } from './api-json.ts'

/** Quotes a text for a shell, in single quotes. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Quotes a text with the double-quote escapes shared by C, Java, Go, JavaScript, Python and C#. */
export function quoted(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .replaceAll('\\b', '\\u0008')
    .replaceAll('\\f', '\\u000c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** Quotes a text for languages in which a single-quoted string has only these two escapes. */
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
  /** Writes a key with its value, for example `"a": 1`. */
  pair(key: string, value: string): string
  indent: string
}

const QUOTED_JSON = (key: string, value: string) => `${quoted(key)}: ${value}`

export const PYTHON: LiteralStyle = {
  text: quoted,
  nothing: 'None',
  yes: 'True',
  no: 'False',
  list: ['[', ']'],
  map: ['{', '}'],
  pair: QUOTED_JSON,
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
  text: rubyText,
  nothing: 'nil',
  yes: 'true',
  no: 'false',
  list: ['[', ']'],
  map: ['{', '}'],
  pair: (key, value) => (/^[a-z_]\w*$/i.test(key) ? `${key}: ${value}` : `${rubyText(key)} => ${value}`),
  indent: '  ',
}

/** Uses single quotes, with the escapes of double quotes for nonprintable characters. */
function singleQuotedScript(text: string): string {
  return `'${quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** Uses double quotes only if an escape is required, because `#{` runs code in them. */
export function rubyText(text: string): string {
  return /[\n\r\t]/.test(text) ? quoted(text).replaceAll('#', '\\#') : singleQuoted(text)
}

/** `depth` is the indentation level at which the literal starts. */
export function literal(style: LiteralStyle, value: Json, depth = 0): string {
  if (value === null) return style.nothing
  if (typeof value === 'boolean') return value ? style.yes : style.no
  if (typeof value === 'string') return style.text(value)
  if (isScalar(value)) return String(value)
  const [open, close] = Array.isArray(value) ? style.list : style.map
  const parts = Array.isArray(value)
    ? value.map((one) => literal(style, one, depth + 1))
    : Object.entries(value).map(([key, one]) => style.pair(key, literal(style, one, depth + 1)))
  // An empty list or map stays on one line, without a space.
  if (parts.length === 0) return open + close
  const indent = style.indent.repeat(depth + 1)
  return `${open}\n${parts.map((part) => indent + part).join(',\n')}\n${style.indent.repeat(depth)}${close}`
}
