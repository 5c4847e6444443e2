/**
 * Finds parts shared by two archives. An archive is a sequence of gzip members, and an unchanged file is the
 * same member in both. Each archive is split at every byte sequence that may begin a member, and pieces found
 * in the old archive are copied from it. A wrong split only makes the delta larger.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ArchiveDigest, DeltaPlan, DeltaStep } from './delta-format.ts'
import { encodeDeltaHeader, readPart } from './delta-format.ts'

/** First bytes of a gzip member (RFC 1952): the magic number and the code for deflate. */
const GZIP_MEMBER_START = Buffer.from([0x1f, 0x8b, 8])
/** Longer pieces are split, so that most of a large file with appended data can be copied. */
const MAX_PIECE_BYTES = 1 << 20
const READ_BYTES = 4 << 20
const COPY_BYTES = 1 << 20

export interface MadeDelta {
  plan: DeltaPlan
  /** Contents of the delta file; can be iterated only once. */
  bytes: AsyncIterable<Uint8Array>
}

export async function makeDelta(oldArchive: string, newArchive: string): Promise<MadeDelta> {
  const oldOffsets = new Map<string, number>()
  const from = await readPieces(oldArchive, (digest, offset) => {
    if (!oldOffsets.has(digest)) oldOffsets.set(digest, offset)
  })
  const steps: Step[] = []
  const to = await readPieces(newArchive, (digest, _offset, length) => {
    addStep(steps, oldOffsets.get(digest) ?? null, length)
  })
  const plan = { from, to, steps: steps.map(stepText) }
  return { plan, bytes: deltaBytes(plan, newArchive) }
}

interface Step {
  /** Offset in the old archive; null for new bytes. */
  offset: number | null
  length: number
}

/** Merges consecutive pieces into one step if they are also adjacent in the old archive. */
function addStep(steps: Step[], offset: number | null, length: number): void {
  const last = steps.at(-1)
  const isNext =
    last !== undefined && (last.offset === null ? offset === null : last.offset + last.length === offset)
  if (isNext) last.length += length
  else steps.push({ offset, length })
}

function stepText({ offset, length }: Step): DeltaStep {
  return offset === null ? length : [offset, length]
}

async function* deltaBytes(plan: DeltaPlan, newArchive: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  const hashed = (bytes: Uint8Array) => {
    hash.update(bytes)
    return bytes
  }
  yield hashed(encodeDeltaHeader(plan))
  await using file = await open(newArchive)
  let at = 0
  for (const step of plan.steps) {
    const length = typeof step === 'number' ? step : step[1]
    if (typeof step === 'number')
      for (let done = 0; done < length; done += COPY_BYTES)
        yield hashed(await readPart(file, at + done, Math.min(COPY_BYTES, length - done)))
    at += length
  }
  yield hash.digest()
}

async function readPieces(
  path: string,
  onPiece: (digest: string, offset: number, length: number) => void,
): Promise<ArchiveDigest> {
  const whole = createHash('sha256')
  let sizeBytes = 0
  for await (const piece of piecesOf(path)) {
    whole.update(piece)
    onPiece(createHash('sha256').update(piece).digest('base64'), sizeBytes, piece.length)
    sizeBytes += piece.length
  }
  return { sha256: whole.digest('hex'), sizeBytes }
}

/** Splits a file by its bytes alone, regardless of the sizes of the chunks in which they are read. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  let buffered: Buffer = Buffer.alloc(0)
  const enough = MAX_PIECE_BYTES + GZIP_MEMBER_START.length
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>) {
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
    while (buffered.length >= enough) {
      const end = pieceEnd(buffered)
      yield buffered.subarray(0, end)
      buffered = buffered.subarray(end)
    }
  }
  while (buffered.length > 0) {
    const end = pieceEnd(buffered)
    yield buffered.subarray(0, end)
    buffered = buffered.subarray(end)
  }
}

function pieceEnd(buffered: Buffer): number {
  const found = buffered.subarray(0, MAX_PIECE_BYTES + GZIP_MEMBER_START.length).indexOf(GZIP_MEMBER_START, 1)
  return found === -1 ? Math.min(buffered.length, MAX_PIECE_BYTES) : found
}
