/** Ensures that all files of a new site version are stored as listed in its manifest. */
import { mapBounded } from '../base/bounded.ts'
import type { CommitInfo } from '../base/files/file-tree.ts'
import type { Log } from '../base/log.ts'
import type { Slot } from '../base/slot.ts'
import { ObjectMissingError, type ObjectStore } from '../objects/object-store.ts'
import type { RenderedSite } from './build.ts'
import type { RenderProgress } from './plan/render-scope.ts'
import { blobKey, type ManifestFile, type SiteManifest } from './versions/manifest.ts'

export interface BuildWork {
  log: Log
  /** Held after the source step; released while the site waits for other servers. */
  slot: Slot
  /** Called with the revision before anything is built; a rejection aborts the build. */
  onRevision?: (revision: string, commit?: CommitInfo) => Promise<unknown>
  report(progress: RenderProgress): void
  /** Called once all files are stored; `pages` is the number of pages of the site. */
  onWhole?(pages: number): void
  signal: AbortSignal
  timed?<Result>(stage: 'source' | 'render' | 'store', step: () => Promise<Result>): Promise<Result>
}

export function getStageTimer({ timed = (_stage, step) => step() }: BuildWork): Required<BuildWork>['timed'] {
  return timed
}

export interface FilesCheck {
  /** Paths of files that are missing in the store, or that were damaged and therefore removed. */
  lost: string[]
}

/** Files up to this size are read in one piece, larger ones as streams. */
export const MAX_WHOLE_READ_BYTES = 1024 * 1024
const READ_CONCURRENCY = 16
/** Maximum number of builds; more are futile if the store loses files as fast as they are written. */
const MAX_BUILD_ATTEMPTS = 4

/**
 * Builds reuse files in the store without reading them; `look` then reads them all. If it finds missing files, the
 * next build creates them again. Rejects with the errors of `build` and `look`.
 */
export async function buildUntilComplete<Look extends FilesCheck>(
  log: Log,
  build: () => Promise<RenderedSite>,
  look: (manifest: SiteManifest) => Promise<Look>,
): Promise<RenderedSite & { look: Look }> {
  for (let builds = 1; ; builds++) {
    const rendered = await build()
    const found = await look(rendered.manifest)
    if (found.lost.length === 0) return { ...rendered, look: found }
    log.warn({ files: found.lost.length, first: found.lost[0], builds }, 'site.files_lost')
    if (builds === MAX_BUILD_ATTEMPTS)
      throw new Error(
        `${found.lost.length} files of the site are missing from the store after ${builds} builds`,
      )
  }
}

/** Reads every file once, except those whose digest is in `seen`; the store reports damaged files. */
export async function checkFiles(
  objects: ObjectStore,
  manifest: SiteManifest,
  seen: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<FilesCheck> {
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

/** Yields the gzip member that stores a file. Rejects with ObjectMissingError before the first byte. */
export async function* readPacked(objects: ObjectStore, file: ManifestFile): AsyncGenerator<Uint8Array> {
  const key = blobKey(file.sha256)
  if (file.sizeBytes <= MAX_WHOLE_READ_BYTES) yield await objects.read(key)
  else yield* (await objects.get(key)) as AsyncIterable<Uint8Array>
}
