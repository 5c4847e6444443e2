/** What the last build or check of a site has read of its files: those that have not changed are not read again. */
import type { FileTree } from '../base/file-tree.ts'
import { sha256Of } from '../base/hash.ts'
import type { ObjectCache } from '../objects/object-store.ts'
import { type EarlierSite, type LoadedSite, type LoadOptions, loadAfter } from '../site/load-site.ts'
import { packSite, unpackSite } from '../site/packed-site.ts'
import { siteImage, siteOfImage } from '../site/site-image.ts'
import { loadOn } from '../site/site-loader.ts'
import { rendererVersion } from './machinery/renderer-version.ts'
import { putBytes, putPlain, readBytes, readPlain } from './versions/cache-entries.ts'

export interface SiteMemory {
  /** The file had this content. */
  knows(path: string, digest: string): boolean
  load(tree: FileTree, options: LoadOptions): Promise<LoadedSite>
  keep(now: LoadedSite): Promise<void>
  /** The image of it is as good for the next build as one of this site would be. */
  isAlmost(now: LoadedSite): boolean
}

/** To read so many files once more costs less than to keep all anew. */
const FEW_FILES = 32

/** `place`: a key ending in `/`. */
export async function openSiteMemory(objects: ObjectCache, place = 'stamps/'): Promise<SiteMemory> {
  const key = `${place}${nameOf('site')}.json`
  const last = unpackSite(await readPlain(objects, key))
  return {
    knows: (path, digest) => last?.facts.get(path)?.digest === digest,
    load: (tree, options) => loadAfter(tree, last, options),
    keep: async (now) => {
      if (last !== null && last.places === now.places && differences(last, now) <= FEW_FILES) return
      const packed = packSite(now)
      if (packed !== null) await putPlain(objects, key, packed)
    },
    isAlmost: () => false,
  }
}

/** In its place: the whole site, of which somebody knows that it is what was kept. */
export function openSiteImage(image: Uint8Array): SiteMemory {
  const last = siteOfImage(image)
  return {
    knows: (path, digest) => last.facts.get(path)?.digest === digest,
    load: (tree, options) => loadOn(last, tree, options),
    keep: async () => {},
    isAlmost: (now) => now.site.pages === last.site.pages && differences(last, now) <= FEW_FILES,
  }
}

/** Of a hosted site, where nobody else writes: the whole site, unless what other servers say is in it. */
export async function openHostedMemory(
  objects: ObjectCache,
  place: string,
  hasAsked: () => boolean,
): Promise<SiteMemory> {
  const key = `${place}${nameOf('image')}.bin`
  const image = await readBytes(objects, key)
  const memory = image === null ? await openSiteMemory(objects, place) : openSiteImage(image)
  return {
    ...memory,
    keep: async (now) => {
      if (memory.isAlmost(now)) return
      const made = hasAsked() ? null : siteImage(now)
      if (made === null) await memory.keep(now)
      else await putBytes(objects, key, made)
    },
  }
}

function nameOf(what: string): string {
  return sha256Of(rendererVersion(), process.version, what)
}

function differences(last: EarlierSite, now: EarlierSite): number {
  let count = Math.abs(last.facts.size - now.facts.size)
  for (const [file, one] of now.facts) if (last.facts.get(file) !== one) count += 1
  return count
}
