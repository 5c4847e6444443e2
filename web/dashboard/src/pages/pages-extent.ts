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

/** `1 added`, `2 removed`: what is not zero. */
export function differencesOf({ added, changed, removed }: Record<'added' | 'changed' | 'removed', number>) {
  return [
    ...(added > 0 ? [plural(added, '{count} added', '{count} added')] : []),
    ...(changed > 0 ? [plural(changed, '{count} changed', '{count} changed')] : []),
    ...(removed > 0 ? [plural(removed, '{count} removed', '{count} removed')] : []),
  ]
}
