/**
 * A site that is being written: each page is rendered when it is asked for, from the files as they are. What does not
 * depend on what changed stays from one state to the next.
 */
import type { Log } from '../base/log.ts'
import type { Problem } from '../contract/problem.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { moduleClosure } from '../site/imports.ts'
import type { SitePage } from '../site/model.ts'
import { servedAsset } from './assets.ts'
import type { RenderedBody } from './body.ts'
import { type BuiltIns, loadBuiltIns } from './built-ins.ts'
import { anchorProblems, anchorsOf, type PageAnchors } from './check-anchors.ts'
import { createImageSizes } from './image-sizes.ts'
import { siteIslands } from './island-scripts.ts'
import { type KeptFew, keepFew } from './kept-few.ts'
import { createLiveFrame, type LiveFrame, UTILITIES_PLACE } from './live-frame.ts'
import { markdownTwin } from './markdown-twin.ts'
import { openPageBodies, type PageBodies } from './page-bodies.ts'
import { createSourceReader, type PageSource } from './page-source.ts'
import { gatherProblems } from './render-problems.ts'
import type { RenderInput } from './render-site.ts'
import { isInSearch, searchHref, searchPage } from './search-index.ts'
import { openSearchWriter } from './search-writer.ts'
import { utilitiesSheet } from './site-sheets.ts'

export interface LiveRenderer {
  /** A new state of the files; pages of the one before can still be asked for. */
  open(input: RenderInput): Promise<LiveSite>
  /** Ends the render children. */
  [Symbol.asyncDispose](): Promise<void>
}

/** One state. All reject when the files are no longer those of the tree, and when `signal` aborts. */
export interface LiveSite {
  readonly input: RenderInput
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
  objects: ObjectStore
  log: Log
}

