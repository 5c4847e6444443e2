/** Finds pages by the names that models use, and returns lists and texts in parts. */
import { decodePath } from '../../base/text/decode-path.ts'
import type { ListedPage } from '../../render/outputs/page-list.ts'
import type { SiteDocs } from './site-docs.ts'
import { type DocsToolContext, ToolFault } from './tool.ts'

/** Converts `guides/x`, `/guides/x.md`, `/guides/x/` and the URL of the page to `/guides/x`. */
export function normalizeRoute(given: string): string {
  const path = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? (URL.parse(given)?.pathname ?? given) : given
  const bare = decodePath(path.replace(/[?#].*$/s, ''))
    .replace(/\.(?:md|html|mdx)$/, '')
    .replace(/(^|\/)index$/, '$1')
  return `/${bare.split('/').filter(Boolean).join('/')}`
}

/** Throws ToolFault with suggestions of similar names. */
export function requirePage({ docs }: Pick<DocsToolContext, 'docs'>, given: string): ListedPage {
  const route = normalizeRoute(given)
  const page = docs.byRoute.get(route)
  if (page !== undefined) return page
  const near = findNearRoutes(docs, route)
  const hint = near.length === 0 ? '' : ` Did you mean: ${near.join(', ')}?`
  throw new ToolFault(`There is no such page.${hint} Find pages with search_docs or list_pages.`)
}

const MAX_NEAR_PAGES = 5

function findNearRoutes({ pages }: Pick<SiteDocs, 'pages'>, route: string): string[] {
  const last = route.slice(route.lastIndexOf('/')).toLowerCase()
  if (last.length < 3) return []
  return pages
    .filter((page) => page.route.toLowerCase().endsWith(last))
    .slice(0, MAX_NEAR_PAGES)
    .map((page) => page.route)
}

/**
 * The cursor identifies the last page of the previous result, so it stays valid when pages are added or
 * removed. Throws ToolFault.
 */
export function pageAfterCursor(
  pages: readonly ListedPage[],
  cursor: string | undefined,
  limit: number,
  isWanted: (page: ListedPage) => boolean,
): { shown: ListedPage[]; nextCursor: string | null } {
  const last = cursor === undefined ? null : Buffer.from(cursor, 'base64url').toString('utf8')
  const lastIndex = last === null ? -1 : pages.findIndex(({ route }) => route === last)
  if (last !== null && lastIndex < 0)
    throw new ToolFault('The cursor is no longer valid. Start again without it.')
  const shown: ListedPage[] = []
  for (let at = lastIndex + 1; at < pages.length; at++) {
    const page = pages[at] as ListedPage
    if (!isWanted(page)) continue
    const end = shown.at(-1)
    if (shown.length === limit && end !== undefined)
      return { shown, nextCursor: Buffer.from(end.route).toString('base64url') }
    shown.push(page)
  }
  return { shown, nextCursor: null }
}

/** Returns at most `maxCharacters` characters from the offset, and a note on how to continue. */
export function slicePageText(text: string, offset: number, maxCharacters: number): string {
  if (offset > 0 && offset >= text.length)
    throw new ToolFault(`The page has ${text.length} characters. Use a smaller offset.`)
  if (offset + maxCharacters >= text.length) return text.slice(offset)
  const end = text.lastIndexOf('\n', offset + maxCharacters)
  const next = end > offset + maxCharacters / 2 ? end + 1 : offset + maxCharacters
  return `${text.slice(offset, next).toWellFormed()}\n\n[Truncated: ${next} of ${text.length} characters. Continue with offset ${next}.]`
}
