/**
 * A text as a QR code: bytes, error correction of level M, versions 1 to 10 (213 bytes). Follows ISO/IEC 18004; the
 * numbers of blocks and of check bytes are its table for that level.
 */

const CHECK_BYTES = [0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26]
const BLOCKS = [0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5]
const LEVEL_M = 0
const BYTE_MODE = 4

type Matrix = (boolean | null)[][]

/** Rows of dark (true) and light modules, without the quiet zone. Throws when the text is too long. */
export function qrMatrix(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text)
  const version = BLOCKS.findIndex((_, one) => one > 0 && bytes.length + (one > 9 ? 3 : 2) <= dataBytes(one))
  if (version < 1) throw new Error('The text is too long for a picture.')
  const words = interleaved(version, encoded(bytes, version))
  const candidates = Array.from({ length: 8 }, (_, mask) => drawn(version, words, mask))
  return candidates.reduce((best, one) => (penaltyOf(one) < penaltyOf(best) ? one : best))
}

function sizeOf(version: number): number {
  return version * 4 + 17
}

/** Bytes of data and checks together that fit beside the patterns. */
function rawBytes(version: number): number {
  let modules = (16 * version + 128) * version + 64
  if (version > 1) {
    const lines = Math.floor(version / 7) + 2
    modules -= (25 * lines - 10) * lines - 55
  }
  if (version > 6) modules -= 36
  return Math.floor(modules / 8)
}

function dataBytes(version: number): number {
  return rawBytes(version) - (CHECK_BYTES[version] ?? 0) * (BLOCKS[version] ?? 0)
}

/** Mode, length, bytes, end, and filling up to the whole. */
function encoded(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = []
  const put = (value: number, length: number) => {
    for (let at = length - 1; at >= 0; at--) bits.push((value >>> at) & 1)
  }
  put(BYTE_MODE, 4)
  put(bytes.length, version > 9 ? 16 : 8)
  for (const byte of bytes) put(byte, 8)
  const room = dataBytes(version) * 8
  put(0, Math.min(4, room - bits.length))
  put(0, (8 - (bits.length % 8)) % 8)
  for (let filler = 0xec; bits.length < room; filler ^= 0xec ^ 0x11) put(filler, 8)
  return Array.from({ length: room / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0),
  )
}

/** Each block gets its check bytes; then the first bytes of all blocks, the second ones, and so on. */
function interleaved(version: number, data: readonly number[]): number[] {
  const [count, checks, raw] = [BLOCKS[version] ?? 1, CHECK_BYTES[version] ?? 0, rawBytes(version)]
  const shortBlocks = count - (raw % count)
  const shortLength = Math.floor(raw / count) - checks
  const blocks: { data: readonly number[]; checks: number[] }[] = []
  for (let block = 0, at = 0; block < count; block++) {
    const length = shortLength + (block < shortBlocks ? 0 : 1)
    const part = data.slice(at, at + length)
    blocks.push({ data: part, checks: checkBytes(part, checks) })
    at += length
  }
  const words: number[] = []
  for (let at = 0; at <= shortLength; at++) {
    for (const block of blocks) if (at < block.data.length) words.push(block.data[at] ?? 0)
  }
  for (let at = 0; at < checks; at++) for (const block of blocks) words.push(block.checks[at] ?? 0)
  return words
}

/** In the field of 256 elements with the polynomial 0x11d. */
function times(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

/** Reed–Solomon: the remainder of the data by the generator of that degree. */
function checkBytes(data: readonly number[], degree: number): number[] {
  const generator: number[] = new Array(degree).fill(0)
  generator[degree - 1] = 1
  for (let step = 0, root = 1; step < degree; step++, root = times(root, 2)) {
    for (let at = 0; at < degree; at++) {
      generator[at] = times(generator[at] ?? 0, root) ^ (generator[at + 1] ?? 0)
    }
  }
  const rest = new Array<number>(degree).fill(0)
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    for (let at = 0; at < degree; at++) rest[at] = (rest[at] ?? 0) ^ times(generator[at] ?? 0, factor)
  }
  return rest
}

function drawn(version: number, words: readonly number[], mask: number): boolean[][] {
  const size = sizeOf(version)
  const matrix: Matrix = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null))
  drawPatterns(matrix, version)
  drawFormat(matrix, mask)
  if (version > 6) drawVersion(matrix, version)
  drawWords(matrix, words, mask)
  return matrix.map((row) => row.map((module) => module === true))
}

function set(matrix: Matrix, x: number, y: number, isDark: boolean): void {
  const row = matrix[y]
  if (row !== undefined && x >= 0 && x < row.length) row[x] = isDark
}

