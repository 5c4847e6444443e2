/** What the page of a review shows, put together from the review: diffs of its files, addresses of its pages. */
import { setImmediate as breathe } from 'node:timers/promises'
import type { OpenReview } from '../../../agent/review.ts'
import type { AgentReview, ReviewedFile } from '../../../contract/agent.ts'
import type { SiteManifest } from '../../../render/manifest.ts'
import { diffFile, type FileDiff } from './diff-file.ts'

export interface ReviewView {
  review: AgentReview
  projectId: string
  /** Address of the API, without a slash at the end. */
  publicUrl: string
  files: readonly ChangedFile[]
  previews: readonly PreviewedPage[]
}

export interface ChangedFile {
  file: ReviewedFile
  diff: FileDiff
}

export interface PreviewedPage {
  path: string
  /** Addresses of the rendered pages; null where there is none. */
  before: string | null
  after: string | null
}

export type PreviewSide = 'before' | 'after'

/** `previewPath` is where the rendered pages are, without a slash at the end. */
export async function buildReviewView(
  { review, projectId, manifests }: OpenReview,
  publicUrl: string,
  previewPath: string,
): Promise<ReviewView> {
  const files: ChangedFile[] = []
  for (const file of review.files) {
    files.push({ file, diff: diffFile(file.before, file.after) })
    await breathe() // Comparing takes its time, and others are waiting.
  }
  const previews = review.files.flatMap(({ path, route }): PreviewedPage[] => {
    if (route === null) return []
    const address = (side: PreviewSide) => pageAddress(manifests[side], route, `${previewPath}/${side}`)
    const page = { path, before: address('before'), after: address('after') }
    return page.before === null && page.after === null ? [] : [page]
  })
  return { review, projectId, publicUrl, files, previews }
}

function pageAddress(manifest: SiteManifest | null, route: string, folder: string): string | null {
  const name = route === '/' ? 'index.html' : `${route.slice(1)}.html`
  if (manifest === null || !Object.hasOwn(manifest.files, name)) return null
  return `${folder}/${name.split('/').map(encodeURIComponent).join('/')}`
}
