/**
 * File format of an object on disk: the body, then a trailer of fixed size with metadata that a file system
 * cannot store. Both are in one file, so that a single rename replaces both consistently.
 *
 * Trailer, 256 bytes: magic (8) · body size, big endian (8) · SHA-256 of the body (32) · length of the
 * content type (1) · content type in ASCII, padded with zeros (207).
 */
import type { FileHandle } from 'node:fs/promises'

const MAGIC = Buffer.from('OCTAVO-1')
const TYPE_OFFSET = 49
const MAX_CONTENT_TYPE_CHARACTERS = 207
const PRINTABLE = /^[\x20-\x7e]*$/

export const TRAILER_BYTES = 256

export interface ObjectFacts {
  sizeBytes: number
  /** SHA-256 of the body, in hex. */
  sha256: string
  contentType: string
}

/** Throws RangeError unless the content type is short printable ASCII. */
export function encodeTrailer(facts: ObjectFacts): Buffer {
  if (facts.contentType.length > MAX_CONTENT_TYPE_CHARACTERS || !PRINTABLE.test(facts.contentType)) {
    throw new RangeError(`not a content type: ${JSON.stringify(facts.contentType.slice(0, 100))}`)
  }
  const trailer = Buffer.alloc(TRAILER_BYTES)
  MAGIC.copy(trailer)
  trailer.writeBigUInt64BE(BigInt(facts.sizeBytes), 8)
  trailer.write(facts.sha256, 16, 'hex')
  trailer.writeUInt8(facts.contentType.length, 48)
  trailer.write(facts.contentType, TYPE_OFFSET, 'ascii')
  return trailer
}

/**
 * Returns null if the bytes are not the trailer of a file with `fileBytes` bytes: the file was truncated, or
 * written by another program.
 */
export function decodeTrailer(trailer: Uint8Array, fileBytes: number): ObjectFacts | null {
  const bytes = Buffer.from(trailer.buffer, trailer.byteOffset, trailer.byteLength)
  const isWhole =
    bytes.length === TRAILER_BYTES &&
    bytes.subarray(0, MAGIC.length).equals(MAGIC) &&
    bytes.readBigUInt64BE(8) === BigInt(fileBytes - TRAILER_BYTES)
  if (!isWhole) return null
  const typeEnd = TYPE_OFFSET + bytes.readUInt8(48)
  const contentType = bytes.toString('latin1', TYPE_OFFSET, typeEnd)
  if (!PRINTABLE.test(contentType) || bytes.subarray(typeEnd).some((byte) => byte !== 0)) return null
  return { sizeBytes: fileBytes - TRAILER_BYTES, sha256: bytes.toString('hex', 16, 48), contentType }
}

/** Returns null as `facts` for the same reasons as `decodeTrailer`. */
export async function readFacts(file: FileHandle): Promise<{ facts: ObjectFacts | null; modifiedAt: Date }> {
  const { size, mtime } = await file.stat()
  const trailer = Buffer.alloc(TRAILER_BYTES)
  const { bytesRead } = await file.read(trailer, 0, TRAILER_BYTES, Math.max(0, size - TRAILER_BYTES))
  return { facts: decodeTrailer(trailer.subarray(0, bytesRead), size), modifiedAt: mtime }
}
