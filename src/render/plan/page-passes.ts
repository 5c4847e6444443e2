/** The two passes over the pages of a site. */
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../contract/problem.ts'
import type { SitePage } from '../../site/model.ts'
import type { PageBodies } from '../bodies/page-bodies.ts'
import { createSourceReader } from '../bodies/page-source.ts'
import type { Layout } from '../chrome/layout.ts'
import { inReadingOrder } from '../links/reading-order.ts'
import { playgroundFile } from '../outputs/page-playground.ts'
import type { TwinWriter } from '../outputs/write-twins.ts'
import { copiedAddresses, remoteProblem } from '../remote/remote-addresses.ts'
import { isInSearch, searchHref, searchPages } from '../search/search-pages.ts'
import { anchorsOf } from './check-anchors.ts'
import type { PlannedPage, RenderProgress, RenderScope } from './render-scope.ts'

/** Pages laid out at the same time; each waits for compression and the store most of the time. */
const LAYOUT_CONCURRENCY = 8

export interface RenderedPages {
  pages: PlannedPage[]
  /** Every value of a class attribute of all pages. */
  classes: ReadonlySet<string>
  /** Addresses of pictures on other servers that have no size. */
  pictures: ReadonlySet<string>
}

interface BodyPass {
  bodies: PageBodies
  /** Null where no Markdown is written. */
  twins: TwinWriter | null
}

/**
 * The first pass: every body is made or found in the store, and what the site needs for it is learnt. What needs
 * nothing but the body is written then, while the children are at work.
 */
export async function renderBodies(
  { deps, isCheck, input, plan, links, search, passages, keys, sizes }: RenderScope,
  { bodies, twins }: BodyPass,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<RenderedPages> {
  const sources = createSourceReader(input.site, input.tree)
  const copies = input.deployment === 'air-gapped'
  const wantsSizes = !copies && !isCheck && deps.fetchSizes !== undefined
  const found = search && searchPages(input.site)
  const classes = new Set<string>()
  const pictures = new Set<string>()
  let pagesDone = 0
  report({ pagesDone, pagesTotal: plan.length, pagesLaidOut: 0 })
  const pages = await mapBounded(plan, bodies.concurrency, async (page, place) => {
    signal.throwIfAborted()
    const source = await sources.read(page)
    const body = await bodies.get(source, signal)
    const { usesMath, usesMermaid, islands, problems } = body
    for (const value of body.classes) classes.add(value)
    if (wantsSizes) for (const url of sizes.remoteIn(body.html)) pictures.add(url)
    if (found) {
      search.add(place, isInSearch(page) ? found.of(page, searchHref(links, page), body.sections) : null)
    }
    passages?.add(place, page, body.sections)
    const remote = copies ? copiedAddresses(body.html + (body.side ?? '')) : []
    await twins?.writeTwin(page, body, keys.of(page, source, 'twin'))
    pagesDone += 1
    report({ pagesDone, pagesTotal: plan.length, pagesLaidOut: 0 })
    return {
      page,
      key: source.key,
      modules: islands === null ? [] : source.request.modules,
      facts: { usesMath, usesMermaid, islands, problems, anchors: anchorsOf(body), remote },
    }
  })
  return { pages, classes, pictures }
}

interface LayOutScope extends RenderScope, BodyPass {
  pages: readonly PlannedPage[]
  layout: Layout
  /** What the files around pages are called, for the keys of pages. */
  around: unknown
}

/** The second pass. Answers what the pages would have fetched from elsewhere. */
export async function layOutPages(
  scope: LayOutScope,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<Problem[]> {
  const { bodies, twins, layout, links, remoteAssets } = scope
  const sources = createSourceReader(scope.input.site, scope.input.tree)
  // Made once before the pages, so that what stands around every page is told once and not of some page.
  layout.notFound()
  const around = new Set(links.takeRemote())
  const problems = [...around].map((url) => remoteProblem('docs.json', url, remoteAssets.faultOf(url)))
  const planned = new Map(scope.pages.map((one) => [one.page, one]))
  // In the order of the full text, which keeps what comes too early.
  const order = inReadingOrder(scope.input.site, [...planned.keys()])
  let pagesLaidOut = 0
  await mapBounded(order, LAYOUT_CONCURRENCY, async (page) => {
    const { key: name } = planned.get(page) as PlannedPage
    signal.throwIfAborted()
    const body = await bodies.again(name, () => sources.read(page), signal)
    await twins?.writeLists(page, body)
    await writePlayground(scope, page)
    layout.hold(page.route)
    const { sizes, around: beside, playgrounds } = scope
    const madeOf = ['page', beside, playgrounds?.get(page.route), sizes.remoteSizes(body.html)]
    const key = scope.keys.of(page, { key: name }, madeOf)
    await scope.files.addMade(scope.names.pages.get(page.route) as string, key, () => {
      const html = layout.page(page.route, { ...body, html: scope.sizes.apply(body.html) })
      const file = page.file ?? page.operation?.spec ?? 'docs.json'
      const own = links.takeRemote().filter((url) => !around.has(url))
      problems.push(...own.map((url) => remoteProblem(file, url, remoteAssets.faultOf(url))))
      return html
    })
    pagesLaidOut += 1
    report({ pagesDone: order.length, pagesTotal: order.length, pagesLaidOut })
  })
  await writeNavigation(scope)
  return problems
}

/** What the pages leave out of their lists. */
async function writeNavigation({ layout, files, names }: LayOutScope): Promise<void> {
  for (const [path, content] of layout.navigation()) await files.add(names.claim(path), content)
}

/** The data of the form of a page, which its layout then names. */
async function writePlayground(
  { input, files, names, playgrounds }: RenderScope,
  page: SitePage,
): Promise<void> {
  const file = playgrounds && (await playgroundFile(input.site, input.tree, page))
  if (!file) return
  // Two pages may show one operation.
  if (!names.has(file.path)) await files.add(names.claim(file.path), file.content)
  playgrounds.set(page.route, `/${file.path}`)
}
