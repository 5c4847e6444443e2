/**
 * Builds a short text that matches a schema's regular expression. The expression is parsed but never executed,
 * because an author's expression could take exponential time.
 */

/** Limits: characters of the expression, characters of the result, nesting of groups. */
const MOST_PATTERN = 1000
const MOST_TEXT = 300
const DEPTH = 20

/**
 * Returns null for an expression with lookaround or unsupported syntax. Repeatable parts are repeated to reach
 * `minLength`.
 */
export function patternExample(pattern: string, minLength = 0): string | null {
  if (pattern.length > MOST_PATTERN) return null
  for (const repeats of [1, Math.min(minLength, MOST_TEXT)]) {
    const reading: Reading = { pattern, at: 0, repeats, depth: 0 }
    const text = readChoice(reading)
    if (text === null || reading.at < pattern.length || text.length > MOST_TEXT) return null
    if (text.length >= minLength) return text
  }
  return null
}

interface Reading {
  pattern: string
  at: number
  /** Repetitions of parts without an upper bound. */
  repeats: number
  depth: number
}

/** Returns the first alternative; parses all of them. */
function readChoice(reading: Reading): string | null {
  let first: string | null = null
  for (;;) {
    const text = readSequence(reading)
    if (text === null) return null
    first ??= text
    if (reading.pattern[reading.at] !== '|') return first
    reading.at++
  }
}

function readSequence(reading: Reading): string | null {
  let made = ''
  for (;;) {
    const sign = reading.pattern[reading.at]
    if (sign === undefined || sign === '|' || sign === ')') return made
    const piece = readPiece(reading)
    if (piece === null) return null
    const count = readCount(reading)
    if (piece.length * count + made.length > MOST_TEXT) return null
    made += piece.repeat(count)
  }
}

function readPiece(reading: Reading): string | null {
  const sign = reading.pattern[reading.at++]
  switch (sign) {
    case '^':
    case '$':
      return ''
    case '.':
      return 'a'
    case '(':
      return readGroup(reading)
    case '[':
      return readClass(reading)
    case '\\':
      return readEscape(reading)
    default:
      return sign ?? null
  }
}

function readGroup(reading: Reading): string | null {
  const lead = /\?(?::|<[A-Za-z_]\w*>)/y
  lead.lastIndex = reading.at
  const found = lead.exec(reading.pattern)
  if (found) reading.at += found[0].length
  else if (reading.pattern[reading.at] === '?') return null
  if (++reading.depth > DEPTH) return null
  const text = readChoice(reading)
  reading.depth--
  return reading.pattern[reading.at++] === ')' ? text : null
}

/** Returns the number of repetitions: the minimum, but 1 for optional parts. */
function readCount(reading: Reading): number {
  const counted = /(?:([*+?])|\{(\d{1,4})(?:(,)(\d{0,4}))?\})\??/y
  counted.lastIndex = reading.at
  const found = counted.exec(reading.pattern)
  if (!found) return 1
  reading.at += found[0].length
  const [, sign, low = '0', comma, high = ''] = found
  if (sign === '?') return 1
  if (sign !== undefined) return Math.max(1, reading.repeats)
  if (comma === undefined) return Number(low)
  const most = high === '' ? MOST_TEXT : Number(high)
  return Math.min(most, Math.max(Number(low), 1, reading.repeats))
}

const OF_CLASS: Readonly<Record<string, string>> = { d: '0', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' }
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }

/** Parses the part after a backslash; null for a backreference. */
function readEscape(reading: Reading): string | null {
  const sign = reading.pattern[reading.at++]
  if (sign === undefined || /[1-9k]/.test(sign)) return null
  if (sign === 'b' || sign === 'B') return ''
  if (sign === 'p' || sign === 'P') {
    const end = reading.pattern.indexOf('}', reading.at)
    if (reading.pattern[reading.at] !== '{' || end === -1) return null
    reading.at = end + 1
    return sign === 'p' ? 'a' : '-'
  }
  const coded = sign === 'x' ? /[\da-fA-F]{2}/y : sign === 'u' ? /[\da-fA-F]{4}/y : null
  if (coded === null) return OF_CLASS[sign] ?? CONTROLS[sign] ?? sign
  coded.lastIndex = reading.at
  const found = coded.exec(reading.pattern)
  if (!found) return null
  reading.at += found[0].length
  return String.fromCharCode(Number.parseInt(found[0], 16))
}

/** Candidates for a negated class; the first that is not excluded is used. */
const OTHERS = ['a', '0', 'A', '-', '_', ' ', '.', '/', 'ä']

function readClass(reading: Reading): string | null {
  const isNegated = reading.pattern[reading.at] === '^'
  if (isNegated) reading.at++
  const ranges: [low: string, high: string][] = []
  while (reading.pattern[reading.at] !== ']') {
    const low = readMember(reading)
    if (low === null) return null
    const isRange =
      reading.pattern[reading.at] === '-' && !/^(?:\]|$)/.test(reading.pattern[reading.at + 1] ?? '')
    if (isRange) reading.at++
    const high = isRange ? readMember(reading) : low
    if (high === null) return null
    ranges.push(...(WIDE[low] ?? [[low, high]]))
  }
  reading.at++
  if (!isNegated) return preferred(ranges)
  return OTHERS.find((one) => !ranges.some(([low, high]) => one >= low && one <= high)) ?? null
}

/** Shorthand classes within a class, by their letter. */
const WIDE: Readonly<Record<string, [string, string][]>> = {
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

function readMember(reading: Reading): string | null {
  const sign = reading.pattern[reading.at++]
  if (sign !== '\\') return sign ?? null
  const next = reading.pattern[reading.at]
  if (next !== undefined && /[dws]/.test(next)) {
    reading.at++
    return `\\${next}`
  }
  return readEscape(reading)
}

/** Returns a character, preferring letters and digits to punctuation. */
function preferred(ranges: readonly [string, string][]): string | null {
  const plain = ranges.find(([low]) => /^[A-Za-z0-9]$/.test(low))
  return (plain ?? ranges[0])?.[0] ?? null
}
