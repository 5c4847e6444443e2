/**
 * Determines which queries of a reader count as searches: those whose result was opened, those shown when the dialog
 * was closed, and those unchanged for long enough before the next query. Incomplete words while typing do not count.
 */
import { EVENT_LENGTHS } from '../../src/features/analytics/operations/event-lengths.ts'
import { emitReadingEvent } from './reading-events.ts'

/** Time in ms that a query must stay unchanged to count as a search when another query replaces it. */
const SETTLE_MS = 2000
const MIN_QUERY_LENGTH = 2

export interface SearchTracker {
  typed(query: string, results: number): void
  followed(href: string): void
  closed(): void
}

export function createSearchTracker(): SearchTracker {
  let last: { query: string; results: number; at: number } | null = null

  const emitLast = (target?: string) => {
    if (last !== null && last.query.length >= MIN_QUERY_LENGTH) {
      const query = last.query.slice(0, EVENT_LENGTHS.query)
      emitReadingEvent({
        kind: 'search',
        query,
        results: last.results,
        ...(target === undefined ? {} : { target }),
      })
    }
    last = null
  }
  return {
    typed(query, results) {
      const isOther = last !== null && !query.startsWith(last.query) && !last.query.startsWith(query)
      if (last !== null && isOther && performance.now() - last.at >= SETTLE_MS) emitLast()
      last = query === '' ? last : { query, results, at: performance.now() }
    },
    followed: (href) => emitLast(URL.parse(href, location.href)?.pathname.slice(0, EVENT_LENGTHS.path)),
    closed: () => emitLast(),
  }
}
