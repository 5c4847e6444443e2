/** Events that other scripts of a page send to web analytics, as a DOM event. */
import type { PageEvent } from '../../src/features/analytics/operations/analytics-events.ts'

export const READING_EVENT = 'octavo:reading'

export type ReadingEvent = Omit<PageEvent, 'ago' | 'path' | 'referrer'>

export function emitReadingEvent(detail: ReadingEvent): void {
  document.dispatchEvent(new CustomEvent<ReadingEvent>(READING_EVENT, { detail }))
}
