/** What the last build or check of a site has read of its files: those that have not changed are not read again. */
import { sha256Of } from '../base/hash.ts'
import type { ObjectCache } from '../objects/object-store.ts'
import type { EarlierSite } from '../site/load-site.ts'
import { packSite, unpackSite } from '../site/packed-site.ts'
import { rendererVersion } from './machinery/renderer-version.ts'
import { putPlain, readPlain } from './versions/cache-entries.ts'

export interface SiteMemory {
  last: EarlierSite | null
  keep(now: EarlierSite): Promise<void>
}

/** To read so many files once more costs less than to keep all anew. */
const FEW_FILES = 32

/** `place`: a key ending in `/`. */
export async function openSiteMemory(objects: ObjectCache, place = 'stamps/'): Promise<SiteMemory> {
  const key = `${place}${sha256Of(rendererVersion(), process.version, 'site')}.json`
  const last = unpackSite(await readPlain(objects, key))
  return {
    last,
    keep: async (now) => {
      if (last !== null && last.places === now.places && differences(last, now) <= FEW_FILES) return
      const packed = packSite(now)
      if (packed !== null) await putPlain(objects, key, packed)
    },
  }
}

function differences(last: EarlierSite, now: EarlierSite): number {
  let count = Math.abs(last.facts.size - now.facts.size)
  for (const [file, one] of now.facts) if (last.facts.get(file) !== one) count += 1
  return count
}
