/** Sees to it that every file of a new site version is in the store as its manifest says. */
import { mapBounded } from '../base/bounded.ts'
import type { CommitSays } from '../base/files/file-tree.ts'
import type { Log } from '../base/log.ts'
import type { Slot } from '../base/slot.ts'
import { ObjectMissingError, type ObjectStore } from '../objects/object-store.ts'
import type { RenderedSite } from './build.ts'
import type { RenderProgress } from './plan/render-scope.ts'
import { blobKey, type ManifestFile, type SiteManifest } from './versions/manifest.ts'

/** Who has a site built, and how it is followed. */
export interface BuildWork {
  log: Log
  /** Held from the source on; while the site waits for other servers it may be another's. */
  slot: Slot
  /** Told the revision before anything is made of it; a rejection ends the work. */
  onRevision?: (revision: string, commit?: CommitSays) => Promise<unknown>
  report(progress: RenderProgress): void
  /** Told when all files of so many pages are in the store and whole. */
  onWhole?(pages: number): void
  signal: AbortSignal
  /** Does that step, and tells how long it took. */
  timed?<Result>(stage: 'source' | 'render' | 'store', step: () => Promise<Result>): Promise<Result>
}

/** The clock of the work, or none. */
export function clockOf({ timed = (_stage, step) => step() }: BuildWork): Required<BuildWork>['timed'] {
  return timed
}

/** What a look at all files of a version has found. */
export interface FilesLook {
  /** Paths of files that are not in the store, or were damaged and are not there any more. */
  lost: string[]
}

/** Files up to this size are read whole, larger ones as streams. */
export const READ_WHOLE_BYTES = 1024 * 1024
const READ_CONCURRENCY = 16
/** A store that loses files as fast as they are made is not worth more. */
const MOST_BUILDS = 4

/**
 * A build takes files that are in the store already as they are; `look` reads them all. What it misses, the next build
 * makes anew. Rejects with what `build` and `look` reject with.
 */
export async function buildWhole<Look extends FilesLook>(
  log: Log,
  build: () => Promise<RenderedSite>,
  look: (manifest: SiteManifest) => Promise<Look>,
): Promise<RenderedSite & { look: Look }> {
  for (let builds = 1; ; builds++) {
    const rendered = await build()
    const found = await look(rendered.manifest)
    if (found.lost.length === 0) return { ...rendered, look: found }
    log.warn({ files: found.lost.length, first: found.lost[0], builds }, 'site.files_lost')
    if (builds === MOST_BUILDS)
      throw new Error(`${found.lost.length} files of the site are not in the store after ${builds} builds`)
  }
}

/** Reads every file once but those that were `seen`, by digest; the store says what is not whole. */
export async function lookAtFiles(
  objects: ObjectStore,
  manifest: SiteManifest,
  seen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<FilesLook> {
  const lost: string[] = []
  const files = Object.entries(manifest.files).filter(([, { sha256 }]) => !seen.has(sha256))
  await mapBounded(files, READ_CONCURRENCY, async ([path, file]) => {
    signal.throwIfAborted()
    try {
      for await (const _chunk of readPacked(objects, file));
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error
      lost.push(path)
    }
  })
  return { lost }
}

/** The gzip member that a file is kept as. Rejects with ObjectMissingError before the first byte. */
export async function* readPacked(objects: ObjectStore, file: ManifestFile): AsyncGenerator<Uint8Array> {
  const key = blobKey(file.sha256)
  if (file.sizeBytes <= READ_WHOLE_BYTES) yield await objects.read(key)
  else yield* (await objects.get(key)) as AsyncIterable<Uint8Array>
}
