/**
 * A site that is being edited: each page is rendered on request from the current files. Anything that is not affected
 * by a change is reused in the next state.
 */
import { LRUCache } from 'lru-cache'
import { type AsyncCache, createAsyncCache } from '../base/async-cache.ts'
import type { Problem } from '../base/errors/problem.ts'
import type { Log } from '../base/log.ts'
import type { ObjectCache } from '../objects/object-cache.ts'
import type { SitePage } from '../site/model.ts'
import { moduleClosure } from '../site/pages/imports.ts'
import { openPageBodies, type PageBodies } from './bodies/page-bodies.ts'
import { createSourceReader, type PageSource, type SourceReader } from './bodies/page-source.ts'
import { directoriesOf } from './links/directories.ts'
import { servedAsset } from './outputs/assets.ts'
import { markdownTwin } from './outputs/markdown-twin.ts'
import { playgroundFile } from './outputs/page-playground.ts'
import type { PageAnchors, RenderedBody } from './page/body.ts'
import type { RenderInput } from './page/render-input.ts'
import { anchorProblems } from './plan/check-anchors.ts'
import { type LazySite, openLazySite, type PageParts } from './plan/lazy-site.ts'
import { gatherProblems } from './plan/render-problems.ts'
import { createScope, type RenderScope } from './plan/render-scope.ts'
import { rootContent } from './search/search-files.ts'
import { indexSettings, isInSearch, searchHref, searchPages } from './search/search-pages.ts'
import { openSearchThread } from './search/search-thread.ts'
import { touchIcon, touchIconStamp } from './thumbnail/touch-icon.ts'
import { dropFiles } from './versions/site-files.ts'

export interface LiveRenderer {
  /** Opens a new state of the files; pages of the previous one remain available. */
  open(input: RenderInput): Promise<LiveSite>
  /** Ends the render children. */
  [Symbol.asyncDispose](): Promise<void>
}

/** One state of the site. All methods reject if the files no longer match the tree, and if `signal` aborts. */
export interface LiveSite {
  readonly input: RenderInput
  /** Target of `/` if no page has that path. */
  readonly start: string | null
  /** True if there is a page with this route. */
  has(route: string): boolean
  page(route: string, signal: AbortSignal): Promise<LivePage>
  /** Returns the not-found page. */
  notFound(): string
  /** Returns a file of the site that is not a page; null if there is none with that name. */
  file(path: string, signal: AbortSignal): Promise<Uint8Array | string | null>
  /** Renders the remaining pages, so that all problems of the site are known. */
  survey(signal: AbortSignal): Promise<void>
  /** Returns the problems of the site and of the pages rendered so far, without hints. */
  problems(): Promise<Problem[]>
}

export interface LivePage {
  html: string
  /** The page does not compile: `html` is its last working version, or as much of it as can be shown. */
  isBroken: boolean
  /** Files that contribute text to the page. */
  files: ReadonlySet<string>
}

interface Deps {
  cache: ObjectCache
  log: Log
}

/** Data that is preserved from one state to the next. */
interface Kept {
  bodies: PageBodies
  facts: Map<string, PageFacts>
  /** Number of changes to `facts`. */
  factChanges: number
  /** Last version of each page that compiled, by route. */
  good: Map<string, RenderedPage>
  parts: AsyncCache<PageParts>
  /** Style sheets and scripts used by pages, by path. */
  files: LRUCache<string, string | Uint8Array>
}

/** Parts that are reused as long as only texts of pages change. */
interface Frame extends RenderScope {
  /** Unique in the process. */
  id: number
  site: LazySite
  directories: ReturnType<typeof directoriesOf>
  /** Routes of the pages. */
  included: ReadonlySet<string>
  /** Maps files of the site to assets. */
  assets: ReadonlyMap<string, string>
  /** Maps files of the site to the routes of the pages whose Markdown twins they are. */
  twins: ReadonlyMap<string, string>
  /** Content of each image whose size is known. */
  measured: Map<string, string>
}

interface PageFacts {
  /** Identifies the input from which the page was made. */
  stamp: string
  sections: RenderedBody['sections']
  problems: readonly Problem[]
  anchors: PageAnchors
}

interface RenderedPage {
  source: PageSource
  body: RenderedBody
}

