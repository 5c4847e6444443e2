/** Builds a site version from a file tree: all pages and files, and their manifest. */
import { PermanentError } from '../base/errors/permanent-error.ts'
import type { Problem } from '../base/errors/problem.ts'
import type { FileTree } from '../base/files/file-tree.ts'
import { rootPath } from '../search/root-path.ts'
import { loadSite } from '../site/load-site.ts'
import type { Site } from '../site/model.ts'
import { withDates } from '../site/pages/page-dates.ts'
import type { SpecFetch } from '../site/reference/spec-sources.ts'
import { siteOrigin } from '../site/site-origin.ts'
import { type PrestartedChild, prestartChild } from './bodies/child-process.ts'
import { openPageBodies, type PageBodies } from './bodies/page-bodies.ts'
import { loadBuiltIns } from './machinery/built-ins.ts'
import { writeAssets } from './outputs/assets.ts'
import { writeGeneratedFiles } from './outputs/finish.ts'
import { createPassageWriter } from './outputs/passages.ts'
import type { RenderInput } from './page/render-input.ts'
import { type LazySite, openLazySite, type PageParts } from './plan/lazy-site.ts'
import { layOutPages, type RenderedPages, renderBodies } from './plan/page-passes.ts'
import { createScope, type RenderDeps, type RenderProgress, type RenderScope } from './plan/render-scope.ts'
import { siteProblems } from './plan/site-problems.ts'
import { listChromeUrls } from './remote/chrome-addresses.ts'
import { createSearchRootContent } from './search/search-files.ts'
import { indexSettings } from './search/search-pages.ts'
import { openSearchThread } from './search/search-thread.ts'
import { loadUtilities } from './theme/site-sheets.ts'
import { siteThumbnails } from './thumbnail/site-thumbnails.ts'
import { touchIcon } from './thumbnail/touch-icon.ts'
import type { SiteManifest } from './versions/manifest.ts'
import { createDiscardingFiles } from './versions/site-files.ts'

export interface RenderedSite {
  manifest: SiteManifest
  problems: Problem[]
}

export interface BuildDeps extends RenderDeps {
  /** If left out, remote descriptions are reported as problems. */
  fetchSpec?: SpecFetch
}

/** Rendering options that can be serialized. */
export type BuildRequest = Omit<RenderInput, 'site' | 'tree' | 'origin'> & {
  /** Defaults to the origin in the site's settings. */
  origin?: string | null
}

type ReportProgress = (progress: RenderProgress) => void

/**
 * Rejects with SiteUnloadableError or PermanentError if there is nothing to render, and for the same reasons as
 * `renderSite`.
 */
