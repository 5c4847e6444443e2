/** Messages over a pipe: four bytes of length (big endian), then JSON in UTF-8. */
import { writeSync } from 'node:fs'

/** Bytes; a longer frame means that the other side is out of its mind. */
export const LONGEST_FRAME = 256 * 1024 * 1024

export function encodeFrame(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  const frame = Buffer.allocUnsafe(4 + body.length)
  frame.writeUInt32BE(body.length, 0)
  body.copy(frame, 4)
  return frame
}

/** Takes chunks as they come and gives whole messages; throws on a frame that is too long or not JSON. */
export function createFrameReader(onMessage: (message: unknown) => void): (chunk: Buffer) => void {
  let pending: Buffer[] = []
  let size = 0
  return (chunk) => {
    pending.push(chunk)
    size += chunk.length
    while (size >= 4) {
      let first = pending[0] ?? chunk
      if (first.length < 4) {
        first = Buffer.concat(pending)
        pending = [first]
      }
      const length = first.readUInt32BE(0)
      if (length > LONGEST_FRAME) throw new RangeError('a frame is too long')
      if (size < 4 + length) return
      const all = pending.length === 1 ? first : Buffer.concat(pending)
      const rest = all.subarray(4 + length)
      pending = rest.length > 0 ? [rest] : []
      size = rest.length
      onMessage(JSON.parse(all.toString('utf8', 4, 4 + length)))
    }
  }
}

/** Writes at once, so that what was announced before a crash is known. */
export function writeFrameSync(fd: number, message: unknown): void {
  const frame = encodeFrame(message)
  let written = 0
  while (written < frame.length) {
    try {
      written += writeSync(fd, frame, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(PAUSE, 0, 0, 1)
    }
  }
}

const PAUSE = new Int32Array(new SharedArrayBuffer(4))
