/** Access to the rendered pages of a change by a token that grants access to nothing else. */
import { ObjectMissingError, type ObjectStore } from '../../../objects/object-store.ts'
import type { SiteManifest } from '../../../render/versions/manifest.ts'
import { readManifest } from '../../../render/versions/site-versions.ts'
import type { JobRow } from '../store.ts'
import { type LinkedJob, linkToken } from './review-token.ts'

export interface PreviewedPage {
  path: string
  /** URLs of the rendered pages; null for a side without the page. */
  before: string | null
  after: string | null
}

export type PreviewSide = 'before' | 'after'
export type PreviewManifests = Record<PreviewSide, SiteManifest | null>

/** Without a trailing slash. */
export function previewPath(secret: string, job: LinkedJob): string {
  return `/reviews/${job.id}/${linkToken(secret, 'review preview', job)}`
}

/** Returns the changed pages that were rendered on at least one side. `path` is the base path of both sides. */
export function listPreviewedPages(
  files: readonly { path: string; route: string | null }[],
  manifests: PreviewManifests,
  path: string,
): PreviewedPage[] {
  return files.flatMap(({ path: file, route }): PreviewedPage[] => {
    if (route === null) return []
    const address = (side: PreviewSide) => pageAddress(manifests[side], route, `${path}/${side}`)
    const page = { path: file, before: address('before'), after: address('after') }
    return page.before === null && page.after === null ? [] : [page]
  })
}

/** A side whose manifest is no longer in the store has no rendered pages. */
export async function readManifests(
  objects: ObjectStore,
  job: Pick<JobRow, 'before_manifest' | 'after_manifest'>,
): Promise<PreviewManifests> {
  const [before, after] = await Promise.all(
    [job.before_manifest, job.after_manifest].map((key) => readStoredManifest(objects, key)),
  )
  return { before: before ?? null, after: after ?? null }
}

async function readStoredManifest(objects: ObjectStore, key: string | null): Promise<SiteManifest | null> {
  if (key === null) return null
  try {
    return await readManifest(objects, key)
  } catch (error) {
    if (error instanceof ObjectMissingError) return null
    throw error
  }
}

function pageAddress(manifest: SiteManifest | null, route: string, folder: string): string | null {
  const name = route === '/' ? 'index.html' : `${route.slice(1)}.html`
  if (manifest === null || !Object.hasOwn(manifest.files, name)) return null
  return `${folder}/${name.split('/').map(encodeURIComponent).join('/')}`
}
