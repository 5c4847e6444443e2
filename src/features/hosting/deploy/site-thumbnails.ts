/** Preview images for links to hosted pages, rendered at the first request and stored. */
import { type AsyncCache, createAsyncCache } from '../../../base/async-cache.ts'
import { openObjectCache } from '../../../objects/object-cache.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import { openThumbnails } from '../../../render/thumbnail/cached-thumbnails.ts'
import {
  findListedThumbnail,
  isThumbnailFile,
  THUMBNAIL_LIST_FILE,
  type ThumbnailList,
} from '../../../render/thumbnail/thumbnail-list.ts'
import { unpackMember } from '../../../render/versions/blobs.ts'
import { blobKey, type SiteManifest } from '../../../render/versions/manifest.ts'

export interface SiteImages {
  /** Returns true if the path may be a generated preview image, which is not one of the version's files. */
  has(manifest: SiteManifest, path: string): boolean
  /** Returns a PNG file, null if there is no image, or `busy` if too many requests are waiting. */
  find(manifest: SiteManifest, path: string): Promise<Uint8Array | 'busy' | null>
}

const MAX_LIST_CACHE_BYTES = 16 << 20
const MAX_PICTURE_CACHE_BYTES = 16 << 20
/** Further requests get `busy`, because each image takes several hundredths of a second on one thread. */
const MAX_WAITING = 30

export function createSiteImages(objects: ObjectStore): SiteImages {
  const drawings = openThumbnails(openObjectCache(objects, 'thumbnails'))
  const lists = createAsyncCache<{ list: ThumbnailList; bytes: number }>({
    maxSize: MAX_LIST_CACHE_BYTES,
    sizeOf: ({ bytes }) => 2 * bytes,
  })
  const pictures = createAsyncCache<Uint8Array | null>({
    maxSize: MAX_PICTURE_CACHE_BYTES,
    sizeOf: (png) => png?.byteLength ?? 1,
  })
  let waiting = 0
  return {
    has: ({ files }, path) => isThumbnailFile(path) && Object.hasOwn(files, THUMBNAIL_LIST_FILE),
    async find(manifest, path) {
      const thumbnail = findListedThumbnail(await loadThumbnailList(objects, lists, manifest), path)
      if (thumbnail === null) return null
      const cached = pictures.peek(path)
      if (cached !== undefined) return cached
      if (waiting >= MAX_WAITING) return 'busy'
      waiting++
      try {
        return await pictures.get(path, () => drawings.picture(thumbnail))
      } finally {
        waiting--
      }
    },
  }
}

async function loadThumbnailList(
  objects: Pick<ObjectStore, 'read'>,
  lists: AsyncCache<{ list: ThumbnailList; bytes: number }>,
  { files }: SiteManifest,
): Promise<ThumbnailList> {
  const { sha256 } = files[THUMBNAIL_LIST_FILE] as SiteManifest['files'][string]
  const { list } = await lists.get(sha256, async () => {
    const content = await unpackMember(await objects.read(blobKey(sha256)))
    return { list: JSON.parse(Buffer.from(content).toString()) as ThumbnailList, bytes: content.byteLength }
  })
  return list
}
