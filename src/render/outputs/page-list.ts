/**
 * List of pages for programs: the name of the site, followed by a line of JSON for each page that search
 * includes, in reading order. Written in write-page-list.ts.
 */
import { createYielder } from '../../base/text/yielder.ts'

export const PAGE_LIST_FILE = '_octavo/pages.jsonl'

export interface ListedSite {
  name: string
  description: string | null
  /** The default language is the first one. */
  languages: string[]
  takesFeedback: boolean
}

export interface ListedPage {
  /** For example `/guides/x`. */
  route: string
  /** Path of the Markdown version. */
  file: string
  /** URL in the search index. */
  href: string
  title: string
  description: string | null
  /** Date of the last change, such as `2026-03-01`; absent in older versions. */
  updated?: string | null
  language: string
  /** Label in the navigation, if any. */
  tag?: string
  /** Null for a site without versions. */
  version: string | null
  /** Labels of tab and groups, outermost first. */
  place: string[]
  operation: { method: string; path: string; summary: string | null } | null
}

export interface PageList {
  site: ListedSite
  pages: ListedPage[]
}

/** Returns null if the list is invalid, because bundles are untrusted. */
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
    isTextList(site.languages) &&
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
    isTextList(page?.place) &&
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

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
