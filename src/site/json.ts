/** JSON parser that records the position of every value, for error messages, and tolerates small mistakes. */

import type { Problem } from '../base/errors/problem.ts'
import { findLineStarts, lineAt } from '../base/text/text-lines.ts'
import { wellFormedJson } from '../base/text/well-formed-json.ts'

export interface JsonSource {
  file: string
  text: string
  lineStarts: readonly number[] | null
}

export interface JsonNode {
  readonly source: JsonSource
  readonly offset: number
  readonly end: number
  readonly value: JsonContent
}

export type JsonContent = string | number | boolean | null | JsonList | JsonFields
export type JsonList = readonly JsonNode[]
export type JsonFields = ReadonlyMap<string, JsonNode>

/** Deeper nesting is rejected: only an attack would use it, to exhaust the stack. */
const MAX_DEPTH = 256
/** After this many mistakes, the rest of a file is parsed without reports. */
const MAX_REPORTS = 20
/** Sticky patterns that match at the current position. */
const SPACE = /[\s\ufeff]+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const WORD = /[-+.\w]+/y

export function getNodeLine(node: Pick<JsonNode, 'source' | 'offset'>): number {
  node.source.lineStarts ??= findLineStarts(node.source.text)
  return lineAt(node.source.lineStarts, node.offset)
}

export function isList(value: JsonContent): value is JsonList {
  return Array.isArray(value)
}

export function isFields(value: JsonContent): value is JsonFields {
  return value instanceof Map
}

export function getField(node: JsonNode | null | undefined, key: string): JsonNode | undefined {
  return node && isFields(node.value) ? node.value.get(key) : undefined
}

/** Converts a node to ordinary values; `__proto__` keys are dropped. */
export function toPlain(node: JsonNode): unknown {
  if (isList(node.value)) return node.value.map(toPlain)
  if (!isFields(node.value)) return node.value
  const plain: Record<string, unknown> = {}
  for (const [key, value] of node.value) if (key !== '__proto__') plain[key] = toPlain(value)
  return plain
}

/**
 * Parses JSON. Comments, trailing or missing commas, line breaks in strings, duplicate keys and missing closing
 * brackets are tolerated and reported; any other error results in null and a problem with the line.
 */
export function parseJson(problems: Problem[], file: string, text: string): JsonNode | null {
  const source: JsonSource = { file, text, lineStarts: null }
  const reader = new JsonReader(source, problems)
  try {
    return reader.readDocument()
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    reader.report(
      error.offset,
      'error',
      error.message,
      'Correct the JSON at this line.',
      'config.json_syntax',
    )
    return null
  }
}

class JsonFault extends Error {
  readonly offset: number
  constructor(offset: number, message: string) {
    super(message)
    this.offset = offset
  }
}

class JsonReader {
  #at = 0
  #reports = 0
  readonly #source: JsonSource
  readonly #text: string
  readonly #problems: Problem[]

  constructor(source: JsonSource, problems: Problem[]) {
    this.#source = source
    this.#text = source.text
    this.#problems = problems
  }

