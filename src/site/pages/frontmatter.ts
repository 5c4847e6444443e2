/** Parses the YAML block at the top of a page. Malformed parts of the block are dropped, but never the page. */
import type { Problem } from '../../base/errors/problem.ts'
import { quote } from '../problems.ts'
import { detach } from '../text.ts'
import { type DataLimits, readYaml } from '../yaml.ts'
import type { FrontmatterFields } from './frontmatter-fields.ts'

export interface Frontmatter {
  fields: FrontmatterFields
  block: string
  bodyOffset: number
  /** 1-based line on which the body starts. */
  bodyLine: number
  /** Returns the 1-based line of the first occurrence of a key, for problems about a field. */
  lineOf(key: string): number
}

/** Maximum length of frontmatter. A `---` line further away is assumed to be a thematic break, not the closing line. */
const MAX_LENGTH = 200_000
/** Maximum number of YAML syntax characters, which take far longer to parse than letters. No page uses as many. */
const MAX_SYNTAX_CHARACTERS = 20_000
const SYNTAX_CHARACTER_CODES = new Set([...'[]{},:-?&*!|>#%@`"\'\\\n'].map((mark) => mark.charCodeAt(0)))
const LIMITS: DataLimits = { depth: 20, values: 20_000 }
const OPENING = /^\ufeff?---[ \t]*\r?\n/
const CLOSING_FENCE = /^(?:---|\.\.\.)[ \t]*\r?$/gm

export const NO_FRONTMATTER = createFrontmatter({ fields: {}, block: '', bodyOffset: 0, bodyLine: 1 })

export function createFrontmatter(parts: Omit<Frontmatter, 'lineOf'>): Frontmatter {
  return { ...parts, lineOf: (key) => lineOfKey(parts.block, key) + 1 }
}

export function parseFrontmatter(problems: Problem[], file: string, text: string): Frontmatter {
  const opening = OPENING.exec(text)
  if (!opening) return createFrontmatterWithoutFields(text)
  const start = opening[0].length
  const end = findClosing(text, start)
  if (end === null) {
    problems.push({
      file,
      line: 1,
      code: 'frontmatter.unclosed',
      level: 'error',
      message: `This frontmatter has no closing --- line within ${MAX_LENGTH.toLocaleString('en')} characters.`,
      remedy: 'Add a line with three hyphens after the last key.',
    })
    return salvageUnclosed(text, start)
  }
  const block = text.slice(start, end.start)
  const fields = readSimple(block) ?? readFields(problems, file, block)
  return createFrontmatter({
    fields,
    block: detach(block),
    bodyOffset: end.end,
    bodyLine: bodyLineAt(text, end.end),
  })
}

function createFrontmatterWithoutFields(text: string): Frontmatter {
  const bodyOffset = text.charCodeAt(0) === 0xfeff ? 1 : 0
  return { ...NO_FRONTMATTER, bodyOffset }
}

function findClosing(text: string, start: number): { start: number; end: number } | null {
  CLOSING_FENCE.lastIndex = start
  const closing = CLOSING_FENCE.exec(text)
  if (!closing || closing.index - start > MAX_LENGTH) return null
  const lineEnd = text.indexOf('\n', closing.index)
  return { start: closing.index, end: lineEnd === -1 ? text.length : lineEnd + 1 }
}

/** Without a closing line, the block consists of the consecutive `key: value` lines at the top. */
function salvageUnclosed(text: string, start: number): Frontmatter {
  const rest = text.slice(start, start + MAX_LENGTH)
  let length = 0
  for (const line of rest.split('\n')) {
    if (!splitLine(line.replace(/\r$/, ''))) break
    length += line.length + 1
  }
  const block = rest.slice(0, length)
  const bodyOffset = Math.min(text.length, start + length)
  return createFrontmatter({
    fields: readSimpleLines(block),
    block: detach(block),
    bodyOffset,
    bodyLine: bodyLineAt(text, bodyOffset),
  })
}

/**
 * Fast path without the YAML library, which would otherwise take most of the load time: only `key: value` lines with
 * literal values. Returns null as soon as a line could have another meaning in YAML.
 */
