/** Caches the pages of published versions. */
import { createAsyncCache } from '../../base/async-cache.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { readBlob } from '../../render/versions/blobs.ts'
import { estimateManifestBytes, type SiteManifest } from '../../render/versions/manifest.ts'
import { readManifest } from '../../render/versions/site-versions.ts'
import { openSiteDocs, type SiteDocs } from './site-docs.ts'
import type { SiteFileReader } from './site-files.ts'

export interface PublishedDocs {
  /** Returns null for versions built before page lists existed. Rejects with ObjectMissingError. */
  of(manifestKey: string): Promise<SiteDocs | null>
}

const MAX_CACHE_BYTES = 64 << 20
const MISSING_DOCS_CACHE_BYTES = 100

export function createPublishedDocs(objects: ObjectStore): PublishedDocs {
  const versions = createAsyncCache<{ docs: SiteDocs | null; bytes: number }>({
    maxSize: MAX_CACHE_BYTES,
    sizeOf: ({ bytes }) => bytes,
  })
  return {
    async of(manifestKey) {
      const { docs } = await versions.get(manifestKey, async () => {
        const manifest = await readManifest(objects, manifestKey)
        const docs = await openSiteDocs(manifestFiles(objects, manifest))
        return {
          docs,
          bytes: docs === null ? MISSING_DOCS_CACHE_BYTES : docs.bytes + estimateManifestBytes(manifest),
        }
      })
      return docs
    },
  }
}

export function manifestFiles(
  objects: Pick<ObjectStore, 'read'>,
  { files }: Pick<SiteManifest, 'files'>,
): SiteFileReader {
  return {
    names: Object.keys(files),
    async read(name, maxBytes) {
      const file = Object.hasOwn(files, name) ? files[name] : undefined
      return file === undefined || file.sizeBytes > maxBytes ? null : readBlob(objects, file.sha256)
    },
  }
}
