/** Headings in the table of contents: levels 2 to 4. */

export interface TocEntry {
  level: 2 | 3 | 4
  id: string
  text: string
}

/** `isShown` returns false for ids of hidden headings. */
export function listTocEntries(
  headings: readonly { level: number; id: string; text: string; isInToc: boolean }[],
  isShown: (id: string) => boolean,
): TocEntry[] {
  return headings.flatMap(({ level, id, text, isInToc }) =>
    isInToc && isShown(id) && (level === 2 || level === 3 || level === 4) ? [{ level, id, text }] : [],
  )
}
