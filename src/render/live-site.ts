/**
 * Renders a site while it is edited. Pages are rendered on request from the current files. Results that do
 * not depend on a change are reused.
 */
import { LRUCache } from 'lru-cache'
import { type AsyncCache, createAsyncCache } from '../base/async-cache.ts'
import type { Problem } from '../base/errors/problem.ts'
import type { Log } from '../base/log.ts'
import type { ObjectCache } from '../objects/object-cache.ts'
import type { SitePage } from '../site/model.ts'
import { listReachableModules } from '../site/pages/imports.ts'
import { openPageBodies, type PageBodies } from './bodies/page-bodies.ts'
import { createSourceReader, type PageSource, type SourceReader } from './bodies/page-source.ts'
import { indexDirectories } from './links/directories.ts'
import { getAssetContent } from './outputs/assets.ts'
import { markdownTwin } from './outputs/markdown-twin.ts'
import { playgroundFile } from './outputs/page-playground.ts'
import type { PageAnchors, RenderedBody } from './page/body.ts'
import type { RenderInput } from './page/render-input.ts'
import { anchorProblems } from './plan/check-anchors.ts'
import { type LazySite, openLazySite, type PageParts } from './plan/lazy-site.ts'
import { gatherProblems } from './plan/render-problems.ts'
import { createScope, type RenderScope } from './plan/render-scope.ts'
import { createSearchRootContent } from './search/search-files.ts'
import { indexSettings, isInSearch, searchHref, searchPages } from './search/search-pages.ts'
import { openSearchThread } from './search/search-thread.ts'
import { touchIcon, touchIconStamp } from './thumbnail/touch-icon.ts'
import { createDiscardingFiles } from './versions/site-files.ts'

export interface LiveRenderer {
  /** Opens a new state of the files. Pages of the previous state remain available. */
  open(input: RenderInput): Promise<LiveSite>
  [Symbol.asyncDispose](): Promise<void>
}

/** State of a site. All methods reject if the files have changed or `signal` aborts. */
export interface LiveSite {
  readonly input: RenderInput
  /** Redirect target of `/`, unless a page has that path. */
  readonly start: string | null
  has(route: string): boolean
  page(route: string, signal: AbortSignal): Promise<LivePage>
  notFound(): string
  /** Returns a file that is not a page, or null. */
  file(path: string, signal: AbortSignal): Promise<Uint8Array | string | null>
  /** Renders the remaining pages, to find all problems. */
  survey(signal: AbortSignal): Promise<void>
  /** Returns problems of the site and of the pages rendered so far, without hints. */
  problems(): Promise<Problem[]>
}

export interface LivePage {
  html: string
  /**
   * Whether the page does not compile. `html` is then its last valid version or, if none, the part that can be
   * shown.
   */
  isBroken: boolean
  /** Files with text of the page. */
  files: ReadonlySet<string>
}

interface Deps {
  cache: ObjectCache
  log: Log
}

/** Data shared by successive states. */
interface LiveCache {
  bodies: PageBodies
  facts: Map<string, PageFacts>
  /** Incremented when `facts` changes. */
  factChanges: number
  /** Last valid version of each page, by route. */
  lastGood: Map<string, RenderedPage>
  parts: AsyncCache<PageParts>
  /** Style sheets and scripts of pages, by path. */
  files: LRUCache<string, string | Uint8Array>
}

/** Parts that are reused while only the text of pages changes. */
interface Frame extends RenderScope {
  /** Unique in the process. */
  id: number
  site: LazySite
  directories: ReturnType<typeof indexDirectories>
  included: ReadonlySet<string>
  /** Assets by path in the site. */
  assets: ReadonlyMap<string, string>
  /** Routes of pages by the path of their Markdown version. */
  twins: ReadonlyMap<string, string>
  /** Digests of images whose size has been determined. */
  measured: Map<string, string>
}

interface PageFacts {
  /** Identifies the input of the page. */
  stamp: string
  sections: RenderedBody['sections']
  problems: readonly Problem[]
  anchors: PageAnchors
}

interface RenderedPage {
  source: PageSource
  body: RenderedBody
}

/** Sufficient for all open pages. */
const MAX_CACHED_FILES = 2000
const MAX_CACHED_PAGE_PARTS = 500

