/**
 * A short text that fits a regular expression of a schema, written down from the expression itself, which is never run:
 * what an author writes may take for ever.
 */

/** Characters of an expression that is read, of a text that is made, and how deep groups may lie in each other. */
const MOST_PATTERN = 1000
const MOST_TEXT = 300
const DEPTH = 20

/** Null for an expression that looks ahead or back, and for what cannot be read. `minLength` fills what may repeat. */
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
  /** Of what has no upper bound. */
  repeats: number
  depth: number
}

/** The first of several; all are read. */
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

/** How often: as seldom as is allowed, but once where it may be left out altogether. */
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

/** Behind its backslash; null for a reference back. */
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

/** Of those not in a negated class, the first of these that fits. */
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

/** Classes inside of a class, by the sign that stands for them. */
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

/** A letter or a figure before a mark. */
function preferred(ranges: readonly [string, string][]): string | null {
  const plain = ranges.find(([low]) => /^[A-Za-z0-9]$/.test(low))
  return (plain ?? ranges[0])?.[0] ?? null
}
