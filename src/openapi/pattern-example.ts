/**
 * Creates a short string that matches the `pattern` of a schema. The expression is parsed but never executed,
 * because it could take exponential time.
 */

/** Maximum length of the expression and the result, and maximum nesting of groups. */
const MAX_PATTERN_LENGTH = 1000
const MAX_TEXT_LENGTH = 300
const MAX_DEPTH = 20

/**
 * Returns null for lookaround and unsupported syntax. Repeats parts of the expression to reach `minLength`.
 */
export function createPatternExample(pattern: string, minLength = 0): string | null {
  if (pattern.length > MAX_PATTERN_LENGTH) return null
  for (const repeats of [1, Math.min(minLength, MAX_TEXT_LENGTH)]) {
    const reader: PatternReader = { pattern, at: 0, repeats, depth: 0 }
    const text = readChoice(reader)
    if (text === null || reader.at < pattern.length || text.length > MAX_TEXT_LENGTH) return null
    if (text.length >= minLength) return text
  }
  return null
}

interface PatternReader {
  pattern: string
  at: number
  /** Number of repetitions for quantifiers without a maximum. */
  repeats: number
  depth: number
}

/** Returns the text for the first alternative. Parses all of them. */
function readChoice(reader: PatternReader): string | null {
  let first: string | null = null
  for (;;) {
    const text = readSequence(reader)
    if (text === null) return null
    first ??= text
    if (reader.pattern[reader.at] !== '|') return first
    reader.at++
  }
}

function readSequence(reader: PatternReader): string | null {
  let result = ''
  for (;;) {
    const sign = reader.pattern[reader.at]
    if (sign === undefined || sign === '|' || sign === ')') return result
    const piece = readPiece(reader)
    if (piece === null) return null
    const count = readCount(reader)
    if (piece.length * count + result.length > MAX_TEXT_LENGTH) return null
    result += piece.repeat(count)
  }
}

function readPiece(reader: PatternReader): string | null {
  const sign = reader.pattern[reader.at++]
  switch (sign) {
    case '^':
    case '$':
      return ''
    case '.':
      return 'a'
    case '(':
      return readGroup(reader)
    case '[':
      return readClass(reader)
    case '\\':
      return readEscape(reader)
    default:
      return sign ?? null
  }
}

function readGroup(reader: PatternReader): string | null {
  const lead = /\?(?::|<[A-Za-z_]\w*>)/y
  lead.lastIndex = reader.at
  const found = lead.exec(reader.pattern)
  if (found) reader.at += found[0].length
  else if (reader.pattern[reader.at] === '?') return null
  if (++reader.depth > MAX_DEPTH) return null
  const text = readChoice(reader)
  reader.depth--
  return reader.pattern[reader.at++] === ')' ? text : null
}

/** Returns the number of repetitions: the minimum, or 1 for optional parts. */
function readCount(reader: PatternReader): number {
  const counted = /(?:([*+?])|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??/y
  counted.lastIndex = reader.at
  const found = counted.exec(reader.pattern)
  if (!found) return 1
  reader.at += found[0].length
  const [, sign, low = '0', comma, high = ''] = found
  if (sign === '?') return 1
  if (sign !== undefined) return Math.max(1, reader.repeats)
  if (comma === undefined) return Number(low)
  const most = high === '' ? MAX_TEXT_LENGTH : Number(high)
  return Math.min(most, Math.max(Number(low), 1, reader.repeats))
}

const CLASS_SAMPLES: Readonly<Record<string, string>> = { d: '0', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' }
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }

/** Parses an escape after the backslash. Returns null for a backreference. */
function readEscape(reader: PatternReader): string | null {
  const sign = reader.pattern[reader.at++]
  if (sign === undefined || /[1-9k]/.test(sign)) return null
  if (sign === 'b' || sign === 'B') return ''
  if (sign === 'p' || sign === 'P') {
    const end = reader.pattern.indexOf('}', reader.at)
    if (reader.pattern[reader.at] !== '{' || end === -1) return null
    reader.at = end + 1
    return sign === 'p' ? 'a' : '-'
  }
  const coded = sign === 'x' ? /[\da-fA-F]{2}/y : sign === 'u' ? /[\da-fA-F]{4}/y : null
  if (coded === null) return CLASS_SAMPLES[sign] ?? CONTROLS[sign] ?? sign
  coded.lastIndex = reader.at
  const found = coded.exec(reader.pattern)
  if (!found) return null
  reader.at += found[0].length
  return String.fromCharCode(Number.parseInt(found[0], 16))
}

/** Candidates for a negated class. The first character that the class does not exclude is used. */
const NEGATED_CLASS_CANDIDATES = ['a', '0', 'A', '-', '_', ' ', '.', '/', 'ä']

function readClass(reader: PatternReader): string | null {
  const isNegated = reader.pattern[reader.at] === '^'
  if (isNegated) reader.at++
  const ranges: [low: string, high: string][] = []
  while (reader.pattern[reader.at] !== ']') {
    const low = readMember(reader)
    if (low === null) return null
    const isRange =
      reader.pattern[reader.at] === '-' && !/^(?:\]|$)/.test(reader.pattern[reader.at + 1] ?? '')
    if (isRange) reader.at++
    const high = isRange ? readMember(reader) : low
    if (high === null) return null
    ranges.push(...(CLASS_RANGES[low] ?? [[low, high]]))
  }
  reader.at++
  if (!isNegated) return choosePreferred(ranges)
  return (
    NEGATED_CLASS_CANDIDATES.find((one) => !ranges.some(([low, high]) => one >= low && one <= high)) ?? null
  )
}

const CLASS_RANGES: Readonly<Record<string, [string, string][]>> = {
  '\\d': [['0', '9']],
  '\\w': [
    ['a', 'z'],
    ['A', 'Z'],
    ['0', '9'],
    ['_', '_'],
  ],
  '\\s': [
    [' ', ' '],
    ['\t', '\r'],
  ],
}

function readMember(reader: PatternReader): string | null {
  const sign = reader.pattern[reader.at++]
  if (sign !== '\\') return sign ?? null
  const next = reader.pattern[reader.at]
  if (next !== undefined && /[dws]/.test(next)) {
    reader.at++
    return `\\${next}`
  }
  return readEscape(reader)
}

/** Returns a character from the ranges, preferably a letter or digit. */
function choosePreferred(ranges: readonly [string, string][]): string | null {
  const plain = ranges.find(([low]) => /^[A-Za-z0-9]$/.test(low))
  return (plain ?? ranges[0])?.[0] ?? null
}
