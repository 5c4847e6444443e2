/**
 * Checks links to anchors before and after a change. Examines only the pages that the change affects, pages
 * that they link to, and pages that link to a removed anchor.
 */

import type { Problem } from '../../../base/errors/problem.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { decodePath } from '../../../base/text/decode-path.ts'
import { createYielder } from '../../../base/text/yielder.ts'
import type { PageAnchors, RenderedBody } from '../../../render/page/body.ts'
import { anchorProblems, anchorTarget, collectIds } from '../../../render/plan/check-anchors.ts'
import type { Site, SitePage } from '../../../site/model.ts'
import { listReachableModules } from '../../../site/pages/imports.ts'
import { decodeFileText } from '../edit/change-files.ts'

export interface AnchorSide {
  site: Site
  tree: FileTree
  /** Pages affected by the change; `bodies` are in the same order. */
  pages: readonly SitePage[]
  bodies: readonly RenderedBody[]
  render(pages: readonly SitePage[]): Promise<readonly RenderedBody[]>
}

type AnchorIndex = Map<string, { page: SitePage; anchors: PageAnchors }>

export async function findAnchorProblems(
  before: AnchorSide | null,
  after: AnchorSide,
): Promise<{ before: Problem[]; after: Problem[]; pages: number }> {
  const now = indexAnchors(after)
  const old = before === null ? new Map() : indexAnchors(before)
  const neededRoutes = new Set([
    ...findLinkTargets(after.site, now),
    ...(await findPagesLinkingTo(after, findLostAnchors(old, now))),
  ])
  await renderMissingPages(after, now, neededRoutes)
  if (before !== null) await renderMissingPages(before, old, new Set([...neededRoutes, ...now.keys()]))
  return {
    before: before === null ? [] : await anchorProblems({ ...before, pages: [...old.values()] }),
    after: await anchorProblems({ ...after, pages: [...now.values()] }),
    pages: now.size,
  }
}

function indexAnchors({ pages, bodies }: AnchorSide): AnchorIndex {
  return new Map(
    pages.map((page, index) => [page.route, { page, anchors: (bodies[index] as RenderedBody).anchors }]),
  )
}

async function renderMissingPages(
  side: AnchorSide,
  known: AnchorIndex,
  routes: ReadonlySet<string>,
): Promise<void> {
  const missing = [...routes].flatMap((route) => {
    const page = side.site.pages.get(route)
    return page === undefined || known.has(route) || (page.file === null && page.operation === null)
      ? []
      : [page]
  })
  const bodies = await side.render(missing)
  missing.forEach((page, index) => {
    known.set(page.route, { page, anchors: (bodies[index] as RenderedBody).anchors })
  })
}

function findLinkTargets(site: Site, known: AnchorIndex): string[] {
  return [...known.values()].flatMap(({ page, anchors }) =>
    anchors.links.flatMap((href) => anchorTarget(site, page, href)?.route ?? []),
  )
}

function findLostAnchors(old: AnchorIndex, now: AnchorIndex): Set<string> {
  const lost = new Set<string>()
  for (const [route, { anchors }] of now) {
    const before = old.get(route)
    const ids = collectIds(anchors)
    if (before) for (const id of collectIds(before.anchors)) if (!ids.has(id)) lost.add(id)
  }
  return lost
}

/** Returns the routes of pages that mention a lost anchor, themselves or in a snippet that they include. */
async function findPagesLinkingTo({ site, tree }: AnchorSide, lost: ReadonlySet<string>): Promise<string[]> {
  if (lost.size === 0) return []
  const breaks = createYielder()
  const naming = new Set<string>()
  for (const file of tree.files.keys()) {
    if (!/\.(?:mdx?|jsx|tsx)$/.test(file)) continue
    const text = decodeFileText(await tree.read(file))
    if (text !== null && mentionsLostAnchor(text, lost)) naming.add(file)
    if (breaks.isDue()) await breaks.yieldNow()
  }
  return [...site.pages.values()].flatMap(({ file, route }) => {
    if (file === null) return []
    const isNaming = naming.has(file) || listReachableModules(site, file).some(({ path }) => naming.has(path))
    return isNaming ? [route] : []
  })
}

function mentionsLostAnchor(text: string, lost: ReadonlySet<string>): boolean {
  for (const [, raw = ''] of text.matchAll(/#([^\s"'`()<>[\]{}]+)/g)) {
    if (lost.has(raw) || lost.has(decodePath(raw))) return true
  }
  return false
}