/** What stays from state to state. */
interface Kept {
  builtIns: BuiltIns
  bodies: PageBodies
  facts: Map<string, PageFacts>
  /** By route: the page when it last compiled. */
  good: Map<string, RenderedPage>
  sizes: ReturnType<typeof createImageSizes>
  /** Content of each image whose size is known. */
  measured: Map<string, string>
  utilities: KeptFew<Promise<Awaited<ReturnType<typeof utilitiesSheet>>>>
  islands: KeptFew<ReturnType<typeof siteIslands>>
  /** Sheets and scripts that pages name, by path. */
  files: KeptFew<string>
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

export async function openLiveRenderer(deps: Deps, children: number): Promise<LiveRenderer> {
  const builtIns = await loadBuiltIns()
  const bodies = openPageBodies({ ...deps, children })
  const kept: Kept = {
    builtIns,
    bodies,
    facts: new Map(),
    good: new Map(),
    sizes: createImageSizes(),
    measured: new Map(),
    utilities: keepFew(KEPT_PARTS),
    islands: keepFew(KEPT_PARTS),
    files: keepFew(KEPT_FILES),
  }
  let last: { input: RenderInput; frame: LiveFrame } | null = null
  return {
    open: async (input) => {
      const isSameFrame = last !== null && last.input.site.pages === input.site.pages
      const frame = isSameFrame && last ? last.frame : await createLiveFrame(input, builtIns)
      last = { input, frame }
      return createLiveSite(kept, input, frame)
    },
    [Symbol.asyncDispose]: () => bodies[Symbol.asyncDispose](),
  }
}

function createLiveSite(kept: Kept, input: RenderInput, frame: LiveFrame): LiveSite {
  const { site, tree } = input
  const { plan, names, links, layout } = frame
  const sources = createSourceReader(site, tree)
  const builtIn = builtInFiles(kept.builtIns)
  const routesOfTwins = new Map([...names.twins].map(([route, path]) => [path, route]))

  const pageOf = (route: string): SitePage => {
    const page = plan.included.has(route) ? site.pages.get(route) : undefined
    if (!page) throw new Error(`there is no page ${route} in this state of the site`)
    return page
  }

  const filesOf = (page: SitePage): string[] =>
    page.file === null ? [] : [page.file, ...moduleClosure(site, page.file).map(({ path }) => path)]

  const stampOf = (page: SitePage): string =>
    [frame.id, ...filesOf(page).map((file) => tree.files.get(file)?.digest)].join(' ')

  const render = async (page: SitePage, signal: AbortSignal): Promise<RenderedPage> => {
    const source = await sources.read(page)
    const body = await kept.bodies.get(source, signal)
    const { sections, problems } = body
    kept.facts.set(page.route, { stamp: stampOf(page), sections, problems, anchors: anchorsOf(body) })
    return { source, body }
  }

  const factsOf = (page: SitePage): PageFacts | null => {
    const facts = kept.facts.get(page.route)
    return facts?.stamp === stampOf(page) ? facts : null
  }

  let surveying: Promise<void> | null = null

  /** One page after the other, so that a page that somebody waits for is not far behind. */
  const surveyAll = async (signal: AbortSignal) => {
    for (const page of plan.pages) {
      signal.throwIfAborted()
      if (factsOf(page) === null) await render(page, signal)
    }
  }

  const survey = (signal: AbortSignal): Promise<void> => {
    surveying ??= surveyAll(signal).finally(() => {
      surveying = null
    })
    return surveying
  }

  return {
    input,
    has: (route) => plan.included.has(route),
    page: async (route, signal) => {
      const page = pageOf(route)
      const now = await render(page, signal)
      const isBroken = now.body.problems.some(({ code, level }) => code === 'mdx.syntax' && level === 'error')
      if (!isBroken) kept.good.set(route, now)
      const { source, body } = (isBroken && kept.good.get(route)) || now
      await measureImages(kept, input, body.html)
      const islands = await islandsOf(kept, input, { page, source, body })
      frame.islandScripts.set(route, islands.scripts.get(route) ?? [])
      const utilities = await utilitiesOf(kept, links, [...body.classes, ...islands.classes])
      const html = layout.page(route, { ...body, html: kept.sizes.apply(body.html) })
      return {
        html: html.replaceAll(UTILITIES_PLACE, () => utilities.path),
        isBroken,
        files: new Set(filesOf(page)),
      }
    },
    notFound: () => layout.notFound().replace(`<link rel="stylesheet" href="/${UTILITIES_PLACE}">`, ''),
    file: async (path, signal) => {
      const own = builtIn.get(path) ?? frame.files.get(path) ?? kept.files.get(path)
      if (own !== undefined) return own
      const asset = frame.assets.get(path)
      if (asset !== undefined) return servedAsset(links, path, await tree.read(asset))
      const route = routesOfTwins.get(path)
      if (route !== undefined && plan.included.has(route)) {
        const page = pageOf(route)
        const { body } = await render(page, signal)
        const { canonicalLink } = links
        return markdownTwin({ site, canonicalLink, directories: frame.directories }, page, body.markdown)
      }
      const language = frame.searchIndexes.get(path)
      if (language === undefined) return null
      await survey(signal)
      return searchScript(
        links,
        plan.pages.filter((page) => page.language === language),
        kept,
      )
    },
    survey,
    problems: async () => {
      const known = plan.pages.flatMap((page) => {
        const facts = factsOf(page)
        return facts ? { page, ...facts } : []
      })
      const all = gatherProblems([
        site.problems,
        names.problems,
        known.flatMap(({ problems }) => problems),
        // A link to a page that was not rendered yet is not judged.
        await anchorProblems({ site, tree, pages: known }),
      ])
      return all.filter(({ level }) => level !== 'hint')
    },
  }
}

function builtInFiles(builtIns: BuiltIns): Map<string, string | Uint8Array> {
  const { style, mainScript, searchScript, islandsScript, fonts, math, mermaid } = builtIns
  const all = [style, mainScript, searchScript, islandsScript, mermaid, ...fonts, ...math]
  return new Map(all.map(({ path, content }) => [path, content]))
}

/** Learns the sizes of the images that a page shows. */
async function measureImages(kept: Kept, { site, tree }: RenderInput, html: string): Promise<void> {
  for (const asset of kept.sizes.imagesIn(html)) {
    const digest = site.assets.has(asset) ? tree.files.get(asset)?.digest : undefined
    if (digest === undefined || kept.measured.get(asset) === digest) continue
    kept.sizes.learn(asset, await tree.read(asset))
    kept.measured.set(asset, digest)
  }
}

async function islandsOf(
  kept: Kept,
  { site }: RenderInput,
  { page, source, body }: RenderedPage & { page: SitePage },
): ReturnType<typeof siteIslands> {
  const key = `${page.route} ${source.key}`
  const made =
    kept.islands.get(key) ??
    siteIslands([{ page, source, facts: body }], {
      runtime: kept.builtIns.islandsScript,
      iconLibrary: site.config.icons.library,
    })
  kept.islands.set(key, made)
  const islands = await made
  for (const { path, content } of islands.files) kept.files.set(path, content)
  return islands
}

async function utilitiesOf(kept: Kept, links: LiveFrame['links'], classes: readonly string[]) {
  const key = [...new Set(classes)].sort().join(' ')
  const made = kept.utilities.get(key) ?? utilitiesSheet(classes, links)
  kept.utilities.set(key, made)
  const sheet = await made
  kept.files.set(sheet.path, sheet.content)
  return sheet
}

/** The pages are those of one language. */
async function searchScript(
  links: LiveFrame['links'],
  pages: readonly SitePage[],
  { facts }: Kept,
): Promise<string | null> {
  await using search = openSearchWriter()
  for (const [place, page] of pages.filter(isInSearch).entries())
    search.add(place, searchPage(page, searchHref(links, page), facts.get(page.route)?.sections ?? []))
  const [script] = await search.finish()
  return script?.content ?? null
}
