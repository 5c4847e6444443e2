/**
 * The pictures of a hosted version that nobody has asked for yet. They are drawn at the first request, so that
 * publishing waits for none; this file of the version says what is on them.
 */
import { sha256Of } from '../../base/hash.ts'
import type { Thumbnail, ThumbnailLook } from './thumbnail.ts'

export const THUMBNAIL_LIST_FILE = '_octavo/thumbnails.json'

export interface ThumbnailList {
  look: ThumbnailLook
  /** Title and section by the digest in the name of the file. */
  texts: Record<string, readonly [string, string]>
}

/** Changes when the same data is drawn otherwise. */
const DRAWING = '1'
const NAME = /^_octavo\/thumbnail\.([0-9a-f]{16})\.png$/

export function thumbnailFile(thumbnail: Thumbnail): { digest: string; path: string } {
  const digest = sha256Of(DRAWING, JSON.stringify(thumbnail)).slice(0, 16)
  return { digest, path: `_octavo/thumbnail.${digest}.png` }
}

export function isThumbnailFile(path: string): boolean {
  return NAME.test(path)
}

/** What is on the picture with this name; null when the version has none of it. */
export function listedThumbnail({ look, texts }: ThumbnailList, path: string): Thumbnail | null {
  const digest = NAME.exec(path)?.[1] ?? ''
  const found = Object.hasOwn(texts, digest) ? texts[digest] : undefined
  return found ? { ...look, title: found[0], section: found[1] } : null
}
