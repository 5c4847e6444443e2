/** Small single-color PNG images. */
import { crc32, deflateSync } from 'node:zlib'

/** Returns a PNG; `claimed` overrides the size in its header, but not the pixel data. */
export function png(
  width: number,
  height: number,
  colour = [22, 163, 74],
  claimed = { width, height },
): Buffer {
  const line = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, () => Buffer.from(colour))])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(claimed.width, 0)
  head.writeUInt32BE(claimed.height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)])
}
