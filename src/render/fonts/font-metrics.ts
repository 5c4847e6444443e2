/**
 * Reads the metrics of a font file, to adjust a fallback font and prevent a layout shift when the font loads.
 * Files are untrusted: an invalid file results in null.
 */
import { brotliDecompressSync, inflateSync } from 'node:zlib'

export interface FontMetrics {
  ascent: number
  descent: number
  lineGap: number
  /** Average width of letters in English text. */
  width: number
  /** `700`, or `100 900` for a variable font. */
  weight: string
}

export type FontFormat = 'woff2' | 'woff' | 'truetype' | 'opentype'

/** Detects the format from the first bytes, like browsers. Returns null if the file is not a font. */
export function fontFormat(bytes: Uint8Array): FontFormat | null {
  const tag = Buffer.from(bytes.subarray(0, 4)).toString('latin1')
  if (tag === 'wOF2') return 'woff2'
  if (tag === 'wOFF') return 'woff'
  if (tag === 'OTTO') return 'opentype'
  return tag === '\0\x01\0\0' || tag === 'true' ? 'truetype' : null
}

export function fontMetrics(bytes: Uint8Array): FontMetrics | null {
  try {
    const tables = readTables(bytes)
    return tables && measure(tables)
  } catch {
    return null
  }
}

type Tables = (name: string) => DataView | null

/** Maximum total size of the decompressed tables. */
const MAX_BYTES = 64 * 1024 * 1024

function readTables(bytes: Uint8Array): Tables | null {
  const format = fontFormat(bytes)
  if (format === null) return null
  if (format === 'woff2') return woff2Tables(bytes)
  return format === 'woff' ? woffTables(bytes) : plainTables(bytes)
}

function plainTables(bytes: Uint8Array): Tables {
  const view = createView(bytes)
  const found = new Map<string, DataView>()
  for (let index = 0; index < view.getUint16(4); index++) {
    const at = 12 + index * 16
    const start = view.getUint32(at + 8)
    found.set(readTag(view, at), createView(bytes.subarray(start, start + view.getUint32(at + 12))))
  }
  return (name) => found.get(name) ?? null
}

function woffTables(bytes: Uint8Array): Tables {
  const view = createView(bytes)
  const tableEntries = new Map<string, { start: number; packed: number; size: number }>()
  for (let index = 0; index < view.getUint16(12); index++) {
    const at = 44 + index * 20
    const tableEntry = {
      start: view.getUint32(at + 4),
      packed: view.getUint32(at + 8),
      size: view.getUint32(at + 12),
    }
    tableEntries.set(readTag(view, at), tableEntry)
  }
  return (name) => {
    const tableEntry = tableEntries.get(name)
    if (!tableEntry || tableEntry.size > MAX_BYTES) return null
    const part = bytes.subarray(tableEntry.start, tableEntry.start + tableEntry.packed)
    return createView(
      tableEntry.packed < tableEntry.size ? inflateSync(part, { maxOutputLength: MAX_BYTES }) : part,
    )
  }
}

/** Tags of the required tables, by the number with which WOFF2 encodes them. */
const WOFF2_TAGS: Readonly<Record<number, string>> = {
  0: 'cmap',
  1: 'head',
  2: 'hhea',
  3: 'hmtx',
  6: 'OS/2',
  47: 'fvar',
}

function woff2Tables(bytes: Uint8Array): Tables {
  const view = createView(bytes)
  const reader = { view, at: 48 }
  const tableEntries = new Map<string, { start: number; size: number; isChanged: boolean }>()
  let start = 0
  for (let index = 0; index < view.getUint16(12); index++) {
    const flags = view.getUint8(reader.at++)
    const number = flags & 63
    if (number === 63) reader.at += 4
    const tag = number === 63 ? readTag(view, reader.at - 4) : (WOFF2_TAGS[number] ?? `#${number}`)
    const size = readBase128(reader)
    const version = flags >> 6
    // "Not transformed" is version 3 for the glyph tables, and version 0 for all other tables.
    const isShapes = number === 10 || number === 11
    const isChanged = isShapes ? version !== 3 : version !== 0
    const packed = isChanged ? readBase128(reader) : size
    tableEntries.set(tag, { start, size: packed, isChanged })
    start += packed
  }
  const stream = bytes.subarray(reader.at, reader.at + view.getUint32(20))
  const all = brotliDecompressSync(stream, { maxOutputLength: MAX_BYTES })
  return (name) => {
    const tableEntry = tableEntries.get(name)
    return !tableEntry || tableEntry.isChanged
      ? null
      : createView(all.subarray(tableEntry.start, tableEntry.start + tableEntry.size))
  }
}

