/** The two passes over the pages of a site. */
import { mapBounded } from '../../base/bounded.ts'
import type { Problem } from '../../contract/problem.ts'
import type { SitePage } from '../../site/model.ts'
import type { PageBodies } from '../bodies/page-bodies.ts'
import { createSourceReader, type SourceReader } from '../bodies/page-source.ts'
import type { Layout } from '../chrome/layout.ts'
import { inReadingOrder } from '../links/reading-order.ts'
import { playgroundFile } from '../outputs/page-playground.ts'
import type { TwinWriter } from '../outputs/write-twins.ts'
import type { RenderedBody } from '../page/body.ts'
import { isImage } from '../remote/image-sizes.ts'
import { remoteProblem } from '../remote/remote-addresses.ts'
import { isInSearch, searchHref, searchPages } from '../search/search-pages.ts'
import type { KnownPage } from './page-memory.ts'
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
 * The first pass: every body is made or found in the store, unless all that the site needs of it is known. What needs
 * nothing but the body is written then, while the children are at work.
 */
export async function renderBodies(
  scope: RenderScope,
  pass: BodyPass,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<RenderedPages> {
  const { deps, isCheck, input, plan, keys, passages } = scope
  const sources = createSourceReader(input.site, input.tree)
  const fetchSizes = input.deployment === 'air-gapped' || isCheck ? undefined : deps.fetchSizes
  const addToSearch = searchStep(scope)
  const classes = new Set<string>()
  const pictures = new Set<string>()
  let pagesDone = 0
  report({ pagesDone, pagesTotal: plan.length, pagesLaidOut: 0 })
  const pages = await mapBounded(plan, pass.bodies.concurrency, async (page, place) => {
    signal.throwIfAborted()
    const { known, modules, body } = await learnPage(scope, pass, { sources, page, signal })
    for (const value of known.classes) classes.add(value)
    fetchSizes?.ask(known.pictures)
    if (fetchSizes) for (const url of known.pictures) pictures.add(url)
    await addToSearch(place, page, known.key, body)
    await passages?.add(place, page, known.key, body)
    await pass.twins?.writeTwin(page, body, keys.of(page, known, 'twin'))
    pagesDone += 1
    report({ pagesDone, pagesTotal: plan.length, pagesLaidOut: 0 })
    const { key, facts, images } = known
    return { page, key, modules, facts, pictures: known.pictures, images }
  })
  return { pages, classes, pictures }
}

interface LearntPage {
  known: KnownPage
  modules: PlannedPage['modules']
  body(): Promise<RenderedBody>
}

/** What an earlier build has learnt of a page, or its body says. */
async function learnPage(
  { input, memory }: RenderScope,
  { bodies }: BodyPass,
  { sources, page, signal }: { sources: SourceReader; page: SitePage; signal: AbortSignal },
): Promise<LearntPage> {
  const name = memory && sources.nameOf(page)
  const before = name === null ? null : memory?.find(name)
  if (name && before) {
    memory?.keep(name, before)
    bodies.markUsed(before.key)
    const body = () => bodies.again(before.key, () => sources.read(page), signal)
    return { known: before, modules: [], body }
  }
  const source = await sources.read(page)
  const body = await bodies.get(source, signal)
  const { usesMath, usesMermaid, islands, problems, anchors } = body
  const remote = input.deployment === 'air-gapped' ? body.remote : []
  const known: KnownPage = {
    key: source.key,
    facts: { usesMath, usesMermaid, islands, problems, anchors, remote },
    classes: body.classes,
    pictures: body.pictures,
    images: body.images.filter(isImage),
  }
  if (name && islands === null) memory?.keep(name, known)
  return { known, modules: islands === null ? [] : source.request.modules, body: async () => body }
}

/** Tells the index of a page; its text only when the last index has not known it. */
function searchStep({ input, links, search, memory }: RenderScope) {
  const found = search && searchPages(input.site)
  return async (place: number, page: SitePage, key: string, body: () => Promise<RenderedBody>) => {
    if (!found) return
    if (!isInSearch(page)) return search.add(place, null)
    const href = searchHref(links, page)
    const name = memory && found.nameOf(page, href, key)
    const read = async () => found.of(page, href, (await body()).sections)
    if (name && search.knows(name)) search.addSame(place, found.same(page), name, read)
    else search.add(place, await read(), name)
    await search.room()
  }
}

interface LayOutScope extends RenderScope, BodyPass {
  pages: readonly PlannedPage[]
  layout: Layout
  /** Digest of what the files around pages are called, for the keys of pages. */
  around: string
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
  const done = lastUses(scope.pages.map(({ key }) => key))
  let pagesLaidOut = 0
  await mapBounded(order, LAYOUT_CONCURRENCY, async (page) => {
    const { key: name, pictures, images } = planned.get(page) as PlannedPage
    signal.throwIfAborted()
    const bodyOf = () => bodies.again(name, () => sources.read(page), signal)
    await twins?.writeLists(page, bodyOf)
    await writePlayground(scope, page)
    layout.hold(page.route)
    const { sizes, around: beside, playgrounds } = scope
    const picture = layout.picture(page.route)
    const madeOf = [
      'page',
      beside,
      playgrounds?.get(page.route),
      sizes.sizesOf([...images, ...pictures]),
      picture,
    ]
    const key = scope.keys.of(page, { key: name }, madeOf)
    await scope.files.addMade(scope.names.pages.get(page.route) as string, key, async () => {
      const html = layout.page(page.route, await bodyOf())
      const file = page.file ?? page.operation?.spec ?? 'docs.json'
      const own = links.takeRemote().filter((url) => !around.has(url))
      problems.push(...own.map((url) => remoteProblem(file, url, remoteAssets.faultOf(url))))
      return html
    })
    if (done(name)) bodies.letGo(name)
    pagesLaidOut += 1
    report({ pagesDone: order.length, pagesTotal: order.length, pagesLaidOut })
  })
  await writeNavigation(scope)
  return problems
}

/** Whether each use of a name is the last one: several pages may show the same. */
function lastUses(names: readonly string[]): (name: string) => boolean {
  const left = new Map<string, number>()
  for (const name of names) left.set(name, (left.get(name) ?? 0) + 1)
  return (name) => {
    const rest = (left.get(name) ?? 0) - 1
    left.set(name, rest)
    return rest === 0
  }
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
