/** Drawings as pixels. */
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { loadRenderer } from './load-renderer.ts'
import { emptyPicture, type Picture, UnusableFaviconError } from './picture.ts'
import { centred } from './scale.ts'

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
