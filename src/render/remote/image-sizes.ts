/** Width and height of a site's images, so that a page does not move while they load. */
import { imageSize } from 'image-size'
import { editImages } from '../html/html-tags.ts'
import { absoluteUrl, isRemote } from './remote-addresses.ts'

export interface ImageSizes {
  /** Remembers the size of an asset when it is an image with pixels. */
  learn(asset: string, bytes: Uint8Array): void
  /** The same for a picture from another server, whatever its address looks like. */
  learnRemote(url: string, bytes: Uint8Array): void
  /** Paths that the images of a page name and whose sizes would be of use to it; they need not exist. */
  imagesIn(html: string): string[]
  /**
   * Gives every image without a size of its own the one of its file, one with a single side the shape of its file,
   * and lets those at the top of the page load at once. Sources are site paths.
   */
  apply(html: string): string
}

/** An SVG has no pixels: what it declares is a hint, and its author's layout may rely on there being none. */
const PIXELS = /\.(png|jpe?g|gif|webp|avif|bmp)$/i
/** Of a pair one is never seen, and then never loaded. */
const ONE_MODE = /\sclass="[^"]*\bdark:/
/** Characters of a page that surely begin on the first screen. */
const TOP = 1500
// A utility class for one side would meet the attribute of the other and distort the picture.
const HAS_SIZE = /\s(?:width|height|style)=|\sclass="[^"]*(?<=["\s:])(?:h|w|size)-/

export function createImageSizes(): ImageSizes {
  const sizes = new Map<string, { width: number; height: number }>()
  return {
    learn(asset, bytes) {
      if (!PIXELS.test(asset)) return
      const size = sizeOf(bytes)
      if (size) sizes.set(asset, size)
      else sizes.delete(asset)
    },
    learnRemote(url, bytes) {
      const size = sizeOf(bytes)
      if (size && !size.isDrawing) sizes.set(url, size)
    },
    imagesIn(html) {
      const assets: string[] = []
      editImages(html, (tag) => {
        const asset = isWhole(tag) ? null : shownAsset(tag)
        if (asset !== null && PIXELS.test(asset) && !isRemote(asset)) assets.push(asset)
        return tag
      })
      return assets
    },
    apply(body) {
      const html = withoutWaiting(body)
      if (sizes.size === 0) return html
      return editImages(html, (tag) => {
        const asset = isWhole(tag) ? null : shownAsset(tag)
        const size = asset === null ? undefined : sizes.get(asset)
        if (!size) return tag
        return HAS_SIZE.test(tag)
          ? withShape(tag, size)
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
function withShape(tag: string, { width, height }: { width: number; height: number }): string {
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

/** Null for a file that is not the image its name says, or is damaged. */
function sizeOf(bytes: Uint8Array): { width: number; height: number; isDrawing: boolean } | null {
  try {
    const { width, height, orientation, type } = imageSize(bytes)
    const isTurned = orientation !== undefined && orientation >= 5
    const isDrawing = type === 'svg'
    return isTurned ? { width: height, height: width, isDrawing } : { width, height, isDrawing }
  } catch {
    return null
  }
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
