/** Renders and lays out pages, in two passes. */
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../base/errors/problem.ts'
import type { SitePage } from '../../site/model.ts'
import type { PageBodies } from '../bodies/page-bodies.ts'
import { createSourceReader } from '../bodies/page-source.ts'
import type { Layout } from '../chrome/layout.ts'
import { sortByReadingOrder } from '../links/sort-pages.ts'
import { playgroundFile } from '../outputs/page-playground.ts'
import { createTwinWriter } from '../outputs/write-twins.ts'
import { createRemoteProblem } from '../remote/remote-addresses.ts'
import { isInSearch, searchHref, searchPages } from '../search/search-pages.ts'
import type { PlannedPage, RenderProgress, RenderScope } from './render-scope.ts'

/** Number of pages laid out concurrently. Laying out mostly waits for compression and the store. */
const LAYOUT_CONCURRENCY = 8

export interface RenderedPages {
  pages: PlannedPage[]
  /** Values of all class attributes. */
  classes: ReadonlySet<string>
  /** URLs of remote images without a size. */
  pictures: ReadonlySet<string>
}

/** Renders bodies or reads them from the cache, and collects the data that the site requires. */
export async function renderBodies(
  scope: RenderScope,
  bodies: PageBodies,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<RenderedPages> {
  const { deps, isCheck, input, plan, links, search, passages } = scope
  const sources = createSourceReader(input.site, input.tree)
  const fetchSizes = input.deployment === 'air-gapped' || isCheck ? undefined : deps.fetchSizes
  const searchPage = searchPages(input.site)
  const classes = new Set<string>()
  const pictures = new Set<string>()
  let pagesDone = 0
  report({ pagesDone, pagesTotal: plan.length, pagesLaidOut: 0 })
  const pages = await mapBounded(plan, bodies.concurrency, async (page, position): Promise<PlannedPage> => {
    signal.throwIfAborted()
    const source = await sources.read(page)
    const body = await bodies.get(source, signal)
    for (const value of body.classes) classes.add(value)
    fetchSizes?.prefetch(body.pictures)
    if (fetchSizes) for (const url of body.pictures) pictures.add(url)
    if (search) {
      const isFound = isInSearch(page)
      search.add(position, isFound ? searchPage(page, searchHref(links, page), body.sections) : null)
      await search.waitForRoom()
    }
    passages?.add(position, page, body)
    pagesDone += 1
    report({ pagesDone, pagesTotal: plan.length, pagesLaidOut: 0 })
    const { usesMath, usesMermaid, islands, problems, anchors, samples } = body
    const remote = input.deployment === 'air-gapped' ? body.remote : []
    const facts = { usesMath, usesMermaid, islands, problems, anchors, remote, samples }
    return { page, key: source.key, modules: islands === null ? [] : source.request.modules, facts }
  })
  return { pages, classes, pictures }
}

interface LayOutScope extends RenderScope {
  bodies: PageBodies
  pages: readonly PlannedPage[]
  layout: Layout
}

/** Lays out pages. Returns problems with remote files. */
export async function layOutPages(
  scope: LayOutScope,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<Problem[]> {
  const { bodies, layout, links, remoteAssets, fullText } = scope
  const { site, tree } = scope.input
  const sources = createSourceReader(site, tree)
  // Rendered first, so that problems of the layout are reported once instead of for an arbitrary page.
  layout.notFound()
  const around = new Set(links.takeRemote())
  const problems = [...around].map((url) => createRemoteProblem('docs.json', url, remoteAssets.faultOf(url)))
  const keys = new Map(scope.pages.map(({ page, key }) => [page, key]))
  // In the order of the full text, to buffer as few pages as possible.
  const order = sortByReadingOrder(site, [...keys.keys()])
  const writeTwin = fullText && createTwinWriter({ ...scope, fullText }, order)
  let pagesLaidOut = 0
  await mapBounded(order, LAYOUT_CONCURRENCY, async (page) => {
    signal.throwIfAborted()
    const body = await bodies.getOrReload(keys.get(page) as string, () => sources.read(page), signal)
    await writeTwin?.(page, body)
    await writePlayground(scope, page)
    const html = layout.pageBytes(page.route, body)
    const file = page.file ?? page.operation?.spec ?? 'docs.json'
    const own = links.takeRemote().filter((url) => !around.has(url))
    problems.push(...own.map((url) => createRemoteProblem(file, url, remoteAssets.faultOf(url))))
    await scope.files.add(scope.names.pages.get(page.route) as string, html)
    pagesLaidOut += 1
    report({ pagesDone: order.length, pagesTotal: order.length, pagesLaidOut })
  })
  await writeNavigation(scope)
  return problems
}

async function writeNavigation({ layout, files, names }: LayOutScope): Promise<void> {
  for (const [path, content] of layout.navigation()) await files.add(names.claim(path), content)
}

/** Writes the playground data of a page. Must be called before the page is laid out, because it refers to the file. */
async function writePlayground(
  { input, files, names, playgrounds }: RenderScope,
  page: SitePage,
): Promise<void> {
  const file = playgrounds && (await playgroundFile(input.site, input.tree, page))
  if (!file) return
  // Several pages may document the same operation.
  if (!names.has(file.path)) await files.add(names.claim(file.path), file.content)
  playgrounds.set(page.route, `/${file.path}`)
}
