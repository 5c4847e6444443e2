/** Width and height of a site's images, so that a page does not move while they load. */
import { createRequire } from 'node:module'
import { editImages } from '../html/html-tags.ts'
import { absoluteUrl, isRemote } from './remote-addresses.ts'

export interface ImageSizes {
  /** Remembers the size of an asset when it is an image. */
  learn(asset: string, bytes: Uint8Array): void
  /** The same for a picture from another server, whatever its address looks like. */
  learnRemote(url: string, bytes: Uint8Array): void
  /** Paths that the images of a page name and whose sizes would be of use to it; they need not exist. */
  imagesIn(html: string): string[]
  /** The same for pictures of other servers: their whole addresses. */
  remoteIn(html: string): string[]
  /** What is known of them, in their order. */
  sizesOf(urls: readonly string[]): (PictureSize | null)[]
  learnSizes(sizes: Iterable<readonly [url: string, size: PictureSize]>): void
  /**
   * Gives every image without a size of its own the one of its file, one with a single side the shape of its file,
   * and lets those at the top of the page load at once. Sources are site paths.
   */
  apply(html: string): string
}

const IMAGES = /\.(png|jpe?g|gif|webp|avif|bmp|svg)$/i
/** Characters of a drawing within which its first tag ends. */
const DRAWING_HEAD = 4096

export interface PictureSize {
  width: number
  height: number
  /** A drawing that says its shape and no size: it is as wide as there is room. */
  isFluid: boolean
}

/** Of a pair one is never seen, and then never loaded. */
const ONE_MODE = /\sclass="[^"]*\bdark:/
/** Characters of a page that surely begin on the first screen. */
const TOP = 1500
// A utility class for one side would meet the attribute of the other and distort the picture.
const HAS_SIZE = /\s(?:width|height|style)=|\sclass="[^"]*(?<=["\s:])(?:h|w|size)-/

export function createImageSizes(): ImageSizes {
  const sizes = new Map<string, PictureSize>()
  const shownIn = (html: string, isWanted: (asset: string) => boolean) => {
    const assets: string[] = []
    editImages(html, (tag) => {
      const asset = isWhole(tag) ? null : shownAsset(tag)
      if (asset !== null && isWanted(asset)) assets.push(asset)
      return tag
    })
    return assets
  }
  return {
    learn(asset, bytes) {
      if (!IMAGES.test(asset)) return
      const size = pictureSize(bytes)
      if (size) sizes.set(asset, size)
      else sizes.delete(asset)
    },
    learnRemote(url, bytes) {
      const size = pictureSize(bytes)
      if (size) sizes.set(url, size)
    },
    imagesIn: (html) => shownIn(html, (asset) => IMAGES.test(asset) && !isRemote(asset)),
    remoteIn: (html) => shownIn(html, isRemote),
    sizesOf: (urls) => urls.map((url) => sizes.get(url) ?? null),
    learnSizes(all) {
      for (const [url, size] of all) sizes.set(url, size)
    },
    apply(body) {
      const html = withoutWaiting(body)
      if (sizes.size === 0) return html
      return editImages(html, (tag) => {
        const asset = isWhole(tag) ? null : shownAsset(tag)
        const size = asset === null ? undefined : sizes.get(asset)
        if (!size) return tag
        if (HAS_SIZE.test(tag)) return withShape(tag, size)
        return size.isFluid
          ? `<img data-fluid${withShape(tag, size).slice(4)}`
          : `<img width="${size.width}" height="${size.height}"${tag.slice(4)}`
      })
    },
  }
}

/** The author gave both sides, or a shape. */
function isWhole(tag: string): boolean {
  return (/\swidth=/.test(tag) && /\sheight=/.test(tag)) || /aspect-/.test(tag)
}

/** One side is the author's; the other one is known before the picture is there. */
function withShape(tag: string, { width, height }: PictureSize): string {
  const shape = `aspect-ratio:auto ${width}/${height}`
  const styled = tag.replace(
    /\sstyle="([^"]*)"/,
    (_, style: string) => ` style="${style.replace(/;?\s?$/, '')};${shape}"`,
  )
  return styled === tag ? `<img style="${shape}"${tag.slice(4)}` : styled
}

/** Pictures at the top of a page are seen at once: waiting to load them until they are near would only cost time. */
function withoutWaiting(html: string): string {
  const top = html.slice(0, TOP)
  return top.includes(' loading="lazy"')
    ? editImages(top, (tag) => (ONE_MODE.test(tag) ? tag : tag.replace(' loading="lazy"', ''))) +
        html.slice(TOP)
    : html
}

type Library = typeof import('image-size')
let library: Library | null = null

/** Null for a file that is not the image its name says, or is damaged. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  const head = Buffer.from(bytes.subarray(0, DRAWING_HEAD)).toString()
  if (head.trimStart().startsWith('<')) return sizeOfDrawing(head)
  try {
    // Loaded for the first picture that has to be measured.
    library ??= createRequire(import.meta.url)('image-size') as Library
    const { width, height, orientation } = library.imageSize(bytes)
    const isTurned = orientation !== undefined && orientation >= 5
    return { ...(isTurned ? { width: height, height: width } : { width, height }), isFluid: false }
  } catch {
    return null
  }
}

/** As browsers read the first tag: sizes in pixels, one side and the shape, or the shape alone. */
function sizeOfDrawing(head: string): PictureSize | null {
  const start = head.indexOf('<svg')
  const end = head.indexOf('>', start)
  if (start < 0 || end < 0) return null
  const given = new Map<string, string>()
  for (const [, name = '', value = ''] of head
    .slice(start, end)
    .matchAll(/\s(width|height|viewBox)="([^"]{0,100})"/g))
    given.set(name, value.trim())
  const [, , boxWidth = 0, boxHeight = 0] = (given.get('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const width = pixels(given.get('width'))
  const height = pixels(given.get('height'))
  if (width === null || height === null) return null
  if (width > 0 && height > 0) return { width: rounded(width), height: rounded(height), isFluid: false }
  if (!(boxWidth > 0 && boxHeight > 0)) return null
  const shape = boxWidth / boxHeight
  if (width > 0) return { width: rounded(width), height: rounded(width / shape), isFluid: false }
  if (height > 0) return { width: rounded(height * shape), height: rounded(height), isFluid: false }
  return { width: boxWidth, height: boxHeight, isFluid: true }
}

/** 0 for a side that is as wide as there is room; null for one that nobody knows beforehand. */
function pixels(side: string | undefined): number | null {
  if (side === undefined || side === '100%') return 0
  const [, number] = /^(\d{1,6}(?:\.\d{1,6})?)(?:px)?$/.exec(side) ?? []
  return number === undefined ? null : Number(number)
}

/** Attributes take whole pixels. */
function rounded(side: number): number {
  return Math.max(1, Math.round(side))
}

/** Path of an asset, or the address of a picture from elsewhere. */
function shownAsset(tag: string): string | null {
  const [, source, elsewhere] = /\ssrc="(?:\/(?!\/)([^"?#]*)|((?:https?:)?\/\/[^"]+))/i.exec(tag) ?? []
  if (elsewhere !== undefined) return absoluteUrl(elsewhere.replaceAll('&amp;', '&'))
  return source === undefined ? null : assetOf(source)
}

function assetOf(source: string): string {
  const text = source.replaceAll('&amp;', '&')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
