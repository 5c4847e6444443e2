/** Link preview images, which are read from the store, or drawn and then stored. */
import { hashParts } from '../../base/hash.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import { putEntry, readEntry } from '../cache/entries.ts'
import { rendererVersion } from '../machinery/renderer-version.ts'
import { type Artist, openArtist } from './open-artist.ts'
import { LOGO_HEIGHT, LOGO_WIDTH, type Thumbnail } from './thumbnail.ts'
import type { DrawingTask } from './worker.ts'

export interface Thumbnails extends AsyncDisposable {
  picture(thumbnail: Thumbnail): Promise<Uint8Array | null>
  logo(content: Uint8Array, type: string): Promise<Uint8Array | null>
}

const LOGO_FRAME = `${LOGO_WIDTH}x${LOGO_HEIGHT}`

export function openThumbnails(cache: ObjectCache): Thumbnails {
  const artist = openArtist()
  return {
    picture: (thumbnail) =>
      drawCached(cache, artist, [JSON.stringify(thumbnail)], { kind: 'thumbnail', thumbnail }),
    logo: (content, type) =>
      drawCached(cache, artist, [LOGO_FRAME, type, content], { kind: 'logo', content, type }),
    [Symbol.asyncDispose]: () => artist[Symbol.asyncDispose](),
  }
}

/** Failures are not cached, because a later attempt may have more time and memory. */
async function drawCached(
  cache: ObjectCache,
  artist: Artist,
  parts: (string | Uint8Array)[],
  task: DrawingTask,
): Promise<Uint8Array | null> {
  const name = hashParts('thumbnail', rendererVersion(), task.kind, ...parts)
  const entry = await readEntry<{ png: string }>(cache, name)
  if (entry) return Buffer.from(entry.png, 'base64')
  const png = await artist.draw(task)
  if (png) await putEntry(cache, name, { png: Buffer.from(png).toString('base64') })
  return png
}
