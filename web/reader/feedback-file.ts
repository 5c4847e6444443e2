/** Saves the feedback stored in a bundle without a platform, as a file for `octavo feedback import`. */
import type { FeedbackFile } from '../../src/features/feedback/operations/feedback-file.ts'
import { createElement } from './dom.ts'
import type { FeedbackQueue } from './feedback-queue.ts'

export function unsavedCount(queue: FeedbackQueue): number {
  return queue.read().entries.filter((entry) => !entry.isSaved).length
}

/** Saves all entries, including those in earlier files: a file may get lost, and importing twice is harmless. */
export function saveFeedback(queue: FeedbackQueue, siteId: string): void {
  const { entries } = queue.read()
  const file: FeedbackFile = {
    format: 'octavo-feedback',
    version: 1,
    siteId,
    entries: entries.map(({ body, createdAt }) => ({ ...body, createdAt })),
  }
  const blob = new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' })
  const href = URL.createObjectURL(blob)
  const day = new Date().toISOString().slice(0, 10)
  createElement('a', { href, download: `feedback-${day}.json` }).click()
  // By then, the download has started.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
  queue.markSaved(entries.map(({ body }) => body.id))
}
