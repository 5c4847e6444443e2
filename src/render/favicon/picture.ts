/** Pictures as bytes of red, green, blue and opacity: what every step of making icons hands to the next. */
import { encode } from 'fast-png'

export interface Picture {
  width: number
  height: number
  /** Four bytes a pixel, row by row; colours are not multiplied with the opacity. */
  data: Uint8Array
}

/** The author's file cannot be made into icons; the message goes on after "The favicon". */
export class UnusableFaviconError extends Error {
  override name = 'UnusableFaviconError'
  /** A hint when the file is sound, and only nothing can be made of it here. */
  readonly level: 'warning' | 'hint'

  constructor(message: string, level: 'warning' | 'hint' = 'warning') {
    super(message)
    this.level = level
  }
}

export function emptyPicture(width: number, height: number): Picture {
  return { width, height, data: new Uint8Array(width * height * 4) }
}

export function isOpaque({ data }: Picture): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  return true
}

/**
 * A PNG file. Compressed by a program of its own and not by the system's, whose bytes differ between processors. Icons
 * are flat more often than not, which is small without filters.
 */
export function encodePng(picture: Picture): Uint8Array {
  const { width, height } = picture
  const channels = isOpaque(picture) ? 3 : 4
  const data = channels === 3 ? withoutOpacity(picture) : picture.data
  return encode({ width, height, data, channels, depth: 8 }, { zlib: { level: 6 } })
}

function withoutOpacity({ width, height, data }: Picture): Uint8Array {
  const colours = new Uint8Array(width * height * 3)
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    colours.set(data.subarray(from, from + 3), to)
  }
  return colours
}