function readSimple(block: string): Record<string, unknown> | null {
  const fields: Record<string, unknown> = {}
  for (const lineWithEnd of block.split('\n')) {
    const line = lineWithEnd.endsWith('\r') ? lineWithEnd.slice(0, -1) : lineWithEnd
    if (line === '') continue
    const found = /^([A-Za-z][\w-]*):[ ]+(\S(?:.*\S)?) *$/.exec(line)
    if (!found) return null
    const value = readSimpleValue(found[2] as string)
    if (value === undefined) return null
    fields[detach(found[1] as string)] = value
  }
  return fields
}

function readSimpleValue(value: string): unknown {
  if (value.startsWith('[')) return readSimpleList(value)
  if (/^\d/.test(value)) return readDigits(value)
  return readSimpleScalar(value)
}

function readSimpleScalar(value: string): string | boolean | undefined {
  if (/^"[^"\\]*"$/.test(value) || /^'[^']*'$/.test(value)) return detach(value.slice(1, -1))
  if (value === 'true' || value === 'false') return value === 'true'
  // Accepts only text that starts with a letter and has no YAML syntax; the keywords below are excluded.
  if (!/^\p{L}/u.test(value) || /:(?:\s|$)|\s#|[\t\u0080-\u009f\ufeff]/.test(value)) return undefined
  return /^(?:null|true|false)$/i.test(value) ? undefined : detach(value)
}

/** Reads integers, and text that starts with a number and continues with a word. */
function readDigits(value: string): number | string | undefined {
  if (/^(?:0|[1-9]\d{0,14})$/.test(value)) return Number(value)
  return /^\d+ \p{L}/u.test(value) && !/:(?:\s|$)|\s#|[\t\u0080-\u009f\ufeff]/.test(value)
    ? detach(value)
    : undefined
}

/** Reads `[a, "b c"]`; items with a comma, bracket or colon are left to the library. */
function readSimpleList(value: string): unknown[] | undefined {
  const inner = /^\[([^[\]{}:#]*)\]$/.exec(value)?.[1]
  if (inner === undefined || inner.trim() === '') return undefined
  const items: unknown[] = []
  for (const part of inner.split(',')) {
    const item = readSimpleScalar(part.trim())
    if (item === undefined) return undefined
    items.push(item)
  }
  return items
}

function readFields(problems: Problem[], file: string, block: string): Record<string, unknown> {
  const first = tryYaml(block)
  if (first.fields) return restoreWrittenText(problems, file, block, first.fields)
  const repaired = indentQuotedContinuations(block)
  const second = repaired === block ? first : tryYaml(repaired)
  if (second.fields) return restoreWrittenText(problems, file, block, second.fields)
  problems.push({
    file,
    line: first.line + 1,
    code: 'frontmatter.yaml',
    level: 'warning',
    message: `The frontmatter is not valid YAML (${first.reason}). Only lines of the form \`key: value\` are used.`,
    remedy: 'Correct this line. Put values that contain a colon or a quotation mark in double quotes.',
  })
  return readSimpleLines(block)
}

/** Keys whose values are shown to readers exactly as written. */
const SHOWN_KEYS = ['title', 'sidebarTitle', 'description', 'tag', 'version']
const MAX_HINTS = 10

/** Restores the written text: YAML reads `1.10` as the number 1.1, and ` #` as the start of a comment. */
function restoreWrittenText(
  problems: Problem[],
  file: string,
  block: string,
  fields: Record<string, unknown>,
): Record<string, unknown> {
  let hints = 0
  for (const [index, line] of block.split('\n').entries()) {
    const [, key, value = ''] = /^([A-Za-z][\w-]*):[ \t]+(\S.*)$/.exec(line.trimEnd()) ?? []
    if (key === undefined || !Object.hasOwn(fields, key) || hints === MAX_HINTS) continue
    const read = fields[key]
    const comment = /^(?![\s"'[{|>&*!])[^#]*(?:^|[ \t])(#\S.*)$/.exec(value)?.[1]
    const isOtherNumber =
      SHOWN_KEYS.includes(key) && typeof read === 'number' && String(read) !== value && !/\s/.test(value)
    if (isOtherNumber) fields[key] = detach(value)
    if (comment === undefined && !isOtherNumber) continue
    hints++
    problems.push({
      file,
      line: index + 2,
      code: 'frontmatter.unquoted',
      level: 'hint',
      message: isOtherNumber
        ? `YAML parses ${key} as the number ${read}, but ${quote(value)} is shown.`
        : `YAML treats ${quote(comment ?? '')} as a comment, so it is not part of ${key}.`,
      remedy: 'Put the value in double quotes, or add a space after the # of a comment.',
    })
  }
  return fields
}

type YamlAttempt = { fields: Record<string, unknown> } | { fields: null; line: number; reason: string }

function tryYaml(block: string): YamlAttempt {
  if (countSyntaxCharacters(block) > MAX_SYNTAX_CHARACTERS) {
    return {
      fields: null,
      line: 1,
      reason: `it has more than ${MAX_SYNTAX_CHARACTERS} brackets, line breaks and other special characters`,
    }
  }
  const result = readYaml(block, LIMITS)
  if ('fault' in result) return { fields: null, ...result.fault }
  const { value } = result
  if (value === null || value === undefined) return { fields: {} }
  if (typeof value !== 'object' || Array.isArray(value)) {
    return { fields: null, line: 1, reason: 'it is not a mapping of keys to values' }
  }
  return { fields: copyToPlainValue(value) as Record<string, unknown> }
}

function countSyntaxCharacters(block: string): number {
  let count = 0
  for (let at = 0; at < block.length; at++) if (SYNTAX_CHARACTER_CODES.has(block.charCodeAt(at))) count++
  return count
}

/** Copies to ordinary objects with string keys; `__proto__` is dropped. */
function copyToPlainValue(value: unknown): unknown {
  if (typeof value === 'string') return detach(value)
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyToPlainValue)
  const copy: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) {
    if (key !== '__proto__') copy[key] = copyToPlainValue(field)
  }
  return copy
}

/**
 * Indents the continuation lines of a double-quoted value. YAML 1.2 requires the indentation, but the parsers
 * for which most pages were written do not.
 */
function indentQuotedContinuations(block: string): string {
  let isInside = false
  return block
    .split('\n')
    .map((line) => {
      const wasInside = isInside
      const text = wasInside ? line : (/^[^\s"'#][^:"]*:[ \t]+(".*)$/.exec(line)?.[1] ?? '')
      for (const mark of text.replace(/\\./g, '').matchAll(/"/g)) if (mark) isInside = !isInside
      return wasInside && /^\S/.test(line) ? `  ${line}` : line
    })
    .join('\n')
}

function readSimpleLines(block: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const line of block.split(/\r?\n/)) {
    const found = splitLine(line)
    if (!found) continue
    const key = found.key.trim()
    if (key === '' || key === '__proto__') continue
    const value = found.value.trim()
    fields[detach(key)] = value === 'true' || value === 'false' ? value === 'true' : detach(unquote(value))
  }
  return fields
}

/** Splits an unindented `key: value` line, if that is possible without the YAML library. */
function splitLine(line: string): { key: string; value: string } | null {
  const [quoted, double, single] = /^(?:"([^"]+)"|'([^']+)')[ \t]*/.exec(line) ?? []
  const colon = quoted === undefined ? line.indexOf(':') : quoted.length
  if (line[colon] !== ':' || !/^(?:$|[ \t])/.test(line.slice(colon + 1))) return null
  if (quoted === undefined && !/^[^\s:#'"[\]{},]/.test(line)) return null
  return { key: double ?? single ?? line.slice(0, colon), value: line.slice(colon + 1) }
}

function unquote(value: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(value)
  return quoted ? (quoted[2] as string) : value.replace(/^["']/, '')
}

function lineOfKey(block: string, key: string): number {
  const lines = block.split('\n')
  const index = lines.findIndex((line) => line.replace(/^["']/, '').startsWith(key))
  return index === -1 ? 0 : index + 1
}

/** Returns the 1-based line of the body; if the block ends without a line break, the body starts on the next line. */
function bodyLineAt(text: string, offset: number): number {
  return countLines(text, offset) + (offset === text.length && !text.endsWith('\n') ? 2 : 1)
}

function countLines(text: string, until: number): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < until; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