  readDocument(): JsonNode {
    if (this.#text.charCodeAt(0) === 0xfeff) this.#at = 1
    this.#skipSpace()
    if (this.#at >= this.#text.length) throw new JsonFault(0, 'The file is empty.')
    const node = this.#readValue(0)
    this.#skipSpace()
    if (this.#at < this.#text.length) {
      this.#slip('Unexpected text after the JSON value. It is ignored.', 'Remove the text after the value.')
    }
    return node
  }

  report(offset: number, level: Problem['level'], message: string, remedy: string, code: string): void {
    const line = getNodeLine({ source: this.#source, offset })
    this.#problems.push({ file: this.#source.file, line, code, level, message, remedy })
  }

  #slip(message: string, remedy: string, offset = this.#at, code = 'config.json_slip'): void {
    if (this.#reports++ >= MAX_REPORTS) return
    this.report(offset, 'warning', message, remedy, code)
  }

  #readValue(depth: number): JsonNode {
    if (depth > MAX_DEPTH)
      throw new JsonFault(this.#at, `The JSON is nested deeper than ${MAX_DEPTH} levels.`)
    const offset = this.#at
    const value = this.#readContent(depth)
    return { source: this.#source, offset, end: this.#at, value }
  }

  #readContent(depth: number): JsonContent {
    const first = this.#text[this.#at]
    if (first === '{') return this.#readObject(depth)
    if (first === '[') return this.#readArray(depth)
    if (first === '"') return this.#readString()
    WORD.lastIndex = this.#at
    const found = WORD.exec(this.#text)?.[0]
    if (found === undefined) throw new JsonFault(this.#at, `Expected a value, found ${this.#here()}.`)
    const value = parseJsonKeyword(found)
    if (value === undefined) throw new JsonFault(this.#at, `${found.slice(0, 40)} is not a JSON value.`)
    this.#at += found.length
    return value
  }

  #readObject(depth: number): JsonFields {
    const fields = new Map<string, JsonNode>()
    this.#readItems('}', () => {
      if (this.#text[this.#at] !== '"') {
        throw new JsonFault(this.#at, `Expected a key in double quotes, found ${this.#here()}.`)
      }
      const keyOffset = this.#at
      const key = this.#readString()
      this.#skipSpace()
      if (this.#text[this.#at] !== ':') throw new JsonFault(this.#at, 'Missing colon after the key.')
      this.#at++
      this.#skipSpace()
      if (fields.has(key)) {
        this.#slip(
          `Duplicate key ${JSON.stringify(key)}. The last value is used.`,
          'Remove the other entries.',
          keyOffset,
        )
      }
      fields.set(key, this.#readValue(depth + 1))
    })
    return fields
  }

  #readArray(depth: number): JsonList {
    const items: JsonNode[] = []
    this.#readItems(']', () => items.push(this.#readValue(depth + 1)))
    return items
  }

  /** Parses from an opening bracket to just past the closing one. */
  #readItems(close: '}' | ']', readItem: () => void): void {
    const start = this.#at++
    let isAfterItem = false
    let comma = -1
    for (;;) {
      this.#skipSpace()
      const next = this.#text[this.#at]
      if (next === undefined) {
        this.#slip(
          `Missing ${close}: this bracket is never closed.`,
          `Add ${close}.`,
          start,
          'config.json_unclosed',
        )
        return
      }
      if (next === close) {
        if (comma !== -1) this.#slip(`Unexpected comma before ${close}.`, 'Remove the comma.', comma)
        this.#at++
        return
      }
      if (next === ',') {
        if (!isAfterItem) this.#slip('Unexpected comma: there is no value before it.', 'Remove the comma.')
        comma = this.#at++
        isAfterItem = false
        continue
      }
      if (isAfterItem) this.#slip('Missing comma between two entries.', 'Add the comma before this line.')
      readItem()
      isAfterItem = true
      comma = -1
    }
  }

  #readString(): string {
    const start = this.#at
    let end = this.#text.indexOf('"', start + 1)
    while (end !== -1 && this.#isEscaped(end, start)) end = this.#text.indexOf('"', end + 1)
    if (end === -1) throw new JsonFault(start, 'This string has no closing quotation mark.')
    this.#at = end + 1
    const raw = wellFormedJson(this.#text.slice(start + 1, end))
    if (!/[\\\u0000-\u001f]/.test(raw)) return raw
    try {
      return JSON.parse(
        `"${raw.replace(/[\u0000-\u001f]/g, (control) => this.#escapeControl(control, start))}"`,
      )
    } catch {
      throw new JsonFault(start, 'This string contains an invalid escape sequence.')
    }
  }

  #escapeControl(control: string, start: number): string {
    this.#slip('This string contains a line break or control character.', 'Escape it as \\n or \\t.', start)
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
  }

  #isEscaped(quote: number, start: number): boolean {
    let slashes = 0
    while (quote - slashes - 1 > start && this.#text[quote - slashes - 1] === '\\') slashes++
    return slashes % 2 === 1
  }

  #skipSpace(): void {
    for (;;) {
      // Fast path: the next character is nearly always a bracket, a quote or a space; the pattern handles the
      // rest.
      const code = this.#text.charCodeAt(this.#at)
      if (code === 0x22 || code === 0x2c || (code > 0x2f && code !== 0xfeff && code !== 0xa0)) return
      SPACE.lastIndex = this.#at
      const found = SPACE.exec(this.#text)?.[0]
      if (found === undefined) return
      if (found.startsWith('/'))
        this.#slip('JSON does not allow comments. This one is ignored.', 'Remove the comment.')
      this.#at += found.length
    }
  }

  #here(): string {
    const next = this.#text[this.#at]
    return next === undefined ? 'the end of the file' : JSON.stringify(next)
  }
}

function parseJsonKeyword(word: string): number | boolean | null | undefined {
  if (word === 'true') return true
  if (word === 'false') return false
  if (word === 'null') return null
  return /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(word) ? Number(word) : undefined
}
