/** Selects the version for a reader: each revision has a public version, and one per set of groups. */
import { createAsyncCache } from '../../../base/async-cache.ts'
import type { ObjectStore } from '../../../objects/object-store.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { readManifest } from '../../../render/versions/site-versions.ts'
import type { Reader } from '../access/site-access.ts'

/** Returns the key of the manifest for a reader. Rejects with ObjectMissingError if the version is lost. */
export type ReaderVersions = (manifestKey: string, reader: Reader) => Promise<string>

type Audiences = Pick<SiteManifest, 'groups' | 'audiences'>

const MAX_CACHE_BYTES = 4 << 20

export function createReaderVersions(objects: ObjectStore): ReaderVersions {
  const audienceCache = createAsyncCache<Audiences>({
    maxSize: MAX_CACHE_BYTES,
    sizeOf: (audiences) => 200 + 2 * JSON.stringify(audiences).length,
  })
  return async (manifestKey, { groups }) => {
    if (groups !== 'all' && groups.length === 0) return manifestKey
    const of = await audienceCache.get(manifestKey, async () => {
      const { groups = [], audiences = [] } = await readManifest(objects, manifestKey)
      return { groups, audiences }
    })
    return selectVersion(of, groups) ?? manifestKey
  }
}

function selectVersion({ groups = [], audiences = [] }: Audiences, reader: Reader['groups']): string | null {
  const audience = reader === 'all' ? 'all' : groups.filter((group) => reader.includes(group)).join('\n')
  const found = audiences.find((one) => (one.groups === 'all' ? 'all' : one.groups.join('\n')) === audience)
  return found?.manifestKey ?? null
}
