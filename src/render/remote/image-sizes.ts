/** Determines the sizes of images, to avoid layout shifts while they load. */
import { imageSize } from 'image-size'
import { attributeValue } from '../html/addresses.ts'
import type { Attributes } from '../html/markup.ts'

export interface ImageSizes {
  /** Stores the size of an asset if it is an image. */
  addAsset(asset: string, bytes: Uint8Array): void
  /** Stores the size of a remote image, whose URL may have no file extension. */
  addRemote(url: string, bytes: Uint8Array): void
  /** Returns sizes in the order of `pictures`, with null for unknown sizes. */
  findSizes(pictures: readonly string[]): (ImageSize | null)[]
  addSizes(sizes: Iterable<readonly [url: string, size: ImageSize]>): void
  /** Adds the size to an `<img>` without one, or the aspect ratio to an `<img>` with a single dimension. */
  withSize(picture: string, attributes: Attributes): Attributes
}

const IMAGE_EXTENSION = /\.(png|jpe?g|gif|webp|avif|bmp|svg)$/i
/** Maximum number of characters before the end of an SVG's first tag. */
const SVG_HEAD_CHARACTERS = 4096

export interface ImageSize {
  width: number
  height: number
  /** Whether an SVG has an aspect ratio but no size, and takes the available width. */
  isFluid: boolean
}

/**
 * Matches a utility class that sets one dimension. A size attribute for the other dimension would distort the image.
 */
const SIZE_CLASS = /(?:^|[\s:])(?:h|w|size)-/

export function createImageSizes(): ImageSizes {
  const sizes = new Map<string, ImageSize>()
  return {
    addAsset(asset, bytes) {
      if (!isImage(asset)) return
      const size = findImageSize(bytes)
      if (size) sizes.set(asset, size)
      else sizes.delete(asset)
    },
    addRemote(url, bytes) {
      const size = findImageSize(bytes)
      if (size) sizes.set(url, size)
    },
    findSizes: (pictures) => pictures.map((picture) => sizes.get(picture) ?? null),
    addSizes(all) {
      for (const [url, size] of all) sizes.set(url, size)
    },
    withSize(picture, attributes) {
      const size = sizes.get(picture)
      if (!size) return attributes
      if (hasSize(attributes)) return addAspectRatio(attributes, size)
      return size.isFluid
        ? ['data-fluid', null, ...addAspectRatio(attributes, size)]
        : ['width', String(size.width), 'height', String(size.height), ...attributes]
    },
  }
}

/** Checks the file extension. */
export function isImage(asset: string): boolean {
  return IMAGE_EXTENSION.test(asset)
}

function hasSize(attributes: Attributes): boolean {
  return (
    ['width', 'height', 'style'].some((name) => attributeValue(attributes, name) !== null) ||
    SIZE_CLASS.test(attributeValue(attributes, 'class') ?? '')
  )
}

/** Adds the aspect ratio, from which browsers derive the missing dimension before the image has loaded. */
function addAspectRatio(attributes: Attributes, { width, height }: ImageSize): Attributes {
  const shape = `aspect-ratio:auto ${width}/${height}`
  const at = attributes.findIndex((name, index) => index % 2 === 0 && name === 'style')
  if (at === -1) return ['style', shape, ...attributes]
  const style = (attributes[at + 1] ?? '').replace(/;?\s?$/, '')
  return attributes.with(at + 1, `${style};${shape}`)
}

/** Returns null if the file is damaged or not an image. */
export function findImageSize(bytes: Uint8Array): ImageSize | null {
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

/**
 * Reads the first tag as browsers do. It may define both dimensions, one dimension and the ratio, or only the ratio.
 */
function readSvgSize(head: string): ImageSize | null {
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

/** Returns 0 if the side fills the available width (missing or `100%`), and null if its length is unknown. */
function parsePixels(side: string | undefined): number | null {
  if (side === undefined || side === '100%') return 0
  const [, number] = /^(\d{1,6}(?:\.\d{1,6})?)(?:px)?$/.exec(side) ?? []
  return number === undefined ? null : Number(number)
}

/** Rounds to whole pixels, as required for attributes. */
function rounded(side: number): number {
  return Math.max(1, Math.round(side))
}
