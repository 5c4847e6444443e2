/** One large text made piece by piece, so that a large site needs little memory: packed, or in a file. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { createMember, type EarlierMember, type Segment } from './segmented-member.ts'

export interface FullText {
  /** Pieces may come in any order; they are put together in that of their index, which begins at 0. */
  add(index: number, text: string, name?: string): void
  /** In the place of `add`; false when no earlier text has a piece of this name, which says all that it is made of. */
  addSame(index: number, name: string): boolean
  /** To be called when every index has come. */
  finish(): Promise<WholeText>
  /** What was made is not wanted, or has its place. */
  drop(): void
}

export interface WholeText {
  sha256: string
  sizeBytes: number
  /** All pieces as one gzip member, or the file that holds them. */
  content: { pieces: readonly TextPiece[] } & (
    | { member: Uint8Array; segments: readonly Segment[] }
    | { place: string }
  )
}

/** Names that are empty are of pieces that nobody asks for again. */
export type TextPiece = readonly [name: string, sizeBytes: number]

/** What the last build has put together, in memory: as it is, and packed. */
export interface EarlierBytes extends Omit<EarlierMember, 'names'> {
  bytes: Uint8Array
  pieces: readonly TextPiece[]
}

/** `level`: of compression, as much as what is kept is worth. Pieces that `earlier` has are copied from there. */
export function createFullText(level: number, earlier: EarlierBytes | null = null): FullText {
  const known = spansOf(earlier?.pieces ?? [])
  const hash = createHash('sha256')
  const names = earlier?.pieces.map(([name]) => name) ?? []
  const packing = createMember(level, earlier && { ...earlier, names })
  const pieces: TextPiece[] = []
  let sizeBytes = 0
  const inOrder = createOrder(({ name, bytes }: { name: string; bytes: Uint8Array }) => {
    hash.update(bytes)
    sizeBytes += bytes.byteLength
    packing.add(name, bytes)
    pieces.push([name, bytes.byteLength])
  })
  return {
    add: (index, text, name = '') => inOrder(index, { name, bytes: Buffer.from(text) }),
    addSame: (index, name) => {
      const found = known.get(name)
      if (found && earlier)
        inOrder(index, { name, bytes: earlier.bytes.subarray(found.at, found.at + found.sizeBytes) })
      return found !== undefined
    },
    finish: async () => {
      const packed = await packing.finish()
      return { sha256: hash.digest('hex'), sizeBytes, content: { ...packed, pieces } }
    },
    drop: () => {},
  }
}

/** Keeps what comes before its turn. */
function createOrder<Piece>(take: (piece: Piece) => void): (index: number, piece: Piece) => void {
  const waiting = new Map<number, Piece>()
  let next = 0
  return (index, piece) => {
    waiting.set(index, piece)
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next)
      next += 1
      take(ready)
    }
  }
}

/** What the last build has put together. */
export interface EarlierText {
  place: string
  pieces: readonly TextPiece[]
}

type FilePiece = { name: string } & ({ text: string } | { at: number; sizeBytes: number })

/** Bytes that are written, or copied, at a time. */
const AT_A_TIME = 1 << 20

/** Into the file `place`, which is made for the first piece. Pieces that `earlier` has are copied from there. */
export function createFileText(place: string, earlier: EarlierText | null): FullText {
  const known = earlier && openEarlier(earlier)
  const out = createHashedFile(place)
  const pieces: TextPiece[] = []
  const inOrder = createOrder((piece: FilePiece) => {
    const sizeBytes = 'text' in piece ? out.write(piece.text) : out.copy(known?.file as number, piece)
    pieces.push([piece.name, sizeBytes])
  })
  const drop = () => {
    known?.close()
    out.close()
    rmSync(place, { force: true })
  }
  return {
    add: (index, text, name = '') => inOrder(index, { name, text }),
    addSame: (index, name) => {
      const found = known?.find(name)
      if (found) inOrder(index, { name, ...found })
      return found !== undefined
    },
    finish: async () => {
      const made = out.finish()
      known?.close()
      return { ...made, content: { place, pieces } }
    },
    drop,
  }
}

interface Span {
  at: number
  sizeBytes: number
}

function spansOf(pieces: readonly TextPiece[]): Map<string, Span> {
  const spans = new Map<string, Span>()
  let at = 0
  for (const [name, sizeBytes] of pieces) {
    if (name !== '') spans.set(name, { at, sizeBytes })
    at += sizeBytes
  }
  return spans
}

/** Null when it is gone. Held open: another build may put its own there meanwhile. */
function openEarlier({ place, pieces }: EarlierText) {
  const spans = spansOf(pieces)
  let file: number | null = openOrNull(place)
  if (file === null) return null
  return {
    file,
    find: (name: string) => spans.get(name),
    close: () => {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}

function openOrNull(place: string): number | null {
  try {
    return openSync(place, 'r')
  } catch {
    return null
  }
}

/** Spans that lie behind each other are copied as one. */
function createHashedFile(place: string) {
  const hash = createHash('sha256')
  let file: number | null = null
  let sizeBytes = 0
  let texts: Buffer[] = []
  let textBytes = 0
  let span: (Span & { from: number }) | null = null

  const put = (bytes: Uint8Array) => {
    file ??= openSync(place, 'wx')
    hash.update(bytes)
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(file, bytes, at)
  }
  const flush = () => {
    if (textBytes > 0) put(Buffer.concat(texts, textBytes))
    texts = []
    textBytes = 0
    if (span !== null) copySpan(span, put)
    span = null
  }
  return {
    write: (text: string): number => {
      if (span !== null) flush()
      const bytes = Buffer.from(text)
      texts.push(bytes)
      textBytes += bytes.byteLength
      sizeBytes += bytes.byteLength
      if (textBytes > AT_A_TIME) flush()
      return bytes.byteLength
    },
    copy: (from: number, piece: Span): number => {
      const isNext = span?.from === from && span.at + span.sizeBytes === piece.at
      if (!isNext) flush()
      span = {
        from,
        at: isNext && span ? span.at : piece.at,
        sizeBytes: (isNext && span ? span.sizeBytes : 0) + piece.sizeBytes,
      }
      sizeBytes += piece.sizeBytes
      return piece.sizeBytes
    },
    finish: () => {
      flush()
      put(Buffer.alloc(0)) // a text without pieces is a file too
      closeSync(file as number)
      file = null
      return { sha256: hash.digest('hex'), sizeBytes }
    },
    close: () => {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}

function copySpan({ from, at, sizeBytes }: Span & { from: number }, put: (bytes: Uint8Array) => void): void {
  const buffer = Buffer.alloc(Math.min(AT_A_TIME, sizeBytes))
  for (let done = 0; done < sizeBytes; ) {
    const read = readSync(from, buffer, 0, Math.min(buffer.byteLength, sizeBytes - done), at + done)
    // Somebody has cut it, whom the next build notices.
    if (read === 0)
      throw new Error('the text of all pages of the last build ends too early; build it once more')
    put(buffer.subarray(0, read))
    done += read
  }
}
