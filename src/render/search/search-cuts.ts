/**
 * Cuts much text into the pieces that words.ts tells of, each looked up by its characters where they stand: a page has a
 * thousand pieces, nearly all of which came before, and a string made for each of them costs more than the search for it.
 */
import { type Cut, type Cutter, createPieces, isPair, type Word } from '../../search/words.ts'

export interface TextCutter {
  /** In order. */
  forEach(text: string, take: (cut: Cut) => void): void
}

/** Places looked at for one piece. Who chooses words that all fall on one place gains nothing by it. */
const MOST_STEPS = 24
/** What a unit of UTF-16 is to `createPieces`, and whether it is of a script that is cut into pairs. */
const OTHER = 1
const JOINT = 2
const LETTER = 3
const PAIRED = 4
const HALF = 5
/** 0: not looked at yet. */
const KINDS = new Uint8Array(1 << 16)

function kindAt(text: string, at: number): number {
  if (at >= text.length) return OTHER
  const code = text.charCodeAt(at)
  if (KINDS[code] === 0) KINDS[code] = kindOf(code)
  return KINDS[code] as number
}

function kindOf(code: number): number {
  if (code >= 0xd800 && code < 0xe000) return HALF
  const character = String.fromCharCode(code)
  if (createPieces().test(character)) return isPair(character) ? PAIRED : LETTER
  return "-_.'’".includes(character) ? JOINT : OTHER
}

export function createTextCutter(cutter: Pick<Cutter, 'cutOf' | 'wordOf'>): TextCutter {
  const known = createCutTable(cutter)
  const wordsIn = createWordsIn(cutter, known)
  const pieces = createPieces()
  return {
    forEach: (text, take) => {
      let at = 0
      while (at < text.length) {
        const kind = kindAt(text, at)
        if (kind < LETTER) {
          at += 1
          continue
        }
        const end = kind === HALF ? null : endOfPiece(text, at)
        if (end !== null) {
          const start = at
          at = Math.abs(end)
          take(end > 0 ? known(text, start, at) : wordsIn(text, start, at))
          continue
        }
        pieces.lastIndex = at
        const found = pieces.exec(text)
        if (found === null) return
        take(cutter.cutOf(found[0]))
        at = pieces.lastIndex
      }
    },
  }
}

/**
 * End of the piece that begins at a letter, below 0 when letters that are cut into pairs are in it; null when characters
 * of two units may belong to it.
 */
function endOfPiece(text: string, start: number): number | null {
  let hasPairs = false
  for (let at = start; ; at++) {
    let kind = kindAt(text, at)
    if (kind === JOINT) {
      kind = kindAt(text, at + 1)
      if (kind >= LETTER) continue
      return hasPairs ? -at : at
    }
    if (kind === HALF) return null
    if (kind === OTHER) return hasPairs ? -at : at
    hasPairs ||= kind === PAIRED
  }
}

/**
 * Cuts a piece with letters that are cut into pairs, of one unit each. Such a piece is a clause, and rarely comes again;
 * its pairs do.
 */
function createWordsIn(
  cutter: Pick<Cutter, 'wordOf'>,
  known: (text: string, start: number, end: number) => Cut,
): (text: string, start: number, end: number) => Cut {
  /** By the codes of their letters: to make a text of them and look for that takes several times as long. */
  const pairs = new Map<number, Word>()
  const pairAt = (text: string, at: number): Word => {
    const codes = (text.charCodeAt(at) << 16) | text.charCodeAt(at + 1)
    const before = pairs.get(codes)
    if (before) return before
    const made = cutter.wordOf(text.slice(at, at + 2))
    pairs.set(codes, made)
    return made
  }
  return (text, start, end) => {
    const words: Word[] = []
    for (let at = start; at < end; ) {
      const first = at
      const kind = kindAt(text, at)
      while (at < end && kindAt(text, at) === kind) at += 1
      if (kind === LETTER) words.push(...known(text, first, at).words)
      else if (kind === PAIRED && at - first < 3) words.push(cutter.wordOf(text.slice(first, at)))
      else if (kind === PAIRED) for (let pair = first; pair < at - 1; pair++) words.push(pairAt(text, pair))
    }
    return { text: text.slice(start, end), words, whole: null }
  }
}

/** Cuts by the characters of their pieces. */
function createCutTable(cutter: Pick<Cutter, 'cutOf'>): (text: string, start: number, end: number) => Cut {
  const cuts: Cut[] = []
  const hashes: number[] = []
  /** Number of a cut and one; 0 where nothing is. The size is a power of two. */
  let slots = new Uint32Array(1 << 12)
  const place = (number: number) => {
    const mask = slots.length - 1
    let slot = (hashes[number] as number) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = number + 1
  }
  return (text, start, end) => {
    let hash = end - start
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    hash ^= hash >>> 15
    const mask = slots.length - 1
    for (let step = 0; step < MOST_STEPS; step++) {
      const number = slots[(hash + step) & mask] as number
      if (number === 0) {
        const cut = cutter.cutOf(text.slice(start, end))
        hashes.push(hash)
        cuts.push(cut)
        slots[(hash + step) & mask] = cuts.length
        if (cuts.length * 2 > slots.length) {
          slots = new Uint32Array(slots.length * 2)
          for (let other = 0; other < cuts.length; other++) place(other)
        }
        return cut
      }
      const cut = cuts[number - 1] as Cut
      if (hashes[number - 1] === hash && isAt(text, start, end, cut.text)) return cut
    }
    return cutter.cutOf(text.slice(start, end))
  }
}

function isAt(text: string, start: number, end: number, piece: string): boolean {
  if (piece.length !== end - start) return false
  for (let i = 0; i < piece.length; i++) if (text.charCodeAt(start + i) !== piece.charCodeAt(i)) return false
  return true
}