function readBase128(reader: { view: DataView; at: number }): number {
  let value = 0
  for (let count = 0; count < 5; count++) {
    const byte = reader.view.getUint8(reader.at++)
    value = value * 128 + (byte & 127)
    if (byte < 128) return value
  }
  throw new RangeError('a number is too long')
}

function measure(tables: Tables): FontMetrics | null {
  const head = tables('head')
  const hhea = tables('hhea')
  const os2 = tables('OS/2')
  if (!head || !hhea || !os2) return null
  const unit = head.getUint16(18)
  // Bit 7 (USE_TYPO_METRICS): the typographic metrics determine the line height.
  const isTypographic = (os2.getUint16(62) & 128) !== 0
  const [ascent, descent, lineGap] = isTypographic
    ? [os2.getInt16(68), -os2.getInt16(70), os2.getInt16(72)]
    : [hhea.getInt16(4), -hhea.getInt16(6), hhea.getInt16(8)]
  const width = letterWidth(tables, hhea.getUint16(34)) ?? os2.getInt16(2)
  if (unit === 0 || width <= 0 || ascent <= 0) return null
  const weight = tables('fvar') ? '100 900' : String(Math.min(1000, Math.max(1, os2.getUint16(4))))
  return {
    ascent: ascent / unit,
    descent: descent / unit,
    lineGap: lineGap / unit,
    width: width / unit,
    weight,
  }
}

/** Frequency of letters and the space in English text, per thousand characters. */
// biome-ignore format: a letter on each line would hide the order
const LETTER_FREQUENCIES: Readonly<Record<string, number>> = {
  ' ': 183, e: 103, t: 75, a: 65, o: 62, i: 57, n: 57, s: 53, r: 50, h: 50, l: 33, d: 33, u: 23,
  c: 22, m: 20, f: 20, w: 17, g: 16, p: 15, y: 14, b: 13, v: 8, k: 5, x: 1, j: 1, q: 1, z: 1,
}

function letterWidth(tables: Tables, count: number): number | null {
  const cmap = tables('cmap')
  const hmtx = tables('hmtx')
  if (!cmap || !hmtx || count === 0) return null
  let sum = 0
  let weight = 0
  for (const [letter, frequency] of Object.entries(LETTER_FREQUENCIES)) {
    const glyph = findGlyph(cmap, letter.codePointAt(0) as number)
    if (glyph === 0) continue
    sum += frequency * hmtx.getUint16(Math.min(glyph, count - 1) * 4)
    weight += frequency
  }
  return weight > 900 ? sum / weight : null
}

/** Returns 0 if the font lacks the character. */
function findGlyph(cmap: DataView, code: number): number {
  for (let index = 0; index < cmap.getUint16(2); index++) {
    const at = cmap.getUint32(4 + index * 8 + 4)
    const format = cmap.getUint16(at)
    const glyph =
      format === 4 ? glyphInRuns(cmap, at, code) : format === 12 ? glyphInGroups(cmap, at, code) : 0
    if (glyph !== 0) return glyph
  }
  return 0
}

function glyphInRuns(cmap: DataView, at: number, code: number): number {
  const doubled = cmap.getUint16(at + 6)
  const ends = at + 14
  const starts = ends + doubled + 2
  for (let offset = 0; offset < doubled; offset += 2) {
    if (cmap.getUint16(ends + offset) < code) continue
    const start = cmap.getUint16(starts + offset)
    if (start > code) return 0
    const delta = cmap.getUint16(starts + doubled + offset)
    const rangeAt = starts + 2 * doubled + offset
    const range = cmap.getUint16(rangeAt)
    if (range === 0) return (code + delta) & 0xffff
    const glyph = cmap.getUint16(rangeAt + range + 2 * (code - start))
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff
  }
  return 0
}

function glyphInGroups(cmap: DataView, at: number, code: number): number {
  const count = Math.min(cmap.getUint32(at + 12), 100_000)
  for (let index = 0; index < count; index++) {
    const group = at + 16 + index * 12
    if (code <= cmap.getUint32(group + 4)) {
      const start = cmap.getUint32(group)
      return code < start ? 0 : cmap.getUint32(group + 8) + code - start
    }
  }
  return 0
}

function readTag(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)))
}

function createView(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