export async function buildSite(
  deps: BuildDeps,
  tree: FileTree,
  request: BuildRequest,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<RenderedSite> {
  await using ahead = openPrestartedChild(deps)
  const input = await loadInput(deps, tree, request)
  const { site } = input
  const { knownPaths, problems: unknownPathProblems } = checkPaths(site, request.paths)
  const { manifest, problems } = await renderSite(
    { ...deps, ahead },
    knownPaths === null ? input : { ...input, paths: knownPaths },
    report,
    signal,
  )
  const isServed = request.deployment === 'cloud' && site.groups.length > 0
  return {
    manifest: isServed ? { ...manifest, groups: site.groups } : manifest,
    problems: [...unknownPathProblems, ...problems],
  }
}

/** Returns the problems that `buildSite` would report, without storing output. */
export async function checkSite(
  deps: Omit<BuildDeps, 'files'>,
  tree: FileTree,
  request: BuildRequest,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<{ pageCount: number; problems: Problem[] }> {
  await using ahead = openPrestartedChild(deps)
  const input = await loadInput(deps, tree, request)
  const outputs = {
    isCheck: true,
    files: createDiscardingFiles(),
    fullText: null,
    search: null,
    passages: null,
  }
  const scope = createScope({ ...deps, ahead, files: outputs.files }, input, outputs)
  await using bodies = openBodies(scope)
  const { problems } = await renderPages(scope, bodies, report, signal)
  return { pageCount: scope.plan.length, problems }
}

/** Starts a child while the site is loaded, unless the cache may contain the pages. */
function openPrestartedChild({ cache }: Pick<BuildDeps, 'cache'>): PrestartedChild | null {
  return cache.isEmpty ? prestartChild() : null
}

async function loadInput(
  { fetchSpec }: Pick<BuildDeps, 'fetchSpec'>,
  tree: FileTree,
  request: BuildRequest,
): Promise<RenderInput> {
  const { audience = 'all', origin } = request
  const site = await withDates(await loadSite(tree, { ...(fetchSpec && { fetchSpec }), audience }), tree)
  const own = siteOrigin(site.config.seo.metatags.canonical ?? '')
  return { ...request, site, tree, origin: origin === undefined ? own : origin }
}

/**
 * Renders a loaded site to a site version. The manifest depends only on the input, not on the state of the
 * cache. Rejects if `signal` aborts or the store fails, never because of content.
 */
export async function renderSite(
  deps: RenderDeps,
  input: RenderInput,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<RenderedSite> {
  const { files, log } = deps
  await using search = input.features.search
    ? openSearchThread(indexSettings(input.site), ({ path, content }) => files.add(path, content))
    : null
  const fullText = files.openText()
  const passages = input.features.assistant ? createPassageWriter(input.site, files) : null
  const scope = createScope(deps, input, { isCheck: false, files, fullText, search, passages })
  await using bodies = openBodies(scope)
  const { layout, builtIns, problems } = await renderPages(scope, bodies, report, signal)
  await passages?.write()
  const manifest = await writeGeneratedFiles({ ...scope, layout, fullText, style: builtIns.style.path })
  const fileCount = Object.keys(manifest.files).length
  const counts = { pages: scope.plan.length, rendered: bodies.renderedCount(), files: fileCount }
  log.info({ ...counts, deployment: input.deployment }, 'site.rendered')
  return { manifest, problems }
}

function openBodies({ deps, plan, isCheck }: RenderScope): PageBodies {
  return openPageBodies({ ...deps, children: deps.children ?? 2, pages: plan.length, isPlain: isCheck })
}

/**
 * Renders the bodies of all pages in a first pass, to determine the files that the site requires. Lays out the pages in
 * a second pass, when the file names are known. Creates images and the search index in parallel.
 */
async function renderPages(
  scope: RenderScope,
  bodies: PageBodies,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<Pick<LazySite, 'layout' | 'builtIns'> & { problems: Problem[] }> {
  const { deps, input, isCheck } = scope
  const drawing = deferRejection(touchIcon(input))
  const thumbnailing = deferRejection(isCheck ? Promise.resolve(null) : siteThumbnails({ ...deps, input }))
  const [rendered] = await Promise.all([
    renderBodies(scope, bodies, report, signal),
    // Loads the input of the layout while other processes render.
    loadBuiltIns(),
    loadUtilities(),
  ])
  const searching = deferRejection(writeSearch(scope))
  await Promise.all([bodies.closeChildren(), fetchRemoteFacts(scope, rendered)])
  // A check reads static assets only for air-gapped bundles, because their assets must not refer to remote files.
  const readsAssets = !isCheck || input.deployment === 'air-gapped'
  const remote = readsAssets ? await writeAssets({ ...scope, tree: input.tree }, signal) : []
  await using thumbnails = await thumbnailing()
  const site = await openLazySite(scope, { touchIcon: await drawing(), thumbnails, hasServices: true })
  const { pages } = rendered
  const parts = await site.loadParts(pages, rendered.classes)
  site.use(parts)
  await writeSiteFiles(scope, site, parts)
  remote.push(...(await layOutPages({ ...scope, bodies, pages, layout: site.layout }, report, signal)))
  await thumbnails?.write(scope.files)
  await searching()
  const problems = await siteProblems(scope, pages, [site.problems, parts.problems, remote])
  return { ...site, problems }
}

async function fetchRemoteFacts(
  { deps, input, sizes, remoteAssets }: RenderScope,
  { pages, pictures }: RenderedPages,
): Promise<void> {
  if (deps.fetchSizes && pictures.size > 0) sizes.addSizes(await deps.fetchSizes.find([...pictures].sort()))
  const remoteUrls = pages.flatMap(({ facts }) => facts.remote)
  await remoteAssets.download([...listChromeUrls(input.site), ...remoteUrls])
}

async function writeSiteFiles(
  { files, names, isCheck }: RenderScope,
  site: LazySite,
  parts: PageParts,
): Promise<void> {
  // Lists of all pages cannot have problems, so a check omits them.
  const own = isCheck ? [] : [...site.files].map(([path, content]) => ({ path, content: content() }))
  // Languages without a translation share a file.
  for (const { path, content } of [...own, ...parts.files])
    if (!names.has(path)) await files.add(names.claim(path), content)
  for (const { path } of Object.values(site.search.indexes)) names.claim(path)
}

/** Writes the index while pages are laid out, because its URL is known in advance. */
async function writeSearch({ search, files }: RenderScope): Promise<void> {
  for (const script of (await search?.finish()) ?? [])
    await files.add(rootPath(script.language), await createSearchRootContent(script))
}

/** Reports unknown paths. Throws PermanentError if no path is valid. */
function checkPaths(
  site: Site,
  paths: readonly string[] | undefined,
): { knownPaths: string[] | null; problems: Problem[] } {
  if (paths === undefined) return { knownPaths: null, problems: [] }
  const knownPaths = paths.filter((path) => site.pages.has(path))
  const unknownPathProblems = paths.filter((path) => !site.pages.has(path))
  if (knownPaths.length === 0)
    throw new PermanentError(
      'pages_missing',
      `None of these paths is a page of this site: ${unknownPathProblems.slice(0, 10).join(', ')}.`,
    )
  return { knownPaths, problems: unknownPathProblems.map(createUnknownPathProblem) }
}

function createUnknownPathProblem(path: string): Problem {
  return {
    file: 'docs.json',
    line: null,
    code: 'export.path_unknown',
    level: 'warning',
    message: `The requested path ${path} is not a page of this site.`,
    remedy: 'Use the path of the page as it appears in its URL.',
  }
}

/** Returns a function that awaits the work. Until it is called, a rejection is not reported as unhandled. */
function deferRejection<Result>(work: Promise<Result>): () => Promise<Result> {
  const settled = work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  return async () => {
    const outcome = await settled
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
}