/** Number of cached style sheets and scripts; more than the open pages use. */
const KEPT_FILES = 2000
const KEPT_PARTS = 500

export function openLiveRenderer(deps: Deps, children: number): LiveRenderer {
  const bodies = openPageBodies({ ...deps, children })
  const kept: Kept = {
    bodies,
    facts: new Map(),
    factChanges: 0,
    good: new Map(),
    parts: createAsyncCache({ max: KEPT_PARTS }),
    files: new LRUCache({ max: KEPT_FILES }),
  }
  let last: { input: RenderInput; frame: Frame } | null = null
  let frames = 0
  return {
    open: async (input) => {
      const isSame = last !== null && isSameFrame(last.input, input)
      const frame = last && isSame ? last.frame : await openFrame(deps, input, ++frames)
      last = { input, frame }
      return createLiveSite(kept, input, frame)
    },
    [Symbol.asyncDispose]: () => bodies[Symbol.asyncDispose](),
  }
}

/** Omits third-party scripts: an author's visits must not count as a reader's. */
async function openFrame(deps: Deps, input: RenderInput, id: number): Promise<Frame> {
  const outputs = { isCheck: false, files: dropFiles(), fullText: null, search: null, passages: null }
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
    directories: directoriesOf(input.site),
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
  kept: Kept
  input: RenderInput
  frame: Frame
  sources: SourceReader
}

function createLiveSite(kept: Kept, input: RenderInput, frame: Frame): LiveSite {
  const scope: Scope = { kept, input, frame, sources: createSourceReader(input.site, input.tree) }
  let surveying: Promise<void> | null = null
  /** Problems, with the number of `factChanges` when they were collected. */
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
    page: (route, signal) => livePage(scope, pageAt(scope, route), signal),
    notFound: () => {
      frame.site.use(NO_PARTS)
      return frame.site.layout.notFound()
    },
    file: async (path, signal) => {
      const made = await fileAt(scope, path, signal)
      const language = languageOf(frame, path)
      if (made !== null || language === null) return made
      await survey(signal)
      return searchScript(scope, language)
    },
    survey,
    problems: () => {
      if (gathered?.changes !== kept.factChanges)
        gathered = { changes: kept.factChanges, problems: knownProblems(scope) }
      return gathered.problems
    },
  }
}

function pageAt({ input, frame }: Scope, route: string): SitePage {
  const page = frame.included.has(route) ? input.site.pages.get(route) : undefined
  if (!page) throw new Error(`there is no page ${route} in this state of the site`)
  return page
}

/** Returns the page's file and everything it imports. */
function filesOf({ input: { site } }: Scope, page: SitePage): string[] {
  return page.file === null ? [] : [page.file, ...moduleClosure(site, page.file).map(({ path }) => path)]
}

function stampOf(scope: Scope, page: SitePage): string {
  const { files } = scope.input.tree
  return [scope.frame.id, ...filesOf(scope, page).map((file) => files.get(file)?.digest)].join(' ')
}

/** Returns null if the current version of the page was not rendered. */
function factsOf(scope: Scope, page: SitePage): PageFacts | null {
  const facts = scope.kept.facts.get(page.route)
  return facts?.stamp === stampOf(scope, page) ? facts : null
}

async function renderBody(scope: Scope, page: SitePage, signal: AbortSignal): Promise<RenderedPage> {
  const { kept } = scope
  const source = await scope.sources.read(page)
  const body = await kept.bodies.get(source, signal)
  if (factsOf(scope, page) === null) {
    const { sections, problems } = body
    const stamp = stampOf(scope, page)
    kept.facts.set(page.route, { stamp, sections, problems, anchors: body.anchors })
    kept.factChanges += 1
  }
  return { source, body }
}

/** Renders pages one at a time, so that a page requested meanwhile does not wait long. */
async function surveyPages(scope: Scope, signal: AbortSignal): Promise<void> {
  for (const page of scope.frame.plan) {
    signal.throwIfAborted()
    if (factsOf(scope, page) === null) await renderBody(scope, page, signal)
  }
}

