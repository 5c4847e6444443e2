/**
 * Message framing for pipes: four bytes with the total length and four with the length of the JSON (both big endian),
 * JSON in UTF-8, then attached bytes, which are neither copied nor encoded.
 */
import { writeSync } from 'node:fs'
import { MAX_FRAME_BYTES } from './limits.ts'

const HEADER = 8
const NO_BYTES = new Uint8Array(0)

export function encodeFrame(message: unknown, bytes: Uint8Array = NO_BYTES): readonly Uint8Array[] {
  const body = Buffer.from(JSON.stringify(message))
  const frame = Buffer.allocUnsafe(HEADER + body.length)
  frame.writeUInt32BE(HEADER - 4 + body.length + bytes.length, 0)
  frame.writeUInt32BE(body.length, 4)
  body.copy(frame, HEADER)
  return bytes.length === 0 ? [frame] : [frame, bytes]
}

/** Parses chunks into complete messages. Throws if a frame is too long or is not JSON. */
export function createFrameReader(
  onMessage: (message: unknown, bytes: Buffer) => void,
): (chunk: Buffer) => void {
  let pending: Buffer[] = []
  let size = 0
  return (chunk) => {
    pending.push(chunk)
    size += chunk.length
    while (size >= HEADER) {
      let first = pending[0] ?? chunk
      if (first.length < HEADER) {
        first = Buffer.concat(pending)
        pending = [first]
      }
      const length = first.readUInt32BE(0)
      const json = first.readUInt32BE(4)
      if (length > MAX_FRAME_BYTES || json + 4 > length) throw new RangeError('a frame is too long')
      if (size < 4 + length) return
      const all = pending.length === 1 ? first : Buffer.concat(pending)
      const rest = all.subarray(4 + length)
      pending = rest.length > 0 ? [rest] : []
      size = rest.length
      const end = HEADER + json
      onMessage(JSON.parse(all.toString('utf8', HEADER, end)), all.subarray(end, 4 + length))
    }
  }
}

/** Writes synchronously, so that the message arrives even if the process crashes next. */
export function writeFrameSync(fd: number, message: unknown, bytes?: Uint8Array): void {
  for (const part of encodeFrame(message, bytes)) writeFully(fd, part)
}

function writeFully(fd: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) {
    try {
      written += writeSync(fd, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(WAIT_BUFFER, 0, 0, 1)
    }
  }
}

const WAIT_BUFFER = new Int32Array(new SharedArrayBuffer(4))
