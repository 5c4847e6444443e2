/** Checks links with a fragment against the ids of rendered pages. */

import type { Problem } from '../../base/errors/problem.ts'
import type { FileTree } from '../../base/files/file-tree.ts'
import { decodePath } from '../../base/text/decode-path.ts'
import type { Site, SitePage } from '../../site/model.ts'
import { createClosestFinder } from '../../site/navigation/closest.ts'
import { resolveLink } from '../../site/navigation/links.ts'
import { listReachableModules } from '../../site/pages/imports.ts'
import { relatedPages } from '../../site/pages/related-pages.ts'
import { readTextFile } from '../../site/text.ts'
import type { PageAnchors } from '../page/body.ts'

/** Ids in the layout of every page. */
const LAYOUT_IDS =
  'top content content-area content-columns content-side-layout page-title pagination sidebar header footer navbar table-of-contents'.split(
    ' ',
  )

/** Maximum number of successive redirects that browsers follow. */
const MAX_REDIRECTS = 20

export interface AnchorCheck {
  site: Site
  tree: FileTree
  pages: readonly { page: SitePage; anchors: PageAnchors }[]
}

export async function anchorProblems(check: AnchorCheck): Promise<Problem[]> {
  const byRoute = new Map(check.pages.map(({ page, anchors }) => [page.route, anchors]))
  const finders = new Map<PageAnchors, ReturnType<typeof createClosestFinder>>()
  const idsThere = createIdCache()
  const problems: Problem[] = []
  for (const { page, anchors } of check.pages) {
    if (page.file === null) continue
    const related = relatedPages(check.site, page).flatMap(({ href }) => (href?.includes('#') ? [href] : []))
    for (const href of [...anchors.links, ...related]) {
      const target = anchorTarget(check.site, page, href)
      const there = target && byRoute.get(target.route)
      if (!target || !there || there.isOpen) continue
      const ids = idsThere(there)
      if (ids.has(target.id) || LAYOUT_IDS.includes(target.id)) continue
      const finder = finders.get(there) ?? createClosestFinder(ids)
      finders.set(there, finder)
      const closest = finder.find(target.id)
      problems.push({
        ...(await locateLink(check, page.file, href)),
        code: 'link.anchor_missing',
        level: 'warning',
        message: `The link ${JSON.stringify(href)} points to a heading that does not exist on ${target.route === page.route ? 'this page' : target.route}.`,
        remedy: closest ? `Did you mean #${closest}?` : 'Link to an existing heading, or to the page only.',
      })
    }
  }
  return problems
}

/** Returns null unless the link refers to an id on a page of the site. */
export function anchorTarget(site: Site, page: SitePage, href: string): { route: string; id: string } | null {
  const at = href.indexOf('#')
  const id = decodePath(href.slice(at + 1))
  // Text fragments (`:~:`) are not ids. Browsers resolve them.
  if (id === '' || id.startsWith(':~:') || id.startsWith('/')) return null
  if (at === 0) return { route: page.route, id }
  let target = resolveLink(site, null, href.slice(0, at))
  for (let hops = 0; target.kind === 'redirect' && hops < MAX_REDIRECTS; hops++) {
    // A fragment in the destination of a redirect replaces the fragment of the link.
    if (target.destination.includes('#')) return null
    target = resolveLink(site, null, target.destination)
  }
  return target.kind === 'page' ? { route: target.route, id } : null
}

export function collectIds({ ids }: PageAnchors): ReadonlySet<string> {
  return new Set(ids.split('\n'))
}

/** Creates sets of ids on demand, because only some pages are targets of links. */
function createIdCache(): (anchors: PageAnchors) => ReadonlySet<string> {
  const cache = new Map<PageAnchors, ReadonlySet<string>>()
  return (anchors) => {
    const ids = cache.get(anchors) ?? collectIds(anchors)
    cache.set(anchors, ids)
    return ids
  }
}

/** Returns the file and line of the link. The file is either the page or a snippet. */
async function locateLink(
  check: AnchorCheck,
  file: string,
  href: string,
): Promise<{ file: string; line: number | null }> {
  const fragment = href.slice(href.indexOf('#'))
  const wanted = [...new Set([href, fragment, decodePath(fragment), encodeURI(fragment)])]
  for (const path of [file, ...listReachableModules(check.site, file).map((one) => one.path)]) {
    const text = await readTextFile(check.tree, path)
    const at = wanted
      .map((one) => findPosition(text, one, href.startsWith('#')))
      .find((index) => index !== -1)
    if (at !== undefined) return { file: path, line: text.slice(0, at).split('\n').length }
  }
  return { file, line: null }
}

/**
 * Returns the position of a link. Skips parts of other links: `#status` in `#statuses` and in
 * `/orders#status`.
 */
function findPosition(text: string, wanted: string, isOwn: boolean): number {
  let at = text.indexOf(wanted)
  while (
    at !== -1 &&
    (isLinkCharacter(text.charAt(at + wanted.length)) || (isOwn && isLinkCharacter(text.charAt(at - 1))))
  )
    at = text.indexOf(wanted, at + 1)
  return at
}

function isLinkCharacter(character: string): boolean {
  return /[\p{L}\p{N}_%/-]/u.test(character)
}
