/** Pictures of links: from the store when they were drawn before, else drawn and stored. */
import { sha256Of } from '../../base/hash.ts'
import type { ObjectCache } from '../../objects/object-store.ts'
import { rendererVersion } from '../machinery/renderer-version.ts'
import { putEntry, readEntry } from '../versions/cache-entries.ts'
import { type Artist, openArtist } from './open-artist.ts'
import { LOGO_HEIGHT, LOGO_WIDTH, type Thumbnail } from './thumbnail.ts'
import type { DrawingTask } from './worker.ts'

export interface Thumbnails extends AsyncDisposable {
  /** A PNG file; null when it cannot be drawn. */
  picture(thumbnail: Thumbnail): Promise<Uint8Array | null>
  /** A logo in the frame that pictures have for it; null when it cannot be drawn. */
  logo(content: Uint8Array, type: string): Promise<Uint8Array | null>
}

const FRAME = `${LOGO_WIDTH}x${LOGO_HEIGHT}`

export function openThumbnails(objects: ObjectCache): Thumbnails {
  const artist = openArtist()
  return {
    picture: (thumbnail) =>
      kept(objects, artist, [JSON.stringify(thumbnail)], { kind: 'thumbnail', thumbnail }),
    logo: (content, type) => kept(objects, artist, [FRAME, type, content], { kind: 'logo', content, type }),
    [Symbol.asyncDispose]: () => artist[Symbol.asyncDispose](),
  }
}

/** What cannot be drawn is not kept: the next time there may be more time and memory. */
async function kept(
  objects: ObjectCache,
  artist: Artist,
  parts: (string | Uint8Array)[],
  task: DrawingTask,
): Promise<Uint8Array | null> {
  const key = `thumbnails/${sha256Of(rendererVersion(), task.kind, ...parts)}.json.zst`
  const entry = await readEntry<{ png: string }>(objects, key)
  if (entry) return Buffer.from(entry.png, 'base64')
  const png = await artist.draw(task)
  if (png) await putEntry(objects, key, { png: Buffer.from(png).toString('base64') })
  return png
}
