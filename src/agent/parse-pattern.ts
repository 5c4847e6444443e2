/** Reads a regular expression into a small program, one instruction after the other. */

export type Instruction =
  /** Reads one character and goes on behind. */
  | { kind: 'character'; accepts(code: number): boolean }
  /** Goes on behind, and at `other`. */
  | { kind: 'fork'; other: number }
  | { kind: 'jump'; to: number }
  /** Goes on behind when the place in the line is such a one. */
  | { kind: 'border'; border: '^' | '$' | 'b' | 'B' }
  | { kind: 'match' }

/** What is wrong with a pattern, as a sentence. */
export class PatternError extends Error {
  override name = 'PatternError'
}

const MAX_SOURCE = 1000
const MAX_PROGRAM = 3000
const MAX_DEPTH = 40
const MAX_REPEAT = 500

/** A piece of a pattern; it becomes instructions once its surroundings are known, repeated pieces several times. */
type Piece =
  | { kind: 'character'; accepts(code: number): boolean }
  | { kind: 'border'; border: '^' | '$' | 'b' | 'B' }
  | { kind: 'sequence'; pieces: readonly Piece[] }
  | { kind: 'choice'; choices: readonly Piece[] }
  | { kind: 'repeat'; piece: Piece; least: number; most: number }

export function parsePattern(source: string, options: { ignoreCase: boolean }): Instruction[] {
  if (source.length > MAX_SOURCE) throw new PatternError(`It is longer than ${MAX_SOURCE} characters.`)
  const reader = { characters: [...source], at: 0, ignoreCase: options.ignoreCase }
  const piece = readChoice(reader, 0)
  if (reader.at < reader.characters.length) throw new PatternError('There is a ) that closes nothing.')
  const program: Instruction[] = []
  emit(program, piece)
  program.push({ kind: 'match' })
  return program
}

interface Reader {
  characters: readonly string[]
  at: number
  ignoreCase: boolean
}

function readChoice(reader: Reader, depth: number): Piece {
  if (depth > MAX_DEPTH) throw new PatternError('Its groups are nested too deep.')
  const choices = [readSequence(reader, depth)]
  while (reader.characters[reader.at] === '|') {
    reader.at++
    choices.push(readSequence(reader, depth))
  }
  return choices.length === 1 ? (choices[0] as Piece) : { kind: 'choice', choices }
}

function readSequence(reader: Reader, depth: number): Piece {
  const pieces: Piece[] = []
  for (;;) {
    const next = reader.characters[reader.at]
    if (next === undefined || next === '|' || next === ')') return { kind: 'sequence', pieces }
    pieces.push(readRepeats(reader, readPiece(reader, depth)))
  }
}

function readRepeats(reader: Reader, piece: Piece): Piece {
  let repeated = piece
  for (let count = readCount(reader); count !== null; count = readCount(reader)) {
    repeated = { kind: 'repeat', piece: repeated, ...count }
    // Whether it takes little or much makes no difference to what is found.
    if (reader.characters[reader.at] === '?') reader.at++
  }
  return repeated
}

/** `*`, `+`, `?`, `{2}`, `{2,}`, `{2,5}`; a brace that is none of these is a brace. */
function readCount(reader: Reader): { least: number; most: number } | null {
  const next = reader.characters[reader.at]
  if (next === '*' || next === '+' || next === '?') {
    reader.at++
    return { least: next === '+' ? 1 : 0, most: next === '?' ? 1 : Number.POSITIVE_INFINITY }
  }
  if (next !== '{') return null
  const rest = reader.characters.slice(reader.at, reader.at + 12).join('')
  const [all, from, comma, to] = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(rest) ?? []
  if (all === undefined) return null
  reader.at += all.length
  const least = Number(from)
  const most = comma === undefined ? least : to === '' ? Number.POSITIVE_INFINITY : Number(to)
  if (least > MAX_REPEAT || (most > MAX_REPEAT && most !== Number.POSITIVE_INFINITY)) {
    throw new PatternError(`It repeats something more than ${MAX_REPEAT} times.`)
  }
  if (most < least) throw new PatternError(`The numbers in ${all} are the wrong way round.`)
  return { least, most }
}

