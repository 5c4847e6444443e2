/**
 * The end of an archive: an empty gzip member, which unpacking programs skip. An extra field of its header (RFC 1952,
 * section 2.3.1.1, id `Oc`) contains the SHA-256 of all preceding bytes. Verification thus detects every changed byte,
 * even outside the unpacked files.
 */
const SEAL_START = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 36, 0, 0x4f, 0x63, 32, 0])
/** Empty deflate block, followed by the CRC and size of empty content. */
const SEAL_END = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
const DIGEST_BYTES = 32

export const SEAL_BYTES = SEAL_START.length + DIGEST_BYTES + SEAL_END.length

/** `digest` is the SHA-256 of all bytes before the seal. */
export function archiveSeal(digest: Uint8Array): Uint8Array {
  return Buffer.concat([SEAL_START, digest, SEAL_END])
}
