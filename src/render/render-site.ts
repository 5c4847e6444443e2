/** A loaded site to a site version: every page and file as a blob, and the manifest that names them. */
import { mapBounded } from '../base/bounded.ts'
import type { Log } from '../base/log.ts'
import type { Problem } from '../contract/problem.ts'
import { isGathering } from '../contract/widgets.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { SitePage } from '../site/model.ts'
import { writeAssets } from './assets.ts'
import type { BlobPress } from './blobs.ts'
import type { RenderedBody } from './body.ts'
import { type BuiltInFile, type BuiltIns, hashed, loadBuiltIns } from './built-ins.ts'
import { anchorProblems, anchorsOf, type PageAnchors } from './check-anchors.ts'
import { chromeAddresses, withoutMissingLogo } from './chrome-addresses.ts'
import { writeOwnFiles } from './finish.ts'
import { createFullText, type FullText } from './full-text.ts'
import { iconProblems } from './icon-problems.ts'
import { createIconInliner, type IconInliner } from './icons.ts'
import { createImageSizes, type ImageSizes } from './image-sizes.ts'
import { siteIslands } from './island-scripts.ts'
import { createLinkRewriter, type LinkRewriter } from './links.ts'
import type { SiteManifest } from './manifest.ts'
import type { OutputNames } from './output-names.ts'
import { keptServices, servicesFile } from './outside-services.ts'
import { openPageBodies, type PageBodies } from './page-bodies.ts'
import { createSourceReader, type PageSource } from './page-source.ts'
import { planPages } from './plan.ts'
import { platformFile, widgetsOf } from './platform-file.ts'
import { inReadingOrder } from './reading-order.ts'
import { copiedAddresses, remoteProblem } from './remote-addresses.ts'
import { createRemoteAssets, NO_REMOTE_ASSETS, type RemoteAssets } from './remote-assets.ts'
import type { RemoteFetch } from './remote-files.ts'
import type { RenderInput } from './render-input.ts'
import { gatherProblems, keptServiceProblem } from './render-problems.ts'
import { isInSearch, searchHref, searchPage } from './search-index.ts'
import { openSearchWriter, type SearchWriter } from './search-writer.ts'
import { siteFavicons } from './site-favicons.ts'
import { createSiteFiles, dropFiles, type SiteFiles } from './site-files.ts'
import { downloadFonts } from './site-fonts.ts'
import { siteLayout } from './site-layout.ts'
import { themeSheet, utilitiesSheet } from './site-sheets.ts'
import { colourHints } from './theme/colour-hints.ts'
import type { Layout } from './theme/layout.ts'
import { createTwinWriter } from './write-twins.ts'

export interface RenderDeps {
  objects: ObjectStore
  log: Log
  /** Render child processes; 2 when left out. */
  children?: number
  /** For files that a site names on other servers; without it nothing is asked of them. */
  fetchRemote?: RemoteFetch
  /** `small` when left out. */
  press?: BlobPress
}

export interface RenderProgress {
  pagesDone: number
  pagesTotal: number
  /** After all are done. */
  pagesLaidOut: number
}

export interface RenderedSite {
  manifest: SiteManifest
  problems: Problem[]
}

/** Pages laid out at the same time; each waits for compression and the store most of the time. */
const LAYOUT_CONCURRENCY = 8

/**
 * Two passes over the pages: the first makes their bodies (or finds them in the store) and learns what the site needs,
 * the second lays them out around a chrome whose file names are then known. The same input gives the same manifest,
 * whatever was in the store before. Rejects when `signal` aborts or the store fails, never because of content.
 */