function readPiece(reader: Reader, depth: number): Piece {
  const character = reader.characters[reader.at++] as string
  switch (character) {
    case '(':
      return readGroup(reader, depth)
    case '[':
      return characterOf(reader, readClass(reader))
    case '.':
      return { kind: 'character', accepts: () => true }
    case '^':
    case '$':
      return { kind: 'border', border: character }
    case '\\':
      return readEscape(reader)
    case '*':
    case '+':
    case '?':
      throw new PatternError(`There is a ${character} with nothing before it to repeat.`)
    default:
      return characterOf(reader, single(character))
  }
}

function readGroup(reader: Reader, depth: number): Piece {
  const rest = reader.characters.slice(reader.at, reader.at + 40).join('')
  if (/^\?<?[=!]/.test(rest)) {
    throw new PatternError(
      'Lookahead and lookbehind (?= ?! ?<= ?<!) are not understood here; search twice instead.',
    )
  }
  const opening = /^\?(?:[:]|P?<\w+>)/.exec(rest)?.[0] ?? ''
  if (opening === '' && rest.startsWith('?')) throw new PatternError('What follows (? is not understood.')
  reader.at += opening.length
  const piece = readChoice(reader, depth + 1)
  if (reader.characters[reader.at++] !== ')') throw new PatternError('There is a ( that is never closed.')
  return piece
}

type Accepts = (code: number) => boolean

function readEscape(reader: Reader): Piece {
  const next = reader.characters[reader.at]
  if (next === 'b' || next === 'B') {
    reader.at++
    return { kind: 'border', border: next }
  }
  if (next !== undefined && /[1-9]/.test(next)) {
    throw new PatternError('References to a group (\\1) are not understood here.')
  }
  return characterOf(reader, readEscaped(reader))
}

const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' }
const SETS: Record<string, RegExp> = { d: /\d/, D: /\D/, w: /\w/, W: /\W/, s: /\s/, S: /\S/ }

/** What follows a backslash, inside a class or outside. */
function readEscaped(reader: Reader): Accepts {
  const next = reader.characters[reader.at++]
  if (next === undefined) throw new PatternError('It ends with a backslash.')
  const set = SETS[next]
  if (set) return (code) => set.test(String.fromCodePoint(code))
  if (next === 'p' || next === 'P') return readProperty(reader, next)
  if (next === 'x' || next === 'u') return readCode(reader, next)
  if (/[A-Za-z]/.test(next) && !(next in CONTROLS))
    throw new PatternError(`\\${next} is not understood here.`)
  return single(CONTROLS[next] ?? next)
}

/** `\p{L}`: asked of one character at a time, so it costs the same for each. */
function readProperty(reader: Reader, kind: 'p' | 'P'): Accepts {
  const rest = reader.characters.slice(reader.at, reader.at + 60).join('')
  const [all, name] = /^\{([\w=]{1,50})\}/.exec(rest) ?? []
  if (all === undefined) throw new PatternError(`\\${kind} needs a name in braces, such as \\p{L}.`)
  reader.at += all.length
  try {
    const property = new RegExp(`\\${kind}{${name}}`, 'u')
    return (code) => property.test(String.fromCodePoint(code))
  } catch {
    throw new PatternError(`There is no class of characters ${all}.`)
  }
}

function readCode(reader: Reader, kind: 'x' | 'u'): Accepts {
  const rest = reader.characters.slice(reader.at, reader.at + 9).join('')
  const [all, braced, plain] =
    (kind === 'x' ? /^()([\da-f]{2})/i : /^(?:\{([\da-f]{1,6})\}|([\da-f]{4}))/i).exec(rest) ?? []
  const code = Number.parseInt(braced || plain || '', 16)
  if (all === undefined || !(code <= 0x10ffff))
    throw new PatternError(`\\${kind} needs a hexadecimal number.`)
  reader.at += all.length
  return single(String.fromCodePoint(code))
}

function readClass(reader: Reader): Accepts {
  const isNot = reader.characters[reader.at] === '^'
  if (isNot) reader.at++
  const members: Accepts[] = []
  for (let isFirst = true; ; isFirst = false) {
    const next = reader.characters[reader.at]
    if (next === undefined) throw new PatternError('There is a [ that is never closed.')
    if (next === ']' && !isFirst) break
    members.push(readMember(reader))
  }
  reader.at++
  const isMember: Accepts = (code) => members.some((accepts) => accepts(code))
  return isNot ? negated(reader, isMember) : isMember
}

