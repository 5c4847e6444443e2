/**
 * A site that is being written: each page is rendered when it is asked for, from the files as they are. What does not
 * depend on what changed stays from one state to the next.
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
  /** A new state of the files; pages of the one before can still be asked for. */
  open(input: RenderInput): Promise<LiveSite>
  /** Ends the render children. */
  [Symbol.asyncDispose](): Promise<void>
}

/** One state. All reject when the files are no longer those of the tree, and when `signal` aborts. */
export interface LiveSite {
  readonly input: RenderInput
  /** Where `/` leads when no page is there. */
  readonly start: string | null
  /** Whether the route has a page of its own. */
  has(route: string): boolean
  page(route: string, signal: AbortSignal): Promise<LivePage>
  /** The page for addresses without one. */
  notFound(): string
  /** A file of the site that is no page; null when there is none of that name. */
  file(path: string, signal: AbortSignal): Promise<Uint8Array | string | null>
  /** Renders what was not asked for yet, so that every problem of the site is known. */
  survey(signal: AbortSignal): Promise<void>
  /** Without hints: those of the site, and of the pages that were rendered. */
  problems(): Promise<Problem[]>
}

export interface LivePage {
  html: string
  /** The page does not compile: `html` shows how it was when it last did, or what can be shown of it. */
  isBroken: boolean
  /** Files whose text is in the page. */
  files: ReadonlySet<string>
}

interface Deps {
  cache: ObjectCache
  log: Log
}

/** What stays from state to state. */
interface Kept {
  bodies: PageBodies
  facts: Map<string, PageFacts>
  /** How often `facts` have changed. */
  factChanges: number
  /** By route: the page when it last compiled. */
  good: Map<string, RenderedPage>
  parts: AsyncCache<PageParts>
  /** Sheets and scripts that pages name, by path. */
  files: LRUCache<string, string | Uint8Array>
}

/** The parts that stay while only the texts of pages change. */
interface Frame extends RenderScope {
  /** Tells this frame from every other of the process. */
  id: number
  site: LazySite
  directories: ReturnType<typeof directoriesOf>
  /** Routes of the pages. */
  included: ReadonlySet<string>
  /** File of the site to the asset that lies there. */
  assets: ReadonlyMap<string, string>
  /** File of the site to the route of the page whose Markdown twin it is. */
  twins: ReadonlyMap<string, string>
  /** Content of each image whose size is known. */
  measured: Map<string, string>
}

interface PageFacts {
  /** What the page was made of. */
  stamp: string
  sections: RenderedBody['sections']
  problems: readonly Problem[]
  anchors: PageAnchors
}

interface RenderedPage {
  source: PageSource
  body: RenderedBody
}

/** Sheets and scripts that are kept: more than the pages that one has open. */
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

/** Without scripts of other companies: an author at work is no reader. */
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
  /** Problems, with what was known of pages when they were gathered. */
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

/** The file of the page and all that it imports. */
function filesOf({ input: { site } }: Scope, page: SitePage): string[] {
  return page.file === null ? [] : [page.file, ...moduleClosure(site, page.file).map(({ path }) => path)]
}

function stampOf(scope: Scope, page: SitePage): string {
  const { files } = scope.input.tree
  return [scope.frame.id, ...filesOf(scope, page).map((file) => files.get(file)?.digest)].join(' ')
}

/** Null when the page was not rendered as it is now. */
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

/** One page after the other, so that a page that somebody waits for is not far behind. */
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

/** Null for what is no search index. */
function languageOf({ site }: Frame, path: string): string | null {
  const found = Object.entries(site.search.indexes).find(([, index]) => index.path === path)
  return found?.[0] ?? null
}

/** Null for what is neither made nor an asset. */
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
    // A link to a page that was not rendered yet is not judged.
    await anchorProblems({ site, tree, pages: known }),
  ])
  return all.filter(({ level }) => level !== 'hint')
}

/** Learns the sizes of the images that a page shows. */
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

/** Null for a language in which nothing can be found. */
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
