/**
 * Images of a hosted version that have not been requested so far. They are drawn on the first request, so that they
 * do not delay publishing; this file of the version lists their contents.
 */
import { hashParts } from '../../base/hash.ts'
import type { Thumbnail, ThumbnailLook } from './thumbnail.ts'

export const THUMBNAIL_LIST_FILE = '_octavo/thumbnails.json'

export interface ThumbnailList {
  look: ThumbnailLook
  /** Title and section, by the digest in the file name. */
  texts: Record<string, readonly [string, string]>
}

/** Change this if the same data is drawn differently. */
const DRAWING_VERSION = '1'
const NAME = /^_octavo\/thumbnail\.([0-9a-f]{16})\.png$/

export function thumbnailFile(thumbnail: Thumbnail): { digest: string; path: string } {
  const digest = hashParts(DRAWING_VERSION, JSON.stringify(thumbnail)).slice(0, 16)
  return { digest, path: `_octavo/thumbnail.${digest}.png` }
}

export function isThumbnailFile(path: string): boolean {
  return NAME.test(path)
}

/** Returns the content of the image with this path; null if the version does not list it. */
export function listedThumbnail({ look, texts }: ThumbnailList, path: string): Thumbnail | null {
  const digest = NAME.exec(path)?.[1] ?? ''
  const found = Object.hasOwn(texts, digest) ? texts[digest] : undefined
  return found ? { ...look, title: found[0], section: found[1] } : null
}