/** Not a member in either case: `[^a]` leaves out `A` too when case does not matter. */
function negated(reader: Reader, accepts: Accepts): Accepts {
  const either = reader.ignoreCase ? inEitherCase(accepts) : accepts
  const isNot: Accepts & { isWhole?: true } = (code) => !either(code)
  isNot.isWhole = true
  return isNot
}

function readMember(reader: Reader): Accepts {
  const from = readBound(reader)
  if (reader.characters[reader.at] !== '-' || (reader.characters[reader.at + 1] ?? ']') === ']') {
    return from.accepts
  }
  reader.at++
  const to = readBound(reader)
  if (from.code === null || to.code === null || from.code > to.code) {
    throw new PatternError('A range in square brackets is not from a character to a later one.')
  }
  const [low, high] = [from.code, to.code]
  return (code) => code >= low && code <= high
}

function readBound(reader: Reader): { accepts: Accepts; code: number | null } {
  const character = reader.characters[reader.at++]
  if (character === undefined) throw new PatternError('There is a [ that is never closed.')
  if (character !== '\\') return { accepts: single(character), code: character.codePointAt(0) ?? null }
  const start = reader.at
  if (reader.characters[start] === 'b') {
    reader.at++
    return { accepts: single('\b'), code: 8 }
  }
  const accepts = readEscaped(reader)
  const escaped = reader.characters[start] as string
  const isOne = !(escaped in SETS) && !/[pPxu]/.test(escaped)
  return { accepts, code: isOne ? ((CONTROLS[escaped] ?? escaped).codePointAt(0) ?? null) : null }
}

function single(character: string): Accepts {
  const wanted = character.codePointAt(0)
  return (code) => code === wanted
}

/** Answers for ASCII are looked up. */
function characterOf(reader: Reader, accepts: Accepts & { isWhole?: true }): Piece {
  const full = reader.ignoreCase && !accepts.isWhole ? inEitherCase(accepts) : accepts
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => (full(code) ? 1 : 0))
  return { kind: 'character', accepts: (code) => (code < 128 ? ascii[code] === 1 : full(code)) }
}

function inEitherCase(accepts: Accepts): Accepts {
  return (code) => {
    if (accepts(code)) return true
    const character = String.fromCodePoint(code)
    const others = [character.toLowerCase(), character.toUpperCase()]
    return others.some((other) => {
      const otherCode = other.codePointAt(0) as number
      return String.fromCodePoint(otherCode) === other && accepts(otherCode)
    })
  }
}

function emit(program: Instruction[], piece: Piece): void {
  if (program.length > MAX_PROGRAM)
    throw new PatternError('It is too large once its repetitions are written out.')
  switch (piece.kind) {
    case 'character':
    case 'border':
      program.push(piece)
      break
    case 'sequence':
      // Even nothing takes room, so that repetitions of it come to an end.
      if (piece.pieces.length === 0) program.push({ kind: 'jump', to: program.length + 1 })
      for (const part of piece.pieces) emit(program, part)
      break
    case 'choice':
      emitChoice(program, piece.choices)
      break
    case 'repeat':
      emitRepeat(program, piece)
      break
  }
}

function emitChoice(program: Instruction[], choices: readonly Piece[]): void {
  const jumps: { kind: 'jump'; to: number }[] = []
  for (const [index, choice] of choices.entries()) {
    const isLast = index === choices.length - 1
    const fork = { kind: 'fork' as const, other: 0 }
    if (!isLast) program.push(fork)
    emit(program, choice)
    if (isLast) break
    const jump = { kind: 'jump' as const, to: 0 }
    program.push(jump)
    jumps.push(jump)
    fork.other = program.length
  }
  for (const jump of jumps) jump.to = program.length
}

function emitRepeat(
  program: Instruction[],
  { piece, least, most }: { piece: Piece; least: number; most: number },
): void {
  for (let count = 0; count < least; count++) emit(program, piece)
  if (most === Number.POSITIVE_INFINITY) {
    const start = program.length
    const fork = { kind: 'fork' as const, other: 0 }
    program.push(fork)
    emit(program, piece)
    program.push({ kind: 'jump', to: start })
    fork.other = program.length
    return
  }
  const forks: { kind: 'fork'; other: number }[] = []
  for (let count = least; count < most; count++) {
    const fork = { kind: 'fork' as const, other: 0 }
    forks.push(fork)
    program.push(fork)
    emit(program, piece)
  }
  for (const fork of forks) fork.other = program.length
}
