/**
 * PNG files of authors. What a file would grow to is known before anything grows: the header is read, chunks that do
 * not make the picture are left out (some hold compressed text of any size), and the pixels are inflated up to the
 * length that the header promises and no further.
 */
import { inflateSync } from 'node:zlib'
import { type DecodedPng, decode } from 'fast-png'
import { emptyPicture, type Picture, UnusableFaviconError } from './picture.ts'

/** Pixels on one side: far more than any icon needs. */
const MAX_SIDE = 4096
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const INDEXED = 3
/** Samples of a pixel by colour type. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, [INDEXED]: 1, 4: 2, 6: 4 }
/** First column and row, and the steps to the next ones, of each pass of an interlaced file. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

interface Chunk {
  type: string
  content: Buffer
  /** With length, type and checksum. */
  whole: Buffer
}

interface Header {
  width: number
  height: number
  depth: number
  colourType: number
  isInterlaced: boolean
}

/** Throws UnusableFaviconError. */
export function readPng(bytes: Uint8Array): Picture {
  const chunks = chunksOf(bytes)
  const header = headerOf(chunks)
  checkHeader(header)
  checkPixels(header, chunks)
  const needed = chunks.filter(({ type }) => isNeeded(type, header))
  return pictureOf(decoded(Buffer.concat([SIGNATURE, ...needed.map(({ whole }) => whole)])))
}

/** Up to the one that ends the picture. */
function chunksOf(bytes: Uint8Array): Chunk[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new UnusableFaviconError('is no PNG file')
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= file.length; ) {
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length) break
    const type = file.toString('latin1', at + 4, at + 8)
    chunks.push({ type, content: file.subarray(at + 8, end - 4), whole: file.subarray(at, end) })
    if (type === 'IEND') return chunks
    at = end
  }
  throw new UnusableFaviconError('ends before the picture does')
}

function headerOf([first]: readonly Chunk[]): Header {
  if (first?.type !== 'IHDR' || first.content.length !== 13)
    throw new UnusableFaviconError('has no header of a PNG file')
  const { content } = first
  return {
    width: content.readUInt32BE(0),
    height: content.readUInt32BE(4),
    depth: content.readUInt8(8),
    colourType: content.readUInt8(9),
    isInterlaced: content.readUInt8(12) === 1,
  }
}

function checkHeader({ width, height, depth, colourType, isInterlaced }: Header): void {
  if (width === 0 || height === 0) throw new UnusableFaviconError('has no pixels')
  if (width > MAX_SIDE || height > MAX_SIDE)
    throw new UnusableFaviconError(
      `is ${width} by ${height} pixels, and only ${MAX_SIDE} by ${MAX_SIDE} are read`,
    )
  if (CHANNELS[colourType] === undefined || ![1, 2, 4, 8, 16].includes(depth))
    throw new UnusableFaviconError('has colours of an unknown kind')
  if (isInterlaced && depth < 8)
    throw new UnusableFaviconError(
      'is interlaced and has fewer than eight bits a pixel, which is not read',
      'hint',
    )
}

/** The pixels must have exactly the length that the header promises. */
function checkPixels(header: Header, chunks: readonly Chunk[]): void {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content))
  const promised = promisedBytes(header)
  if (inflatedLength(packed, promised) !== promised)
    throw new UnusableFaviconError('holds other pixels than its header says')
}

/** -1 when it would be more than `most`, or cannot be inflated. */
function inflatedLength(packed: Uint8Array, most: number): number {
  try {
    return inflateSync(packed, { maxOutputLength: most }).length
  } catch {
    return -1
  }
}

/** Each line begins with a byte that names its filter. */
function promisedBytes({ width, height, depth, colourType, isInterlaced }: Header): number {
  const bitsOfPixel = depth * (CHANNELS[colourType] ?? 0)
  const linesOf = (columns: number, rows: number) =>
    columns === 0 ? 0 : rows * (1 + Math.ceil((columns * bitsOfPixel) / 8))
  if (!isInterlaced) return linesOf(width, height)
  return PASSES.map(([x, y, stepX, stepY]) =>
    linesOf(Math.ceil((width - x) / stepX), Math.ceil((height - y) / stepY)),
  ).reduce((sum, bytes) => sum + bytes, 0)
}

/** A palette of a picture that does not use it is only a suggestion. */
function isNeeded(type: string, { colourType }: Header): boolean {
  if (type === 'PLTE') return colourType === INDEXED
  if (type === 'tRNS') return colourType <= INDEXED
  return type === 'IHDR' || type === 'IDAT' || type === 'IEND'
}

function decoded(file: Uint8Array): DecodedPng {
  try {
    return decode(file, { checkCrc: true })
  } catch {
    throw new UnusableFaviconError('is damaged')
  }
}

function pictureOf(png: DecodedPng): Picture {
  const { width, height, channels, depth, data } = png
  if (channels === 4 && depth === 8) return { width, height, data: data as Uint8Array }
  const samples = depth < 8 ? unpacked(png) : data
  const picture = emptyPicture(width, height)
  if (png.palette) layIndexed(samples, png.palette, picture.data)
  else layDirect(samples, png, picture.data)
  return picture
}

type Samples = ArrayLike<number>

/** Pixels smaller than a byte, each as one. Lines begin at a new byte. */
function unpacked({ width, height, depth, data }: DecodedPng): Samples {
  const samples = new Uint8Array(width * height)
  const bytesOfLine = Math.ceil((width * depth) / 8)
  const mask = 2 ** depth - 1
  for (let y = 0, to = 0; y < height; y++) {
    for (let bit = 0; bit < width * depth; bit += depth, to++) {
      const byte = data[y * bytesOfLine + (bit >> 3)] as number
      samples[to] = (byte >> (8 - depth - (bit & 7))) & mask
    }
  }
  return samples
}

/** A number beyond the palette is nothing. */
function layIndexed(samples: Samples, palette: readonly (readonly number[])[], pixels: Uint8Array): void {
  for (let index = 0, to = 0; index < samples.length; index++, to += 4) {
    const colour = palette[samples[index] as number]
    if (!colour) continue
    const [red = 0, green = 0, blue = 0, opacity = 255] = colour
    pixels[to] = red
    pixels[to + 1] = green
    pixels[to + 2] = blue
    pixels[to + 3] = opacity
  }
}

function layDirect(samples: Samples, png: DecodedPng, pixels: Uint8Array): void {
  const { channels, depth } = png
  const toByte = 255 / (2 ** depth - 1)
  const colours = channels >= 3 ? [0, 1, 2] : [0, 0, 0]
  const hasOpacity = channels === 2 || channels === 4
  for (let from = 0, to = 0; from < samples.length; from += channels, to += 4) {
    for (let colour = 0; colour < 3; colour++)
      pixels[to + colour] = Math.round((samples[from + (colours[colour] as number)] as number) * toByte)
    pixels[to + 3] = hasOpacity
      ? Math.round((samples[from + channels - 1] as number) * toByte)
      : isHole(samples, from, png)
        ? 0
        : 255
  }
}

/** One colour may be declared to be transparent. */
function isHole(samples: Samples, from: number, { transparency }: DecodedPng): boolean {
  return transparency?.every((sample, channel) => sample === samples[from + channel]) ?? false
}
