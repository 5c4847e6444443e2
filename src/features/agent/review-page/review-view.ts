/** What the page of a review shows, put together from the review: diffs of its files, addresses of its pages. */
import { setImmediate as breathe } from 'node:timers/promises'
import { diffFile, type FileDiff } from '../../../base/files/diff-file.ts'
import type { AgentReview } from '../operations/agent.ts'
import type { ReviewedFile } from '../operations/agent-review.ts'
import type { OpenReview } from '../review/review.ts'
import { type PreviewedPage, previewedPages } from '../review/review-previews.ts'

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
  const previews = previewedPages(review.files, manifests, previewPath)
  return { review, projectId, publicUrl, files, previews }
}
