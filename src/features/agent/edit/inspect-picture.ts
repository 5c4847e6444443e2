/**
 * Validates a picture from elsewhere before it becomes part of the site: its type, detected by content, and its size.
 */
import { pictureSize } from '../../../render/remote/image-sizes.ts'
import { readDrawing } from '../check/drawing-rules.ts'
import { ToolRefusal } from '../loop/tool.ts'
import { type Content, MAX_PICTURE_BYTES, toPicture } from '../review/change-content.ts'
import { MAX_FILE_BYTES } from './change-files.ts'
import { quotePath } from './paths.ts'
import { detectPictureKind, PICTURE_KINDS } from './picture-kinds.ts'

/** Maximum side length, and maximum area: decoding takes four bytes of a device's memory per pixel. */
const MAX_SIDE = 16_384
const MAX_PIXELS = 40_000_000

export interface InspectedPicture {
  content: Content
  /** `PNG, 800 × 600 pixels`. */
  description: string
}

const ENDINGS = [...PICTURE_KINDS.flatMap(({ endings }) => endings), 'svg']
export const KINDS_SENTENCE = 'Pictures are PNG, JPEG, GIF, WebP, AVIF or SVG.'

/** `path` is the destination. Throws ToolRefusal. */
export function inspectPicture(path: string, bytes: Buffer): InspectedPicture {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  if (!ENDINGS.includes(ending))
    throw new ToolRefusal(`The path ${quotePath(path)} does not end like a picture. ${KINDS_SENTENCE}`)
  if (bytes.length === 0) throw new ToolRefusal('Not placed: the file is empty.')
  if (bytes.subarray(0, 200).toString('latin1').startsWith('version https://git-lfs'))
    throw new ToolRefusal('Not placed: the file is kept in Git LFS, and only a pointer to it is here.')
  return ending === 'svg' ? inspectDrawing(bytes) : inspectRaster(path, ending, bytes)
}

function inspectDrawing(bytes: Buffer): InspectedPicture {
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge(bytes, MAX_FILE_BYTES)
  const kind = detectPictureKind(bytes)
  if (kind !== null) throw new ToolRefusal(`Not placed: its content is ${kind.name}, but the path says SVG.`)
  const text = readDrawing(bytes)
  const size = pictureSize(bytes)
  return {
    content: text,
    description: `SVG${size === null ? '' : `, ${Math.round(size.width)} × ${Math.round(size.height)}`}`,
  }
}

function inspectRaster(path: string, ending: string, bytes: Buffer): InspectedPicture {
  if (bytes.length > MAX_PICTURE_BYTES) throw tooLarge(bytes, MAX_PICTURE_BYTES)
  const kind = detectPictureKind(bytes)
  if (kind === null)
    throw new ToolRefusal(`Not placed: its content is not a picture of a supported kind. ${KINDS_SENTENCE}`)
  if (!kind.endings.includes(ending))
    throw new ToolRefusal(
      `Not placed: its content is ${kind.name}. Give a path that ends in .${kind.endings[0]} instead of ${quotePath(path)}.`,
    )
  if (kind.ends?.(bytes) === false)
    throw new ToolRefusal('Not placed: the picture is damaged: its end is missing.')
  const size = pictureSize(bytes)
  if (size === null || !(size.width > 0 && size.height > 0))
    throw new ToolRefusal(
      `Not placed: it begins like ${kind.name}, but does not say its size: it is damaged.`,
    )
  const { width, height } = size
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw new ToolRefusal(
      `Not placed: it has ${width} × ${height} pixels. Pictures have at most ${MAX_SIDE} a side, and ${MAX_PIXELS / 1e6} million together.`,
    )
  return { content: toPicture(bytes), description: `${kind.name}, ${width} × ${height} pixels` }
}

function tooLarge(bytes: Buffer, max: number): ToolRefusal {
  return new ToolRefusal(
    `Not placed: the picture has ${bytes.length} bytes, more than ${max}. Take a smaller one.`,
  )
}
