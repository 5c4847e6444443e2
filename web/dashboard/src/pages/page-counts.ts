import { plural } from '../words/words.ts'

/** Returns `3 of 12 pages`, or `3 pages` while the total is unknown. */
export function formatPageProgress({
  pageCount,
  totalPages,
}: {
  pageCount: number
  totalPages: number | null
}): string {
  if (totalPages === null) return plural(pageCount, '{count} page', '{count} pages')
  return plural(totalPages, '{done} of {count} page', '{done} of {count} pages', { done: pageCount })
}

/** Returns the nonzero parts, such as `1 added` and `2 removed`. */
export function formatPageDifferences({
  added,
  changed,
  removed,
}: Record<'added' | 'changed' | 'removed', number>) {
  return [
    ...(added > 0 ? [plural(added, '{count} added', '{count} added')] : []),
    ...(changed > 0 ? [plural(changed, '{count} changed', '{count} changed')] : []),
    ...(removed > 0 ? [plural(removed, '{count} removed', '{count} removed')] : []),
  ]
}
