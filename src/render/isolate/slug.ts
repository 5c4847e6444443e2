/** Ids of headings and other anchors. Readers' links depend on them, so the rules never change. */

/**
 * Lower case; white space and `.` become `-`; `/`, `&`, `_`, `$` and typographic apostrophes stay; brackets, quotes and
 * other punctuation go. Letters and digits of every script stay.
 */
export function slug(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/['‘’]/g, '’')
    .replace(/[\s.]+/g, '-')
    .replace(/[^\p{L}\p{N}\p{M}\-_/&$’]/gu, '')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
}
