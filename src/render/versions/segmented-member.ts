/**
 * One gzip member of a long text that changes in few places. It is packed in segments, each by itself, so that a segment
 * whose pieces have not changed is copied from the last member. Where a segment ends depends on what is in it: a piece
 * that comes or goes moves no end but its own.
 */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'

const compress = promisify(deflateRaw)

/** So many pieces are in a segment on average, some 400 kB of pages: the text is 2 percent larger than in one piece. */
const PIECES = 128
const MOST_SEGMENT_BYTES = 4 << 20
/** No name, no time, and the system unknown, as in every other member. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty block that says it is the last. */
const LAST_BLOCK = Buffer.from([3, 0])
/** Check sum and length. */
const TRAILER_BYTES = 8

/** How many pieces are in it, and how many bytes of the member it is. */
export type Segment = readonly [pieces: number, packedBytes: number]

export interface EarlierMember {
  member: Uint8Array
  segments: readonly Segment[]
  /** Of all pieces, in order; empty ones are of pieces that nobody asks for again. */
  names: readonly string[]
}

export interface MemberWriter {
  add(name: string, bytes: Uint8Array): void
  finish(): Promise<{ member: Buffer; segments: Segment[] }>
}

/** `level`: of compression. */
export function createMember(level: number, earlier: EarlierMember | null): MemberWriter {
  const known = earlier && segmentsByName(earlier)
  const segments: { pieces: number; packed: Promise<Uint8Array> }[] = []
  let names: string[] = []
  let parts: Uint8Array[] = []
  let segmentBytes = 0
  let sum = 0
  let sizeBytes = 0
  const cut = () => {
    if (names.length === 0) return
    const same = known?.get(names[0] as string)
    const isSame = same?.names.length === names.length && same.names.every((name, at) => name === names[at])
    const packed = isSame
      ? Promise.resolve(same.packed)
      : compress(Buffer.concat(parts, segmentBytes), { level, finishFlush: constants.Z_SYNC_FLUSH })
    packed.catch(() => {}) // told by `finish`, if that is reached
    segments.push({ pieces: names.length, packed })
    names = []
    parts = []
    segmentBytes = 0
  }
  return {
    add: (name, bytes) => {
      names.push(name)
      parts.push(bytes)
      segmentBytes += bytes.byteLength
      sizeBytes += bytes.byteLength
      sum = crc32(bytes, sum)
      if (crc32(bytes) % PIECES === 0 || segmentBytes > MOST_SEGMENT_BYTES) cut()
    },
    finish: async () => {
      cut()
      const packed = await Promise.all(segments.map((segment) => segment.packed))
      const trailer = Buffer.alloc(TRAILER_BYTES)
      trailer.writeUInt32LE(sum, 0)
      trailer.writeUInt32LE(sizeBytes % 2 ** 32, 4)
      return {
        member: Buffer.concat([HEADER, ...packed, LAST_BLOCK, trailer]),
        segments: segments.map(({ pieces }, at) => [pieces, (packed[at] as Uint8Array).byteLength]),
      }
    },
  }
}

/** Whether the numbers are those of this member: they come from where anybody may have put them. */
export function isSegmented({ member, segments, names }: EarlierMember): boolean {
  const pieces = segments.reduce((total, [count]) => total + count, 0)
  const bytes = segments.reduce((total, [, packedBytes]) => total + packedBytes, 0)
  return (
    pieces === names.length && bytes + HEADER.length + LAST_BLOCK.length + TRAILER_BYTES === member.byteLength
  )
}

/** By the name of their first piece; those with a piece that has none are left out. */
function segmentsByName({ member, segments, names }: EarlierMember) {
  const found = new Map<string, { names: readonly string[]; packed: Uint8Array }>()
  let piece = 0
  let at = HEADER.length
  for (const [pieces, packedBytes] of segments) {
    const own = names.slice(piece, piece + pieces)
    const [first] = own
    if (first !== undefined && !own.includes(''))
      found.set(first, { names: own, packed: member.subarray(at, at + packedBytes) })
    piece += pieces
    at += packedBytes
  }
  return found
}
