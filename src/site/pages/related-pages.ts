/** Related pages in a page's frontmatter: `/path`, a URL, or `Title: link`. */
import { posix } from 'node:path'
import type { SitePage } from '../model.ts'
import { type LinkSite, resolveLink } from '../navigation/links.ts'
import type { FrontmatterFields } from './frontmatter-fields.ts'

export interface RelatedEntry {
  title: string | null
  href: string
}

export interface RelatedPage {
  title: string
  href: string | null
}

/** `isWhole` is true if all entries are valid. `related: false` gives an empty list. */
export function readRelated({ related }: FrontmatterFields): { entries: RelatedEntry[]; isWhole: boolean } {
  if (related === undefined || related === null || related === false) return { entries: [], isWhole: true }
  const lists = (Array.isArray(related) ? related : [related]).map(parseEntries)
  return { entries: lists.flatMap((list) => list ?? []), isWhole: !lists.includes(null) }
}

function parseEntries(value: unknown): RelatedEntry[] | null {
  if (typeof value === 'string') return value.trim() === '' ? null : [{ title: null, href: value.trim() }]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const pairs = Object.entries(value).map(([title, href]) =>
    typeof href === 'string' && href.trim() !== '' ? { title, href: href.trim() } : null,
  )
  return pairs.includes(null) ? null : pairs.filter((pair) => pair !== null)
}

/** An entry without a title gets the title of the linked page; an entry without a target is shown as text. */
export function relatedPages(site: LinkSite, page: SitePage): RelatedPage[] {
  return readRelated(page.frontmatter).entries.flatMap(({ title, href }) => {
    const target = resolveTarget(site, page, href)
    const label = title ?? target?.title
    return label === undefined ? [] : [{ title: label, href: target?.href ?? null }]
  })
}

function resolveTarget(site: LinkSite, page: SitePage, href: string): { title: string; href: string } | null {
  const target = resolveLink(site, page.file, href)
  switch (target.kind) {
    case 'page':
      return {
        title: site.pages.get(target.route)?.title ?? target.route,
        href: target.route + target.suffix,
      }
    case 'asset':
      return { title: posix.basename(target.path), href: `/${target.path}${target.suffix}` }
    case 'redirect':
      return { title: findTitle(site, target.destination) ?? target.path, href: target.path + target.suffix }
    case 'external':
      return { title: target.url.replace(/^(?:https?:)?\/\/|\/$/gi, ''), href: target.url }
    case 'anchor':
      return { title: target.id, href }
    default:
      return null
  }
}

function findTitle(site: LinkSite, href: string): string | null {
  const target = resolveLink(site, null, href)
  return target.kind === 'page' ? (site.pages.get(target.route)?.title ?? null) : null
}
