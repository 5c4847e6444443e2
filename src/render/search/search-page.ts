import type { RenderedBody } from '../page/body.ts'

/** What of a page can be found; plain data, for the thread in which the index is made. */
export interface SearchPage {
  language: string
  title: string
  /** In the site, whatever its address is. */
  route: string
  /** From the root of the site, in the deployment's form. */
  href: string
  /** Labels of the groups that it stands in, outermost first. */
  groups: readonly string[]
  description: string
  keywords: readonly string[]
  /** Among pages that fit as well; 1 for a guide. */
  weight: number
  /** Numbers of the versions that it belongs to, and of those that have the same page. */
  versions: readonly number[]
  versionTwins: readonly number[]
  /** Languages that have the same page. */
  languageTwins: readonly string[]
  sections: RenderedBody['sections']
}
