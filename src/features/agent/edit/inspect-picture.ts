/**
 * Validates an image from another site or repository before it becomes part of the docs: checks its size, and its type
 * as detected from the content.
 */
import { findImageSize } from '../../../render/remote/image-sizes.ts'
import { readSafeSvg } from '../check/drawing-rules.ts'
import { plural } from '../loop/result-text.ts'
import { type ToolContext, ToolRefusal } from '../loop/tool.ts'
import type { PlacedImage } from '../loop/tool-process.ts'
import { type Content, contentBytes, MAX_PICTURE_BYTES, toImage } from '../review/change-content.ts'
import { MAX_FILE_BYTES, writeImage, writeText } from './change-files.ts'
import { findExisting, normalizePath, quotePath } from './paths.ts'
import { detectImageKind, PICTURE_KINDS } from './picture-kinds.ts'

/** Maximum side length, and maximum area, because decoding takes four bytes of memory per pixel on a device. */
const MAX_SIDE = 16_384
const MAX_PIXELS = 40_000_000

export interface InspectedImage {
  content: Content
  /** `PNG, 800 × 600 pixels`. */
  description: string
}

const ENDINGS = [...PICTURE_KINDS.flatMap(({ endings }) => endings), 'svg']
const KINDS_SENTENCE = 'Supported formats are PNG, JPEG, GIF, WebP, AVIF and SVG.'

/** `path` is the destination. Throws ToolRefusal. */
export function inspectImage(path: string, bytes: Buffer): InspectedImage {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  if (!ENDINGS.includes(ending))
    throw new ToolRefusal(
      `The path ${quotePath(path)} does not have the extension of a picture. ${KINDS_SENTENCE}`,
    )
  if (bytes.length === 0) throw new ToolRefusal('Not added: the file is empty.')
  if (bytes.subarray(0, 200).toString('latin1').startsWith('version https://git-lfs'))
    throw new ToolRefusal('Not added: the file is stored in Git LFS, and only its pointer is available.')
  return ending === 'svg' ? inspectSvg(bytes) : inspectRaster(path, ending, bytes)
}

function inspectSvg(bytes: Buffer): InspectedImage {
  if (bytes.length > MAX_FILE_BYTES) throw tooLarge(bytes, MAX_FILE_BYTES)
  const kind = detectImageKind(bytes)
  if (kind !== null)
    throw new ToolRefusal(`Not added: its content is ${kind.name}, but the path ends in .svg.`)
  const text = readSafeSvg(bytes)
  const size = findImageSize(bytes)
  return {
    content: text,
    description: `SVG${size === null ? '' : `, ${Math.round(size.width)} × ${Math.round(size.height)}`}`,
  }
}

function inspectRaster(path: string, ending: string, bytes: Buffer): InspectedImage {
  if (bytes.length > MAX_PICTURE_BYTES) throw tooLarge(bytes, MAX_PICTURE_BYTES)
  const kind = detectImageKind(bytes)
  if (kind === null)
    throw new ToolRefusal(`Not added: its content is not a picture in a supported format. ${KINDS_SENTENCE}`)
  if (!kind.endings.includes(ending))
    throw new ToolRefusal(
      `Not added: its content is ${kind.name}. Use a path that ends in .${kind.endings[0]} instead of ${quotePath(path)}.`,
    )
  if (kind.ends?.(bytes) === false) throw new ToolRefusal('Not added: the picture is incomplete.')
  const size = findImageSize(bytes)
  if (size === null || !(size.width > 0 && size.height > 0))
    throw new ToolRefusal(`Not added: the picture is damaged. It begins like ${kind.name}, but has no size.`)
  const { width, height } = size
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw new ToolRefusal(
      `Not added: it has ${width} × ${height} pixels. Pictures can have at most ${MAX_SIDE} pixels per side, and ${MAX_PIXELS / 1e6} million in total.`,
    )
  return { content: toImage(bytes), description: `${kind.name}, ${width} × ${height} pixels` }
}

function tooLarge(bytes: Buffer, max: number): ToolRefusal {
  return new ToolRefusal(
    `Not added: the picture has ${bytes.length} bytes, more than ${max}. Use a smaller one.`,
  )
}

/** Validates a picture and writes it as a file: the last step of place_picture. Throws ToolRefusal. */
export async function storeImage(
  context: ToolContext,
  { path, picture, source }: PlacedImage,
): Promise<string> {
  const { tree } = context.workspace
  const normal = normalizePath(path)
  const file = findExisting(tree, normal) ?? normal
  const isNew = !tree.files.has(file)
  const { content, description } = inspectImage(file, contentBytes(picture))
  if (typeof content === 'string') await writeText(context, file, content)
  else await writeImage(context, file, content)
  const done = isNew ? `Added ${quotePath(file)}` : `Replaced ${quotePath(file)}`
  const size = tree.files.get(file)?.sizeBytes ?? 0
  return `${done}: ${description}, ${plural(size, 'byte')}, from ${source}. You cannot see it: use the context of its source. Show it in a page with its path from the root, ![description](/${encodeURI(file)}), and describe it for readers who cannot see it. The check requires this.`
}