export async function renderSite(
  deps: RenderDeps,
  input: RenderInput,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<RenderedSite> {
  await using search = input.features.search ? openSearchWriter() : null
  const files = createSiteFiles(deps.objects, deps.press)
  const fullText = createFullText()
  const scope = createScope(deps, input, { isCheck: false, files, fullText, search })
  const { layout, problems, rendered } = await renderPages(scope, report, signal)
  const { plan, start, names, links } = scope
  const style = (await loadBuiltIns()).style.path
  const manifest = await writeOwnFiles({ input, plan, start, names, links, files, layout, fullText, style })
  const fileCount = Object.keys(manifest.files).length
  deps.log.info(
    { pages: plan.length, rendered, files: fileCount, deployment: input.deployment },
    'site.rendered',
  )
  return { manifest, problems }
}

/** The problems that `renderSite` would find, without what is only there to be kept. */
export async function checkSite(
  deps: RenderDeps,
  input: RenderInput,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<{ pageCount: number; problems: Problem[] }> {
  const scope = createScope(deps, input, { isCheck: true, files: dropFiles(), fullText: null, search: null })
  const { problems } = await renderPages(scope, report, signal)
  return { pageCount: scope.plan.length, problems }
}

/** Where what is rendered goes. */
interface Outputs {
  /** Only problems are wanted. */
  isCheck: boolean
  files: SiteFiles
  /** Null: neither twins nor the text of all pages are made. */
  fullText: FullText | null
  search: SearchWriter | null
}

interface RenderScope extends Outputs {
  deps: RenderDeps
  input: RenderInput
  plan: readonly SitePage[]
  /** Where `/` leads when nothing lies there. */
  start: string | null
  names: OutputNames
  links: LinkRewriter
  icons: IconInliner
  sizes: ImageSizes
  remoteAssets: RemoteAssets
}

function createScope(deps: RenderDeps, input: RenderInput, outputs: Outputs): RenderScope {
  const { site, deployment, origin } = input
  const { pages: plan, included, names, start } = planPages(input)
  const sizes = createImageSizes()
  const { fetchRemote } = deps
  const remoteAssets =
    fetchRemote && deployment === 'air-gapped'
      ? createRemoteAssets({ fetchRemote, files: outputs.files, names, sizes })
      : NO_REMOTE_ASSETS
  const links = createLinkRewriter({ site, deployment, names, included, origin, start, remoteAssets })
  return {
    ...outputs,
    deps,
    input,
    plan,
    start,
    names,
    links,
    icons: createIconInliner(),
    sizes,
    remoteAssets,
  }
}

async function renderPages(
  scope: RenderScope,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<{ layout: Layout; problems: Problem[]; rendered: number }> {
  const { deps, input, names, links, icons, files } = scope
  const { site } = input
  await using bodies = openPageBodies({ ...deps, children: deps.children ?? 2, isPlain: scope.isCheck })
  const builtIns = await loadBuiltIns()
  // In a thread of its own, while the pages are rendered.
  const making = siteFavicons({ ...input, ...deps, names })
  making.catch(() => {}) // told where it is waited for, if that is reached
  const pages = await renderBodies(scope, bodies, report, signal)
  await scope.remoteAssets.download([...chromeAddresses(site), ...pages.flatMap(({ facts }) => facts.remote)])
  // A check learns nothing from files that are served as they are, except what those of a closed bundle would fetch.
  const readsAssets = !scope.isCheck || input.deployment === 'air-gapped'
  const remote = readsAssets ? await writeAssets({ ...scope, tree: input.tree }, signal) : []
  const search = await searchFiles(scope)
  const islands = await siteIslands(pages, {
    runtime: builtIns.islandsScript,
    iconLibrary: site.config.icons.library,
    log: deps.log,
  })
  const fonts = await downloadFonts(
    { ...input, files, names, fetchRemote: deps.fetchRemote ?? null },
    site.config.fonts,
  )
  const classes = [...pages.flatMap(({ facts }) => facts.classes), ...islands.classes]
  const sheets = [
    await themeSheet(site.config, fonts, builtIns.themes, links),
    await utilitiesSheet(classes, links),
  ].filter(({ content }) => content !== '')
  const favicons = await making
  const carried = [
    ...neededBuiltIns(builtIns, input, pages),
    ...sheets,
    ...search.map(({ file }) => file),
    ...islands.files,
    ...favicons.files,
  ]
  if (isGathering(widgetsOf(input))) carried.push(builtIns.feedbackScript, platformFile(input))
  const services = servicesFile(input, builtIns.servicesScript)
  if (services) carried.push(services)
  for (const file of carried) await files.add(names.claim(file.path), file.content)

  const searchIndexes = Object.fromEntries(search.map(({ language, file }) => [language, file]))
  const shown =
    input.deployment === 'air-gapped' ? withoutMissingLogo(site, scope.remoteAssets) : { site, missing: [] }
  remote.push(...shown.missing.map((url) => remoteProblem('docs.json', url, scope.remoteAssets.faultOf(url))))
  const layout = siteLayout(
    { ...input, site: shown.site },
    { builtIns, sheets, services, searchIndexes, islandScripts: islands.scripts, favicons: favicons.icons },
    { names, links, icons },
  )
  remote.push(...(await layOutPages({ ...scope, pages, bodies, layout }, report, signal)))
  const problems = gatherProblems([
    site.problems,
    names.problems,
    pages.flatMap(({ facts }) => facts.problems),
    islands.problems,
    keptServices(site.config).map(keptServiceProblem),
    await anchorProblems({
      ...input,
      pages: pages.map(({ page, facts }) => ({ page, anchors: facts.anchors })),
    }),
    await iconProblems(input, icons.missing()),
    fonts.problems,
    favicons.problems,
    colourHints(site.config),
    remote,
  ])
  return { layout, problems, rendered: bodies.rendered() }
}

interface PlannedPage {
  page: SitePage
  source: PageSource
  facts: PageFacts
}

/** What is kept of every body between the two passes. */
type PageFacts = Pick<RenderedBody, 'classes' | 'usesMath' | 'usesMermaid' | 'islands' | 'problems'> & {
  anchors: PageAnchors
  /** What it names on other servers and a closed bundle has copies of. */
  remote: readonly string[]
}

async function renderBodies(
  { input, plan, links, search }: RenderScope,
  bodies: PageBodies,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<PlannedPage[]> {
  const sources = createSourceReader(input.site, input.tree)
  const copies = input.deployment === 'air-gapped'
  let pagesDone = 0
  report({ pagesDone, pagesTotal: plan.length, pagesLaidOut: 0 })
  return mapBounded(plan, bodies.concurrency, async (page, place) => {
    signal.throwIfAborted()
    const source = await sources.read(page)
    const body = await bodies.get(source, signal)
    const { classes, usesMath, usesMermaid, islands, problems } = body
    search?.add(place, isInSearch(page) ? searchPage(page, searchHref(links, page), body.sections) : null)
    const remote = copies ? copiedAddresses(body.html + (body.side ?? '')) : []
    pagesDone += 1
    report({ pagesDone, pagesTotal: plan.length, pagesLaidOut: 0 })
    return {
      page,
      source,
      facts: { classes, usesMath, usesMermaid, islands, problems, anchors: anchorsOf(body), remote },
    }
  })
}

interface LayOutScope extends RenderScope {
  pages: readonly PlannedPage[]
  bodies: PageBodies
  layout: Layout
}

/** Answers what the pages would have fetched from elsewhere. */
async function layOutPages(
  scope: LayOutScope,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<Problem[]> {
  const { bodies, layout, links, remoteAssets } = scope
  // Made once before the pages, so that what stands around every page is told once and not of some page.
  layout.notFound()
  const around = new Set(links.takeRemote())
  const problems = [...around].map((url) => remoteProblem('docs.json', url, remoteAssets.faultOf(url)))
  const planned = new Map(scope.pages.map((one) => [one.page, one]))
  // In the order of the full text, which keeps what comes too early.
  const order = inReadingOrder(scope.input.site, [...planned.keys()])
  const { fullText } = scope
  const twins = fullText && createTwinWriter({ ...scope, fullText }, order)
  let pagesLaidOut = 0
  await mapBounded(order, LAYOUT_CONCURRENCY, async (page) => {
    const { source } = planned.get(page) as PlannedPage
    signal.throwIfAborted()
    const body = await bodies.get(source, signal)
    await twins?.write(page, body)
    const html = layout.page(page.route, { ...body, html: scope.sizes.apply(body.html) })
    const file = page.file ?? page.operation?.spec ?? 'docs.json'
    const own = links.takeRemote().filter((url) => !around.has(url))
    problems.push(...own.map((url) => remoteProblem(file, url, remoteAssets.faultOf(url))))
    await scope.files.add(scope.names.pages.get(page.route) as string, html)
    pagesLaidOut += 1
    report({ pagesDone: order.length, pagesTotal: order.length, pagesLaidOut })
  })
  return problems
}

async function searchFiles({ search }: RenderScope) {
  const scripts = search ? await search.finish() : []
  return scripts.map(({ language, content }) => ({
    language,
    file: hashed(`search-${language.replace(/[^\w-]/g, '-')}`, 'js', content),
  }))
}

/** KaTeX and Mermaid are large: only a site that shows formulas or diagrams carries them. */
function neededBuiltIns(
  builtIns: BuiltIns,
  input: RenderInput,
  pages: readonly PlannedPage[],
): BuiltInFile[] {
  const needed = [builtIns.style, builtIns.mainScript, ...builtIns.fonts]
  if (input.features.search) needed.push(builtIns.searchScript)
  const hasMath = input.site.config.styling.latex === true || pages.some(({ facts }) => facts.usesMath)
  if (hasMath) needed.push(...builtIns.math)
  if (pages.some(({ facts }) => facts.usesMermaid)) needed.push(builtIns.mermaid)
  return needed
}
