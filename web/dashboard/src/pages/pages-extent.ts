import { plural } from '../words/words.ts'

/** `3 of 12 pages`; `3 pages` while nobody knows how many there will be. */
export function extentOf({
  pageCount,
  totalPages,
}: {
  pageCount: number
  totalPages: number | null
}): string {
  if (totalPages === null) return plural(pageCount, '{count} page', '{count} pages')
  return plural(totalPages, '{done} of {count} page', '{done} of {count} pages', { done: pageCount })
}
