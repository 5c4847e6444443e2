/** Gives out what a bundle without a platform has kept, as a file that `octavo feedback import` reads. */
import type { FeedbackFile } from '../../src/features/feedback/operations/feedback-file.ts'
import { make } from './dom.ts'
import type { FeedbackQueue } from './feedback-queue.ts'

/** Entries that are in no file yet. */
export function unsavedCount(queue: FeedbackQueue): number {
  return queue.read().entries.filter((entry) => !entry.isSaved).length
}

/** All that is kept, also what an earlier file has: a file may get lost, and reading an entry again adds nothing. */
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
  make('a', { href, download: `feedback-${day}.json` }).click()
  // The download has begun when the address goes.
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
  queue.markSaved(entries.map(({ body }) => body.id))
}
