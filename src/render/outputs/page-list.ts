/**
 * The pages of a site version for programs, as one file: the name of the site, then one JSON line for each page that
 * its search lists, in reading order. Written in write-page-list.ts.
 */
import { createYielder } from '../../base/text/yielder.ts'

export const PAGE_LIST_FILE = '_octavo/pages.jsonl'

export interface ListedSite {
  name: string
  description: string | null
  /** Default language first. */
  languages: string[]
  /** The site accepts feedback on its pages. */
  takesFeedback: boolean
}

export interface ListedPage {
  /** Such as `/guides/x`. */
  route: string
  /** Path of its Markdown twin. */
  file: string
  /** As in the search index. */
  href: string
  title: string
  description: string | null
  /** Date of the last change, `2026-03-01`; absent in older versions. */
  updated?: string | null
  language: string
  /** Its label in the navigation; left out when it has none. */
  tag?: string
  /** Null on a site without versions. */
  version: string | null
  /** Labels of its location, outermost first: tab, groups. */
  place: string[]
  operation: { method: string; path: string; summary: string | null } | null
}

export interface PageList {
  site: ListedSite
  pages: ListedPage[]
}

/** Returns null if the text is not a valid list: bundles are untrusted. */
export async function readPageList(text: string): Promise<PageList | null> {
  const breaks = createYielder()
  const pages: ListedPage[] = []
  let site: ListedSite | null = null
  try {
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at)
      const line: unknown = JSON.parse(text.slice(at, end < 0 ? undefined : end))
      if (site === null && isListedSite(line)) site = line
      else if (site !== null && isListedPage(line)) pages.push(line)
      else return null
      at = end < 0 ? text.length : end + 1
      if (breaks.isDue()) await breaks.yieldNow()
    }
  } catch {
    return null
  }
  return site && { site, pages }
}

function isListedSite(value: unknown): value is ListedSite {
  const site = value as Partial<ListedSite> | null
  return (
    typeof site?.name === 'string' &&
    isTextOrNull(site.description) &&
    isTexts(site.languages) &&
    typeof site.takesFeedback === 'boolean'
  )
}

function isListedPage(value: unknown): value is ListedPage {
  const page = value as Partial<ListedPage> | null
  const texts = [page?.route, page?.file, page?.href, page?.title, page?.language]
  return (
    texts.every((text) => typeof text === 'string') &&
    isTextOrNull(page?.description) &&
    isTextOrNull(page?.updated ?? null) &&
    isTextOrNull(page?.version) &&
    isTexts(page?.place) &&
    (page?.operation === null || isOperation(page?.operation))
  )
}

function isOperation(value: unknown): boolean {
  const operation = value as Partial<NonNullable<ListedPage['operation']>> | undefined
  return (
    typeof operation?.method === 'string' &&
    typeof operation.path === 'string' &&
    isTextOrNull(operation.summary)
  )
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