export function openLiveRenderer(deps: Deps, children: number): LiveRenderer {
  const bodies = openPageBodies({ ...deps, children })
  const liveCache: LiveCache = {
    bodies,
    facts: new Map(),
    factChanges: 0,
    lastGood: new Map(),
    parts: createAsyncCache({ max: MAX_CACHED_PAGE_PARTS }),
    files: new LRUCache({ max: MAX_CACHED_FILES }),
  }
  let last: { input: RenderInput; frame: Frame } | null = null
  let frames = 0
  return {
    open: async (input) => {
      const isSame = last !== null && isSameFrame(last.input, input)
      const frame = last && isSame ? last.frame : await openFrame(deps, input, ++frames)
      last = { input, frame }
      return createLiveSite(liveCache, input, frame)
    },
    [Symbol.asyncDispose]: () => bodies[Symbol.asyncDispose](),
  }
}

/** Omits third-party scripts, because visits of authors must not be counted. */
async function openFrame(deps: Deps, input: RenderInput, id: number): Promise<Frame> {
  const outputs = {
    isCheck: false,
    files: createDiscardingFiles(),
    fullText: null,
    search: null,
    passages: null,
  }
  const scope = createScope({ ...deps, files: outputs.files }, input, outputs)
  const { names, plan } = scope
  return {
    ...scope,
    id,
    site: await openLazySite(scope, {
      touchIcon: await touchIcon(input),
      thumbnails: null,
      hasServices: false,
    }),
    directories: indexDirectories(input.site),
    included: new Set(plan.map(({ route }) => route)),
    assets: new Map([...names.assets].map(([asset, path]) => [path, asset])),
    twins: new Map([...names.twins].map(([route, path]) => [path, route])),
    measured: new Map(),
  }
}

function isSameFrame(last: RenderInput, now: RenderInput): boolean {
  return last.site.pages === now.site.pages && touchIconStamp(last) === touchIconStamp(now)
}

interface Scope {
  liveCache: LiveCache
  input: RenderInput
  frame: Frame
  sources: SourceReader
}

function createLiveSite(liveCache: LiveCache, input: RenderInput, frame: Frame): LiveSite {
  const scope: Scope = { liveCache, input, frame, sources: createSourceReader(input.site, input.tree) }
  let surveying: Promise<void> | null = null
  /** Collected problems, with the value of `factChanges` at that time. */
  let gathered: { changes: number; problems: Promise<Problem[]> } | null = null

  const survey = (signal: AbortSignal): Promise<void> => {
    surveying ??= surveyPages(scope, signal).finally(() => {
      surveying = null
    })
    return surveying
  }

  return {
    input,
    start: frame.start,
    has: (route) => frame.included.has(route),
    page: (route, signal) => renderLivePage(scope, getPage(scope, route), signal),
    notFound: () => {
      frame.site.use(NO_PARTS)
      return frame.site.layout.notFound()
    },
    file: async (path, signal) => {
      const fileContent = await readFileAt(scope, path, signal)
      const language = findLanguage(frame, path)
      if (fileContent !== null || language === null) return fileContent
      await survey(signal)
      return searchScript(scope, language)
    },
    survey,
    problems: () => {
      if (gathered?.changes !== liveCache.factChanges)
        gathered = { changes: liveCache.factChanges, problems: collectProblems(scope) }
      return gathered.problems
    },
  }
}

function getPage({ input, frame }: Scope, route: string): SitePage {
  const page = frame.included.has(route) ? input.site.pages.get(route) : undefined
  if (!page) throw new Error(`there is no page ${route} in this state of the site`)
  return page
}

/** Returns the file of the page and all files that it imports. */
function listFiles({ input: { site } }: Scope, page: SitePage): string[] {
  return page.file === null
    ? []
    : [page.file, ...listReachableModules(site, page.file).map(({ path }) => path)]
}

function computeStamp(scope: Scope, page: SitePage): string {
  const { files } = scope.input.tree
  return [scope.frame.id, ...listFiles(scope, page).map((file) => files.get(file)?.digest)].join(' ')
}

/** Returns null if the current version of the page has not been rendered. */
function findFacts(scope: Scope, page: SitePage): PageFacts | null {
  const facts = scope.liveCache.facts.get(page.route)
  return facts?.stamp === computeStamp(scope, page) ? facts : null
}

async function renderBody(scope: Scope, page: SitePage, signal: AbortSignal): Promise<RenderedPage> {
  const { liveCache } = scope
  const source = await scope.sources.read(page)
  const body = await liveCache.bodies.get(source, signal)
  if (findFacts(scope, page) === null) {
    const { sections, problems } = body
    const stamp = computeStamp(scope, page)
    liveCache.facts.set(page.route, { stamp, sections, problems, anchors: body.anchors })
    liveCache.factChanges += 1
  }
  return { source, body }
}

/** Renders one page at a time, so that requests for other pages are not delayed. */
async function surveyPages(scope: Scope, signal: AbortSignal): Promise<void> {
  for (const page of scope.frame.plan) {
    signal.throwIfAborted()
    if (findFacts(scope, page) === null) await renderBody(scope, page, signal)
  }
}

