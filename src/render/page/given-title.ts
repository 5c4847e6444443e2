/** Determines whether a page has a title besides the first heading of its text. */
import type { SitePage } from '../../site/model.ts'

/** API pages are named after the item they show. */
export function isTitleGiven({ frontmatter, operation, text }: SitePage): boolean {
  return frontmatter.title !== undefined || operation !== null || text !== null
}