async function livePage(scope: Scope, page: SitePage, signal: AbortSignal): Promise<LivePage> {
  const { kept, frame } = scope
  const now = await renderBody(scope, page, signal)
  const isBroken = now.body.problems.some(({ code, level }) => code === 'mdx.syntax' && level === 'error')
  if (!isBroken) kept.good.set(page.route, now)
  const { source, body } = (isBroken && kept.good.get(page.route)) || now
  await measureImages(scope, body.images)
  await livePlayground(scope, page)
  const parts = await partsOf(scope, page, { source, body })
  frame.site.use(parts)
  return {
    html: frame.site.layout.page(page.route, body),
    isBroken,
    files: new Set(filesOf(scope, page)),
  }
}

const NO_PARTS: PageParts = { files: [], utilities: null, islands: new Map(), problems: [] }

async function partsOf(
  { kept, frame }: Scope,
  page: SitePage,
  { source, body }: RenderedPage,
): Promise<PageParts> {
  const { modules } = source.request
  const parts = await kept.parts.get(`${frame.id} ${page.route} ${source.key}`, () =>
    frame.site.partsOf([{ page, modules, facts: body }], body.classes),
  )
  for (const { path, content } of parts.files) kept.files.set(path, content)
  return parts
}

/** Returns null if the path is not a search index. */
function languageOf({ site }: Frame, path: string): string | null {
  const found = Object.entries(site.search.indexes).find(([, index]) => index.path === path)
  return found?.[0] ?? null
}

/** Returns null if the path is neither generated nor an asset. */
async function fileAt(scope: Scope, path: string, signal: AbortSignal): Promise<Uint8Array | string | null> {
  const { kept, input, frame } = scope
  const { files, layout } = frame.site
  const made = files.get(path)?.() ?? kept.files.get(path) ?? layout.navigation().get(path)
  if (made !== undefined) return made
  const asset = frame.assets.get(path)
  if (asset !== undefined) return servedAsset(frame.links, path, await input.tree.read(asset))
  const route = frame.twins.get(path)
  if (route === undefined || !frame.included.has(route)) return null
  const page = pageAt(scope, route)
  const { body } = await renderBody(scope, page, signal)
  const twin = { site: input.site, canonicalLink: frame.links.canonicalLink, directories: frame.directories }
  return markdownTwin(twin, page, body.markdown)
}

async function knownProblems(scope: Scope): Promise<Problem[]> {
  const { site, tree } = scope.input
  const known = scope.frame.plan.flatMap((page) => {
    const facts = factsOf(scope, page)
    return facts ? { page, ...facts } : []
  })
  const all = gatherProblems([
    site.problems,
    scope.frame.names.problems,
    scope.frame.site.problems,
    known.flatMap(({ problems }) => problems),
    // Links to pages not rendered so far are not checked.
    await anchorProblems({ site, tree, pages: known }),
  ])
  return all.filter(({ level }) => level !== 'hint')
}

/** Determines the sizes of the images on a page. */
async function measureImages(
  { frame, input: { site, tree } }: Scope,
  images: readonly string[],
): Promise<void> {
  for (const asset of images) {
    const digest = site.assets.has(asset) ? tree.files.get(asset)?.digest : undefined
    if (digest === undefined || frame.measured.get(asset) === digest) continue
    frame.sizes.learn(asset, await tree.read(asset))
    frame.measured.set(asset, digest)
  }
}

async function livePlayground({ kept, frame, input }: Scope, page: SitePage): Promise<void> {
  if (frame.playgrounds === null) return
  const file = await playgroundFile(input.site, input.tree, page)
  if (file === null) return void frame.playgrounds.delete(page.route)
  kept.files.set(file.path, file.content)
  frame.playgrounds.set(page.route, `/${file.path}`)
}

/** Returns null for a language without searchable pages. */
async function searchScript({ kept, input, frame }: Scope, language: string): Promise<string | null> {
  const pages = frame.plan.filter((page) => page.language === language && isInSearch(page))
  await using search = openSearchThread({ ...indexSettings(input.site), isWhole: true }, async () => {})
  const searchPage = searchPages(input.site)
  for (const [place, page] of pages.entries()) {
    const sections = kept.facts.get(page.route)?.sections ?? []
    search.add(place, searchPage(page, searchHref(frame.links, page), sections))
  }
  const [script] = await search.finish()
  return script ? rootContent(script) : null
}
