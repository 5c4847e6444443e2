/** An ICO file that holds PNG files, which every browser and system since 2007 reads. */

export interface IcoEntry {
  /** Pixels of one side, at most 256. */
  side: number
  png: Uint8Array
}

const HEADER_BYTES = 6
const ENTRY_BYTES = 16
const ICON = 1
const BITS_OF_PIXEL = 32

export function icoFile(entries: readonly IcoEntry[]): Uint8Array {
  const directory = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * entries.length)
  directory.writeUInt16LE(ICON, 2)
  directory.writeUInt16LE(entries.length, 4)
  let start = directory.length
  for (const [index, { side, png }] of entries.entries()) {
    const at = HEADER_BYTES + ENTRY_BYTES * index
    directory.writeUInt8(side % 256, at) // 0 means 256
    directory.writeUInt8(side % 256, at + 1)
    directory.writeUInt16LE(1, at + 4)
    directory.writeUInt16LE(BITS_OF_PIXEL, at + 6)
    directory.writeUInt32LE(png.length, at + 8)
    directory.writeUInt32LE(start, at + 12)
    start += png.length
  }
  return Buffer.concat([directory, ...entries.map(({ png }) => png)])
}
