/** Determines whether a page has a title other than the first heading of its text. */
import type { SitePage } from '../../site/model.ts'

/** Returns true for API pages, whose title is that of the operation. */
export function isTitleGiven({ frontmatter, operation, text }: SitePage): boolean {
  return frontmatter.title !== undefined || operation !== null || text !== null
}
