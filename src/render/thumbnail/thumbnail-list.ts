/**
 * List of the link preview images of a hosted version, stored as a file of the version. Each image is drawn
 * on its first request, so that drawing does not delay publishing.
 */
import { hashParts } from '../../base/hash.ts'
import type { Thumbnail, ThumbnailLook } from './thumbnail.ts'

export const THUMBNAIL_LIST_FILE = '_octavo/thumbnails.json'

export interface ThumbnailList {
  look: ThumbnailLook
  /** Title and section, by the digest in the file name. */
  texts: Record<string, readonly [string, string]>
}

/** Must be changed when the same data is drawn differently. */
const DRAWING_VERSION = '1'
const NAME = /^_octavo\/thumbnail\.([0-9a-f]{16})\.png$/

export function thumbnailFile(thumbnail: Thumbnail): { digest: string; path: string } {
  const digest = hashParts(DRAWING_VERSION, JSON.stringify(thumbnail)).slice(0, 16)
  return { digest, path: `_octavo/thumbnail.${digest}.png` }
}

export function isThumbnailFile(path: string): boolean {
  return NAME.test(path)
}

export function findListedThumbnail({ look, texts }: ThumbnailList, path: string): Thumbnail | null {
  const digest = NAME.exec(path)?.[1] ?? ''
  const found = Object.hasOwn(texts, digest) ? texts[digest] : undefined
  return found ? { ...look, title: found[0], section: found[1] } : null
}
