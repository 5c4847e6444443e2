/**
 * Drawings as pixels. The renderer is WebAssembly: it reaches neither files nor the network, and its memory is bounded
 * here, since the bounds of a thread do not count it.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { packageFolder } from '../machinery/package-folder.ts'
import { emptyPicture, type Picture, UnusableFaviconError } from './picture.ts'
import { centred } from './scale.ts'

/** Pages of 64 KiB: 256 MiB. */
const MEMORY_PAGES = 4096
const MEMORY_SECTION = 5
/** Magic number and version. */
const PREAMBLE_BYTES = 8
/** Letters would need a font of the reader's system, and pages in a drawing need a browser. */
const UNDRAWN = /<(?:[\w-]+:)?(text|foreignObject)\b/

export interface Drawing {
  /** A square with the whole drawing in its middle. Throws UnusableFaviconError. */
  squareAt(side: number): Picture
}

/** Throws UnusableFaviconError. To be called once in a thread. */
export async function openDrawing(svg: string): Promise<Drawing> {
  const undrawn = UNDRAWN.exec(svg)?.[1]
  if (undrawn !== undefined)
    throw new UnusableFaviconError(
      `holds ${undrawn === 'text' ? 'letters set in a font' : 'a piece of a web page'}, which only browsers draw`,
      'hint',
    )
  await initWasm(await loadRenderer())
  const { width, height } = opened(svg, {})
  const mode = width >= height ? 'width' : 'height'
  return { squareAt: (side) => centred(drawn(svg, mode, side), emptyPicture(side, side)) }
}

async function loadRenderer(): Promise<WebAssembly.Module> {
  const file = await readFile(join(packageFolder('@resvg/resvg-wasm'), 'index_bg.wasm'))
  return WebAssembly.compile(boundedMemory(file))
}

function drawn(svg: string, mode: 'width' | 'height', side: number): Picture {
  const picture = rendered(opened(svg, { fitTo: { mode, value: side } }))
  if (picture.data.every((value) => value === 0)) throw new UnusableFaviconError('is empty when it is drawn')
  return picture
}

function opened(svg: string, options: ConstructorParameters<typeof Resvg>[1]) {
  try {
    return new Resvg(svg, { ...options, font: { loadSystemFonts: false } })
  } catch {
    throw new UnusableFaviconError('is no drawing that can be read')
  }
}

/** Reading the pixels takes memory of the renderer too. */
function rendered(drawing: InstanceType<typeof Resvg>): Picture {
  try {
    const { width, height, pixels } = drawing.render()
    return { width, height, data: plainColours(pixels) }
  } catch {
    throw new UnusableFaviconError('needs more memory to be drawn than it may have')
  }
}

/** The renderer's colours are multiplied with their opacity. */
function plainColours(pixels: Uint8Array): Uint8Array {
  const plain = new Uint8Array(pixels)
  for (let at = 0; at < plain.length; at += 4) {
    const opacity = plain[at + 3] as number
    if (opacity === 0 || opacity === 255) continue
    for (let channel = 0; channel < 3; channel++)
      plain[at + channel] = Math.min(255, Math.round(((plain[at + channel] as number) * 255) / opacity))
  }
  return plain
}

/** The module with an upper limit in the section that declares its memory, which has a lower one alone. */
function boundedMemory(module: Uint8Array): Uint8Array<ArrayBuffer> {
  for (let at = PREAMBLE_BYTES; at < module.length; ) {
    const size = readNumber(module, at + 1)
    const end = size.end + size.value
    if (module[at] === MEMORY_SECTION) {
      const declared = module.subarray(size.end, end)
      if (declared[0] !== 1 || declared[1] !== 0)
        throw new Error('the renderer declares its memory otherwise')
      const bounded = [1, 1, ...declared.subarray(2), ...writtenNumber(MEMORY_PAGES)]
      const section = [MEMORY_SECTION, ...writtenNumber(bounded.length), ...bounded]
      return Buffer.concat([module.subarray(0, at), Uint8Array.from(section), module.subarray(end)])
    }
    at = end
  }
  throw new Error('the renderer declares no memory')
}

/** Seven bits a byte, the lowest first; the highest bit says that more follow. */
function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0
  for (let at = start, factor = 1; ; at++, factor *= 128) {
    const byte = bytes[at] ?? 0
    value += (byte % 128) * factor
    if (byte < 128) return { value, end: at + 1 }
  }
}

function writtenNumber(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...writtenNumber(Math.floor(value / 128))]
}
