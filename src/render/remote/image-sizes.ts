/** Width and height of a site's images, to avoid layout shifts while they load. */
import { imageSize } from 'image-size'
import { attributeValue } from '../html/addresses.ts'
import type { Attributes } from '../html/markup.ts'

export interface ImageSizes {
  /** Records the size of an asset if it is an image. */
  addAsset(asset: string, bytes: Uint8Array): void
  /** Records the size of a remote image, regardless of the file extension in its URL. */
  addRemote(url: string, bytes: Uint8Array): void
  /** Returns the known sizes of these images, in order. */
  findSizes(pictures: readonly string[]): (PictureSize | null)[]
  addSizes(sizes: Iterable<readonly [url: string, size: PictureSize]>): void
  /**
   * Adds the file's dimensions to the attributes of an `<img>` that has none, or its aspect ratio to one with a single
   * dimension.
   */
  withSize(picture: string, attributes: Attributes): Attributes
}

const IMAGES = /\.(png|jpe?g|gif|webp|avif|bmp|svg)$/i
/** Characters of an SVG file within which its first tag must end. */
const SVG_HEAD_CHARACTERS = 4096

export interface PictureSize {
  width: number
  height: number
  /** SVG with an aspect ratio but no size: it takes the available width. */
  isFluid: boolean
}

/** A utility class for one dimension would conflict with the attribute for the other and distort the image. */
const SIDE_CLASS = /(?:^|[\s:])(?:h|w|size)-/

export function createImageSizes(): ImageSizes {
  const sizes = new Map<string, PictureSize>()
  return {
    addAsset(asset, bytes) {
      if (!isImage(asset)) return
      const size = pictureSize(bytes)
      if (size) sizes.set(asset, size)
      else sizes.delete(asset)
    },
    addRemote(url, bytes) {
      const size = pictureSize(bytes)
      if (size) sizes.set(url, size)
    },
    findSizes: (pictures) => pictures.map((picture) => sizes.get(picture) ?? null),
    addSizes(all) {
      for (const [url, size] of all) sizes.set(url, size)
    },
    withSize(picture, attributes) {
      const size = sizes.get(picture)
      if (!size) return attributes
      if (hasSize(attributes)) return withShape(attributes, size)
      return size.isFluid
        ? ['data-fluid', null, ...withShape(attributes, size)]
        : ['width', String(size.width), 'height', String(size.height), ...attributes]
    },
  }
}

/** Decides by file name. */
export function isImage(asset: string): boolean {
  return IMAGES.test(asset)
}

function hasSize(attributes: Attributes): boolean {
  return (
    ['width', 'height', 'style'].some((name) => attributeValue(attributes, name) !== null) ||
    SIDE_CLASS.test(attributeValue(attributes, 'class') ?? '')
  )
}

/** Adds the aspect ratio, so that the browser can derive the missing dimension before the image loads. */
function withShape(attributes: Attributes, { width, height }: PictureSize): Attributes {
  const shape = `aspect-ratio:auto ${width}/${height}`
  const at = attributes.findIndex((name, index) => index % 2 === 0 && name === 'style')
  if (at === -1) return ['style', shape, ...attributes]
  const style = (attributes[at + 1] ?? '').replace(/;?\s?$/, '')
  return attributes.with(at + 1, `${style};${shape}`)
}

/** Returns null for a file that is damaged or not an image. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  const head = Buffer.from(bytes.subarray(0, SVG_HEAD_CHARACTERS)).toString()
  if (head.trimStart().startsWith('<')) return readSvgSize(head)
  try {
    const { width, height, orientation } = imageSize(bytes)
    const isTurned = orientation !== undefined && orientation >= 5
    return { ...(isTurned ? { width: height, height: width } : { width, height }), isFluid: false }
  } catch {
    return null
  }
}

/** Parses the first tag as browsers do: size in pixels, one dimension and the ratio, or the ratio only. */
function readSvgSize(head: string): PictureSize | null {
  const start = head.indexOf('<svg')
  const end = head.indexOf('>', start)
  if (start < 0 || end < 0) return null
  const attributeMap = new Map<string, string>()
  for (const [, name = '', value = ''] of head
    .slice(start, end)
    .matchAll(/\s(width|height|viewBox)="([^"]{0,100})"/g))
    attributeMap.set(name, value.trim())
  const [, , boxWidth = 0, boxHeight = 0] = (attributeMap.get('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const width = parsePixels(attributeMap.get('width'))
  const height = parsePixels(attributeMap.get('height'))
  if (width === null || height === null) return null
  if (width > 0 && height > 0) return { width: rounded(width), height: rounded(height), isFluid: false }
  if (!(boxWidth > 0 && boxHeight > 0)) return null
  const shape = boxWidth / boxHeight
  if (width > 0) return { width: rounded(width), height: rounded(width / shape), isFluid: false }
  if (height > 0) return { width: rounded(height * shape), height: rounded(height), isFluid: false }
  return { width: boxWidth, height: boxHeight, isFluid: true }
}

/** Returns 0 for the available width; null if the length cannot be known in advance. */
function parsePixels(side: string | undefined): number | null {
  if (side === undefined || side === '100%') return 0
  const [, number] = /^(\d{1,6}(?:\.\d{1,6})?)(?:px)?$/.exec(side) ?? []
  return number === undefined ? null : Number(number)
}

/** Attributes must be whole pixels. */
function rounded(side: number): number {
  return Math.max(1, Math.round(side))
}
