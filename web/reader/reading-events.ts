/** What other scripts of a page say to the one of web analytics, when there is one: an event of the document. */
import type { PageEvent } from '../../src/features/analytics/operations/analytics-events.ts'

export const READING_EVENT = 'octavo:reading'

export type ReadingEvent = Omit<PageEvent, 'ago' | 'path' | 'referrer'>

export function tellReading(detail: ReadingEvent): void {
  document.dispatchEvent(new CustomEvent<ReadingEvent>(READING_EVENT, { detail }))
}
