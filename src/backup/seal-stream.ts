/**
 * Encrypts streams of any length with AES-256-GCM in chunks, so that no chunk can be changed, moved, or cut
 * off (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015).
 *
 * Layout: 16 random bytes, then chunks of at most 64 KiB + 16 bytes. The key of the stream is derived from
 * the given key and the random bytes. The nonce counts the chunks; its last byte is 1 for the last chunk.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const SALT_BYTES = 16
const TAG_BYTES = 16
const CHUNK_BYTES = 64 * 1024

export class SealError extends Error {
  override name = 'SealError'
}

type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** `context` is the name of the stream; it can only be opened with the same name. */
export async function* sealStream(key: Uint8Array, context: string, plain: Bytes): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  yield salt
  const own = streamKey(key, salt, context)
  for await (const { index, isLast, bytes } of splitIntoChunks(plain, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', own, createChunkNonce(index, isLast))
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** Throws SealError if the bytes were modified, cut off, or sealed with another key or name. */
export async function* openStream(key: Uint8Array, context: string, sealed: Bytes): AsyncGenerator<Buffer> {
  const { head, rest } = await splitHead(sealed, SALT_BYTES)
  const own = streamKey(key, head, context)
  for await (const { index, isLast, bytes } of splitIntoChunks(rest, CHUNK_BYTES + TAG_BYTES)) {
    if (bytes.byteLength < TAG_BYTES) throw new SealError(`${context} is incomplete`)
    const end = bytes.byteLength - TAG_BYTES
    const decipher = createDecipheriv('aes-256-gcm', own, createChunkNonce(index, isLast))
    decipher.setAuthTag(bytes.subarray(end))
    try {
      yield Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()])
    } catch (cause) {
      throw new SealError(`${context} was changed, or encrypted with another passphrase`, { cause })
    }
  }
}

function streamKey(key: Uint8Array, salt: Uint8Array, context: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, `octavo backup: ${context}`, 32))
}

function createChunkNonce(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(index), 3)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Yields full chunks and a final chunk, which is empty only if the stream is empty. */
async function* splitIntoChunks(input: Bytes, size: number) {
  let index = 0
  let waiting: Buffer = Buffer.alloc(0)
  for await (const part of input) {
    waiting = waiting.byteLength === 0 ? Buffer.from(part) : Buffer.concat([waiting, part])
    while (waiting.byteLength > size) {
      yield { index: index++, isLast: false, bytes: waiting.subarray(0, size) }
      waiting = waiting.subarray(size)
    }
  }
  yield { index, isLast: true, bytes: waiting }
}

async function splitHead(
  input: Bytes,
  size: number,
): Promise<{ head: Buffer; rest: AsyncGenerator<Buffer> }> {
  const parts = (async function* () {
    for await (const part of input) yield Buffer.from(part)
  })()
  let head: Buffer = Buffer.alloc(0)
  while (head.byteLength < size) {
    const next = await parts.next()
    if (next.done) throw new SealError('an encrypted file is empty or incomplete')
    head = Buffer.concat([head, next.value])
  }
  const first = head.subarray(size)
  return {
    head: head.subarray(0, size),
    rest: (async function* () {
      yield first
      yield* parts
    })(),
  }
}
