/** View model of the review page: diffs of the changed files, and URLs of the rendered pages. */
import { setImmediate as breathe } from 'node:timers/promises'
import { diffFile, type FileDiff } from '../../../base/files/diff-file.ts'
import type { AgentReview } from '../operations/agent.ts'
import type { ReviewedFile } from '../operations/agent-review.ts'
import type { OpenReview } from '../review/review.ts'
import { listPreviewedPages, type PreviewedPage } from '../review/review-previews.ts'

export interface ReviewView {
  review: AgentReview
  projectId: string
  /** Base URL of the API without a trailing slash. */
  publicUrl: string
  files: readonly ChangedFile[]
  previews: readonly PreviewedPage[]
}

export interface ChangedFile {
  file: ReviewedFile
  diff: FileDiff
}

/** `previewPath` is the base path of the rendered pages without a trailing slash. */
export async function buildReviewView(
  { review, projectId, manifests }: OpenReview,
  publicUrl: string,
  previewPath: string,
): Promise<ReviewView> {
  const files: ChangedFile[] = []
  for (const file of review.files) {
    files.push({ file, diff: diffFile(file.before, file.after) })
    await breathe() // a comparison is slow: yield to other requests
  }
  const previews = listPreviewedPages(review.files, manifests, previewPath)
  return { review, projectId, publicUrl, files, previews }
}
