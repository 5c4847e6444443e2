/** Parses JavaScript literals without running code: `2`, `"x"`, `[1, 'a']`, `{ color: 'red' }`. */
import type { Literal } from '../tree/program.ts'

const MAX_DEPTH = 40

class NotLiteralError extends Error {}

interface Reader {
  source: string
  at: number
}

export function parseLiteral(source: string): { value: Literal } | null {
  const reader: Reader = { source, at: 0 }
  try {
    const value = readValue(reader, 0)
    skip(reader)
    return reader.at === source.length ? { value } : null
  } catch (error) {
    if (error instanceof NotLiteralError) return null
    throw error
  }
}

/** Parses statements such as `export const a = 1`. Returns null if there is anything but literals. */
export function parseLiteralExports(source: string): Record<string, Literal> | null {
  const reader: Reader = { source, at: 0 }
  const exports: Record<string, Literal> = {}
  try {
    skip(reader)
    while (reader.at < source.length) {
      const head = match(reader, /export\s+(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*/y)
      if (!head) return null
      exports[head[1] ?? ''] = readValue(reader, 0)
      if (!match(reader, /[ \t]*(?:;|(?=\n|$|\/\/|\/\*))/y)) return null
      skip(reader)
    }
    return exports
  } catch (error) {
    if (error instanceof NotLiteralError) return null
    throw error
  }
}

/** Returns whether the expression consists only of comments and white space. */
export function isComment(source: string): boolean {
  const reader: Reader = { source, at: 0 }
  skip(reader)
  return reader.at === source.length
}

function readValue(reader: Reader, depth: number): Literal {
  if (depth > MAX_DEPTH) throw new NotLiteralError()
  skip(reader)
  const start = reader.source[reader.at]
  if (start === '"' || start === "'" || start === '`') return readString(reader, start)
  if (start === '[') return readArray(reader, depth)
  if (start === '{') return readObject(reader, depth)
  const number = match(reader, /-?(?:0x[\da-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?![\w$.])/iy)
  if (number) return number[0].startsWith('-') ? -Number(number[0].slice(1)) : Number(number[0])
  const word = match(reader, /(?:true|false|null)(?![\w$])/y)
  if (word) return word[0] === 'null' ? null : word[0] === 'true'
  throw new NotLiteralError()
}

function readArray(reader: Reader, depth: number): Literal[] {
  const items: Literal[] = []
  reader.at += 1
  for (;;) {
    skip(reader)
    if (match(reader, /\]/y)) return items
    items.push(readValue(reader, depth + 1))
    skip(reader)
    if (!match(reader, /,/y) && reader.source[reader.at] !== ']') throw new NotLiteralError()
  }
}

function readObject(reader: Reader, depth: number): Record<string, Literal> {
  const object: Record<string, Literal> = {}
  reader.at += 1
  for (;;) {
    skip(reader)
    if (match(reader, /\}/y)) return object
    const quote = reader.source[reader.at]
    const name =
      quote === '"' || quote === "'" ? readString(reader, quote) : match(reader, /[A-Za-z_$][\w$]*|\d+/y)?.[0]
    if (name === undefined || name === '__proto__') throw new NotLiteralError()
    skip(reader)
    if (!match(reader, /:/y)) throw new NotLiteralError()
    object[name] = readValue(reader, depth + 1)
    skip(reader)
    if (!match(reader, /,/y) && reader.source[reader.at] !== '}') throw new NotLiteralError()
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
}

function readString(reader: Reader, quote: string): string {
  let text = ''
  reader.at += 1
  for (;;) {
    const character = reader.source[reader.at]
    if (character === undefined || (character === '\n' && quote !== '`')) throw new NotLiteralError()
    reader.at += 1
    if (character === quote) return text
    if (character === '$' && quote === '`' && reader.source[reader.at] === '{') throw new NotLiteralError()
    text += character === '\\' ? readEscape(reader) : character
  }
}

function readEscape(reader: Reader): string {
  const code = match(reader, /u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})/iy)
  if (code) {
    const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16)
    if (point > 0x10ffff) throw new NotLiteralError()
    return String.fromCodePoint(point)
  }
  const character = reader.source[reader.at]
  if (character === undefined || /[0-9ux]/.test(character)) throw new NotLiteralError()
  reader.at += 1
  return ESCAPES[character] ?? character
}

function skip(reader: Reader): void {
  while (match(reader, /\s+|\/\/[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y));
}

function match(reader: Reader, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.source)
  if (found) reader.at = pattern.lastIndex
  return found
}
