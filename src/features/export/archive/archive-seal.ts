/**
 * The end of an archive: a gzip member without content whose header carries, as an extra field (RFC 1952, section
 * 2.3.1.1, id `Oc`), the SHA-256 of every byte before it. Readers of archives pass over it; who verifies one finds any
 * byte that is not what was written, also where it changes nothing that is unpacked.
 */
const START = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 36, 0, 0x4f, 0x63, 32, 0])
/** An empty deflate block, CRC and size of nothing. */
const END = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const DIGEST_BYTES = 32

export const SEAL_BYTES = START.length + DIGEST_BYTES + END.length

/** `digest`: SHA-256 of all that stands before. */
export function archiveSeal(digest: Uint8Array): Uint8Array {
  return Buffer.concat([START, digest, END])
}