async function renderLivePage(scope: Scope, page: SitePage, signal: AbortSignal): Promise<LivePage> {
  const { liveCache, frame } = scope
  const now = await renderBody(scope, page, signal)
  const isBroken = now.body.problems.some(({ code, level }) => code === 'mdx.syntax' && level === 'error')
  if (!isBroken) liveCache.lastGood.set(page.route, now)
  const { source, body } = (isBroken && liveCache.lastGood.get(page.route)) || now
  await measureImages(scope, body.images)
  await updateLivePlayground(scope, page)
  const parts = await loadCachedPageParts(scope, page, { source, body })
  frame.site.use(parts)
  return {
    html: frame.site.layout.page(page.route, body),
    isBroken,
    files: new Set(listFiles(scope, page)),
  }
}

const NO_PARTS: PageParts = { files: [], utilities: null, islands: new Map(), problems: [] }

async function loadCachedPageParts(
  { liveCache, frame }: Scope,
  page: SitePage,
  { source, body }: RenderedPage,
): Promise<PageParts> {
  const { modules } = source.request
  const parts = await liveCache.parts.get(`${frame.id} ${page.route} ${source.key}`, () =>
    frame.site.loadParts([{ page, modules, facts: body }], body.classes),
  )
  for (const { path, content } of parts.files) liveCache.files.set(path, content)
  return parts
}

/** Returns the language of a search index, or null for other paths. */
function findLanguage({ site }: Frame, path: string): string | null {
  const found = Object.entries(site.search.indexes).find(([, index]) => index.path === path)
  return found?.[0] ?? null
}

async function readFileAt(
  scope: Scope,
  path: string,
  signal: AbortSignal,
): Promise<Uint8Array | string | null> {
  const { liveCache, input, frame } = scope
  const { files, layout } = frame.site
  const fileContent = files.get(path)?.() ?? liveCache.files.get(path) ?? layout.navigation().get(path)
  if (fileContent !== undefined) return fileContent
  const asset = frame.assets.get(path)
  if (asset !== undefined) return getAssetContent(frame.links, path, await input.tree.read(asset))
  const route = frame.twins.get(path)
  if (route === undefined || !frame.included.has(route)) return null
  const page = getPage(scope, route)
  const { body } = await renderBody(scope, page, signal)
  const twin = { site: input.site, canonicalLink: frame.links.canonicalLink, directories: frame.directories }
  return markdownTwin(twin, page, body.markdown)
}

async function collectProblems(scope: Scope): Promise<Problem[]> {
  const { site, tree } = scope.input
  const pageProblems = scope.frame.plan.flatMap((page) => {
    const facts = findFacts(scope, page)
    return facts ? { page, ...facts } : []
  })
  const all = gatherProblems([
    site.problems,
    scope.frame.names.problems,
    scope.frame.site.problems,
    pageProblems.flatMap(({ problems }) => problems),
    // Checks only links to pages that have been rendered.
    await anchorProblems({ site, tree, pages: pageProblems }),
  ])
  return all.filter(({ level }) => level !== 'hint')
}

async function measureImages(
  { frame, input: { site, tree } }: Scope,
  images: readonly string[],
): Promise<void> {
  for (const asset of images) {
    const digest = site.assets.has(asset) ? tree.files.get(asset)?.digest : undefined
    if (digest === undefined || frame.measured.get(asset) === digest) continue
    frame.sizes.addAsset(asset, await tree.read(asset))
    frame.measured.set(asset, digest)
  }
}

async function updateLivePlayground({ liveCache, frame, input }: Scope, page: SitePage): Promise<void> {
  if (frame.playgrounds === null) return
  const file = await playgroundFile(input.site, input.tree, page)
  if (file === null) return void frame.playgrounds.delete(page.route)
  liveCache.files.set(file.path, file.content)
  frame.playgrounds.set(page.route, `/${file.path}`)
}

/** Returns null for a language without searchable pages. */
async function searchScript({ liveCache, input, frame }: Scope, language: string): Promise<string | null> {
  const pages = frame.plan.filter((page) => page.language === language && isInSearch(page))
  await using search = openSearchThread({ ...indexSettings(input.site), isWhole: true }, async () => {})
  const searchPage = searchPages(input.site)
  for (const [position, page] of pages.entries()) {
    const sections = liveCache.facts.get(page.route)?.sections ?? []
    search.add(position, searchPage(page, searchHref(frame.links, page), sections))
  }
  const [script] = await search.finish()
  return script ? createSearchRootContent(script) : null
}
