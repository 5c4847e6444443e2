/** Determines whether a page is hidden, excluded from search engines, searchable and listed. */
import type { SitePage } from '../model.ts'
import type { Mention } from '../navigation/build-sidebars.ts'
import type { SiteConfig } from '../settings/config.ts'
import type { FrontmatterField } from './frontmatter-fields.ts'

/** Returns true if the page belongs in the sitemap and in the files for language models. */
export function isIndexed(page: SitePage): boolean {
  return !page.noindex && page.url === null && (!page.isHidden || page.isSearchable)
}

/**
 * `hidden` of a page overrides that of the enclosing groups. With `seo.indexing: all`, all indexes include hidden
 * pages.
 */
export function resolveVisibility(
  { config }: { config: SiteConfig },
  parts: { mentions: readonly Pick<Mention, 'isHidden' | 'isSearchable'>[] },
  read: {
    text(key: FrontmatterField): string | null
    flag(key: FrontmatterField): boolean | null
  },
): Pick<SitePage, 'isHidden' | 'noindex' | 'isSearchable'> {
  const isListed = parts.mentions.length > 0
  const ownHidden = read.flag('hidden')
  const isHidden = ownHidden === true || !parts.mentions.some((mention) => !mention.isHidden)
  const isAdmitted =
    config.seo.indexing === 'all' ||
    (isListed &&
      ownHidden !== true &&
      (ownHidden === false || parts.mentions.some((mention) => mention.isSearchable)))
  const isExcluded =
    read.flag('noindex') === true ||
    /noindex/i.test(read.text('robots') ?? '') ||
    /noindex/i.test(config.seo.metatags.robots ?? '')
  const isHiddenByIntent = isHidden && (isListed || ownHidden === true)
  return {
    isHidden,
    noindex: isExcluded || (isHiddenByIntent && !isAdmitted),
    isSearchable: !isExcluded && read.flag('searchable') !== false && (!isHidden || isAdmitted),
  }
}
