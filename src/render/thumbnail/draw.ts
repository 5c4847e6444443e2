/** Draws images with a renderer that has no access to files or the network. */
import { readFile } from 'node:fs/promises'
import { Resvg } from '@resvg/resvg-wasm'
import { escapeHtml } from '../html/html.ts'
import { type FittedText, findFontPart, fitText } from './lettering.ts'
import { HEIGHT, LOGO_HEIGHT, LOGO_WIDTH, type Thumbnail, WIDTH } from './thumbnail.ts'

const MARGIN = 80
/** Size of a home screen icon in pixels, as required by the densest phone screens. */
const TOUCH_ICON_PX = 180
const TITLE_SIZES = [
  { size: 80, lines: 2 },
  { size: 64, lines: 3 },
  { size: 52, lines: 4 },
]
const SECTION_SIZES = [{ size: 32, lines: 1 }]
const SITE_SIZES = [{ size: 40, lines: 1 }]
/** Relative to the font size. */
const LINE_HEIGHT = 1.16
/** Stroke of headings, relative to the font size: the fonts have no bold weight. */
const EDGE = 0.03

const fonts = new Map<string, Promise<Uint8Array>>()

/** Returns a PNG file; throws if the renderer fails. */
export async function drawThumbnail(thumbnail: Thumbnail): Promise<Uint8Array> {
  const { title, section, site } = thumbnail
  const files = new Set([...title, ...section, ...site, '…'].map((letter) => findFontPart(letter)?.file))
  files.delete(undefined)
  const fontBuffers = await Promise.all([...files].map((file) => readFont(file as string)))
  return drawn(createSvg(thumbnail), fontBuffers)
}

/** Returns a logo fitted into a frame, as PNG; null if the result is empty. Throws if the renderer fails. */
export function drawLogo(content: Uint8Array, type: string): Uint8Array | null {
  const href = `data:${type};base64,${Buffer.from(content).toString('base64')}`
  const frame = `<svg xmlns="http://www.w3.org/2000/svg" width="${LOGO_WIDTH}" height="${LOGO_HEIGHT}"><image href="${href}" width="${LOGO_WIDTH}" height="${LOGO_HEIGHT}" preserveAspectRatio="xMinYMid meet"/></svg>`
  return drawn(frame, [], (pixels) => pixels.some((value) => value !== 0))
}

/**
 * Returns a favicon as PNG on white, since home screens show transparency as black; null if it is invisible on white.
 * Throws if the renderer fails.
 */
export function drawTouchIcon(svg: string): Uint8Array | null {
  const href = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  const square = `<svg xmlns="http://www.w3.org/2000/svg" width="${TOUCH_ICON_PX}" height="${TOUCH_ICON_PX}"><rect width="${TOUCH_ICON_PX}" height="${TOUCH_ICON_PX}" fill="#fff"/><image href="${href}" width="${TOUCH_ICON_PX}" height="${TOUCH_ICON_PX}"/></svg>`
  return drawn(square, [], (pixels) => pixels.some((value) => value !== 255))
}

function drawn(svg: string, fontBuffers: Uint8Array[]): Uint8Array
function drawn(
  svg: string,
  fontBuffers: Uint8Array[],
  isWanted: (pixels: Uint8Array) => boolean,
): Uint8Array | null
function drawn(svg: string, fontBuffers: Uint8Array[], isWanted?: (pixels: Uint8Array) => boolean) {
  const drawing = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'Inter' } })
  const picture = drawing.render()
  const png = isWanted === undefined || isWanted(picture.pixels) ? picture.asPng() : null
  picture.free()
  drawing.free()
  return png
}

function readFont(file: string): Promise<Uint8Array> {
  const read = fonts.get(file) ?? readFile(file).then((bytes) => new Uint8Array(bytes))
  fonts.set(file, read)
  return read
}

function createSvg(thumbnail: Thumbnail): string {
  const { ground, accent, ink, quiet, section } = thumbnail
  const title = fitText(thumbnail.title, WIDTH - 2 * MARGIN, TITLE_SIZES)
  const height = title.lines.length * title.size * LINE_HEIGHT
  // The title is at the bottom margin, the section above it.
  const top = HEIGHT - MARGIN - 24 - height
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="${WIDTH}" height="${HEIGHT}" fill="${ground}"/><rect y="${HEIGHT - 16}" width="${WIDTH}" height="16" fill="${accent}"/>${head(thumbnail)}${
    section === ''
      ? ''
      : lines(fitText(section, WIDTH - 2 * MARGIN, SECTION_SIZES), { top: top - 60, fill: quiet, edge: 0 })
  }${lines(title, { top, fill: ink, edge: EDGE })}</svg>`
}

function head({ logo, site, ink }: Thumbnail): string {
  if (logo !== null)
    return `<image x="${MARGIN}" y="${MARGIN}" width="${LOGO_WIDTH}" height="${LOGO_HEIGHT}" href="data:image/png;base64,${logo}"/>`
  return lines(fitText(site, WIDTH - 2 * MARGIN, SITE_SIZES), { top: MARGIN, fill: ink, edge: EDGE })
}

function lines(
  { lines: texts, size }: FittedText,
  { top, fill, edge }: { top: number; fill: string; edge: number },
): string {
  const pen = edge === 0 ? '' : ` stroke="${fill}" stroke-width="${size * edge}" stroke-linejoin="round"`
  return texts
    .map((text, index) => {
      const y = top + size * (LINE_HEIGHT * index + 0.95)
      return `<text x="${MARGIN}" y="${y}" font-family="Inter" font-size="${size}" fill="${fill}"${pen}>${escapeHtml(text)}</text>`
    })
    .join('')
}
