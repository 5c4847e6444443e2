/**
 * Cuts much text into the pieces that words.ts tells of, each looked up by its characters where they stand: a page has a
 * thousand pieces, nearly all of which came before, and a string made for each of them costs more than the search for it.
 */
import { type Cut, type Cutter, createPieces } from '../../search/words.ts'

export interface TextCutter {
  /** In order. */
  forEach(text: string, take: (cut: Cut) => void): void
}

/** Places looked at for one piece. Who chooses words that all fall on one place gains nothing by it. */
const MOST_STEPS = 24
const LETTER = 1
const JOINT = 2
/** What each of the first 128 characters is to `createPieces`. */
const KINDS = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  if (/[a-z0-9]/i.test(character)) KINDS[code] = LETTER
  else if ("-_.'".includes(character)) KINDS[code] = JOINT
}

export function createTextCutter(cutter: Pick<Cutter, 'cutOf'>): TextCutter {
  const known = createCutTable(cutter)
  const pieces = createPieces()
  return {
    forEach: (text, take) => {
      let at = 0
      while (at < text.length) {
        const code = text.charCodeAt(at)
        if (code < 128 && KINDS[code] !== LETTER) {
          at += 1
          continue
        }
        const end = code < 128 ? endOfPlain(text, at) : null
        if (end !== null) {
          take(known(text, at, end))
          at = end
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

/** End of the piece that begins at a letter; null when characters beyond the first 128 may belong to it. */
function endOfPlain(text: string, start: number): number | null {
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at) // NaN at the end
    if (code >= 128) return null
    const kind = KINDS[code] ?? 0
    if (kind === 0) return at
    if (kind === JOINT) {
      const next = text.charCodeAt(at + 1)
      if (next >= 128) return null
      if (KINDS[next] !== LETTER) return at
    }
    at += 1
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