function drawPatterns(matrix: Matrix, version: number): void {
  const size = matrix.length
  for (let at = 0; at < size; at++) {
    set(matrix, 6, at, at % 2 === 0)
    set(matrix, at, 6, at % 2 === 0)
  }
  const corners = [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const
  for (const [x, y] of corners) drawSquares(matrix, x, y, 4, [2, 4])
  const lines = alignmentLines(version)
  const last = lines.length - 1
  for (const [i, x] of lines.entries()) {
    for (const [j, y] of lines.entries()) {
      const isCorner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (!isCorner) drawSquares(matrix, x, y, 2, [1])
    }
  }
}

/** Squares within each other; those at `light` distances from the centre are light. */
function drawSquares(matrix: Matrix, x: number, y: number, reach: number, light: readonly number[]): void {
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) {
      set(matrix, x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))))
    }
  }
}

function alignmentLines(version: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  const lines = Array.from({ length: count - 1 }, (_, at) => sizeOf(version) - 7 - at * step)
  return [6, ...lines.reverse()]
}

/** Level and mask with their check bits, twice. */
function drawFormat(matrix: Matrix, mask: number): void {
  const size = matrix.length
  const data = (LEVEL_M << 3) | mask
  const bits = ((data << 10) | remainder(data, 10, 0x537)) ^ 0x5412
  const bit = (at: number) => ((bits >>> at) & 1) === 1
  for (let at = 0; at <= 5; at++) set(matrix, 8, at, bit(at))
  set(matrix, 8, 7, bit(6))
  set(matrix, 8, 8, bit(7))
  set(matrix, 7, 8, bit(8))
  for (let at = 9; at < 15; at++) set(matrix, 14 - at, 8, bit(at))
  for (let at = 0; at < 8; at++) set(matrix, size - 1 - at, 8, bit(at))
  for (let at = 8; at < 15; at++) set(matrix, 8, size - 15 + at, bit(at))
  set(matrix, 8, size - 8, true)
}

function drawVersion(matrix: Matrix, version: number): void {
  const bits = (version << 12) | remainder(version, 12, 0x1f25)
  for (let at = 0; at < 18; at++) {
    const isDark = ((bits >>> at) & 1) === 1
    const [a, b] = [matrix.length - 11 + (at % 3), Math.floor(at / 3)]
    set(matrix, a, b, isDark)
    set(matrix, b, a, isDark)
  }
}

function remainder(data: number, length: number, generator: number): number {
  let rest = data
  for (let step = 0; step < length; step++) rest = (rest << 1) ^ ((rest >>> (length - 1)) * generator)
  return rest
}

/** Up and down in columns of two from the right, around the patterns; the mask is laid over it. */
function drawWords(matrix: Matrix, words: readonly number[], mask: number): void {
  const size = matrix.length
  let at = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const isUp = ((right + 1) & 2) === 0
      const y = isUp ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (matrix[y]?.[x] !== null) continue
        const bit = ((words[at >>> 3] ?? 0) >>> (7 - (at & 7))) & 1
        at += 1
        set(matrix, x, y, (bit === 1) !== isMasked(mask, x, y))
      }
    }
  }
}

export function isMasked(mask: number, x: number, y: number): boolean {
  const rules = [
    (x + y) % 2,
    y % 2,
    x % 3,
    (x + y) % 3,
    (Math.floor(x / 3) + Math.floor(y / 2)) % 2,
    ((x * y) % 2) + ((x * y) % 3),
    (((x * y) % 2) + ((x * y) % 3)) % 2,
    (((x + y) % 2) + ((x * y) % 3)) % 2,
  ]
  return rules[mask] === 0
}

/** How hard it is to read: long runs, blocks of one colour, too much of one colour. */
function penaltyOf(matrix: readonly (readonly boolean[])[]): number {
  const size = matrix.length
  const dark = matrix.flat().filter(Boolean).length
  let penalty = Math.floor(Math.abs((dark * 20) / (size * size) - 10)) * 10
  for (let y = 0; y < size; y++) {
    for (const isDown of [false, true]) {
      let run = 0
      for (let x = 0; x < size; x++) {
        const [now, before] = isDown
          ? [matrix[x]?.[y], matrix[x - 1]?.[y]]
          : [matrix[y]?.[x], matrix[y]?.[x - 1]]
        run = now === before ? run + 1 : 1
        penalty += run === 5 ? 3 : run > 5 ? 1 : 0
      }
    }
    for (let x = 0; x < size - 1 && y < size - 1; x++) {
      const one = matrix[y]?.[x]
      if (one === matrix[y]?.[x + 1] && one === matrix[y + 1]?.[x] && one === matrix[y + 1]?.[x + 1])
        penalty += 3
    }
  }
  return penalty
}
