/** A tree of files to a site version, in this process: the folder is loaded, its pages are rendered. */
import type { FileTree } from '../base/file-tree.ts'
import { sha256, sha256Of } from '../base/hash.ts'
import { PermanentError } from '../contract/permanent-error.ts'
import type { Problem } from '../contract/problem.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { type LoadedSite, loadAfter } from '../site/load-site.ts'
import type { Site } from '../site/model.ts'
import { withDates } from '../site/page-dates.ts'
import type { SpecFetch } from '../site/spec-sources.ts'
import type { BodyRenderer } from './page/body.ts'
import type { RenderInput } from './page/render-input.ts'
import type { RenderDeps, RenderProgress } from './plan/render-scope.ts'
import { type RenderedSite, renderSite } from './render-site.ts'
import { openHostedMemory } from './site-memory.ts'
import { startAhead } from './start-ahead.ts'
import { type KeptFiles, openKeptFiles } from './versions/kept-files.ts'
import { createSiteFiles, type SiteFiles } from './versions/site-files.ts'

export interface BuildDeps extends Omit<RenderDeps, 'files'> {
  objects: ObjectStore
  fetchSpec: SpecFetch
}

/** How a site is to be rendered; plain data. */
export type BuildRequest = Omit<RenderInput, 'site' | 'tree' | 'settingFiles' | 'outside'>

/**
 * With a `memory` the last build that had the same is gone on with. Rejects with SiteUnloadableError or PermanentError
 * when there is nothing to render.
 */
export async function buildSite(
  deps: BuildDeps,
  tree: FileTree,
  request: BuildRequest,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<RenderedSite> {
  await using starting = new AsyncDisposableStack()
  const { kept, files, renderer, ...read } = await readSite(deps, tree, request, starting, signal)
  const { site } = read
  const paths = checkPaths(site, request.paths)
  const input = { ...request, ...read, tree, ...(paths.known === null ? {} : { paths: paths.known }) }
  const { manifest, problems } = await renderSite({ ...deps, files, renderer }, input, report, signal)
  // That an icon is missing is told while its page is made: then all that has one is made again.
  if (!problems.some(({ code }) => code === 'icon.unknown')) await kept?.save()
  const isServed = request.deployment === 'cloud' && site.groups.length > 0
  return {
    manifest: isServed ? { ...manifest, groups: site.groups } : manifest,
    problems: [...paths.problems, ...problems],
  }
}

interface ReadSite extends Pick<LoadedSite, 'site' | 'settingFiles'> {
  /** What other servers have said for it. */
  outside: string
  /** What the last build has made of it. */
  kept: KeptFiles | null
  files: SiteFiles
  renderer: BodyRenderer | null
}

/** What takes its time elsewhere begins before the site is loaded. */
async function readSite(
  { objects, memory, fetchSpec, children = 2, log }: BuildDeps,
  tree: FileTree,
  { audience = 'all' }: BuildRequest,
  starting: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<ReadSite> {
  const specs = noting(fetchSpec)
  if (memory === undefined) {
    const { site, settingFiles } = await loadAfter(tree, null, { fetchSpec: specs.fetchSpec, audience })
    const files = createSiteFiles(objects)
    const dated = await withDates(site, tree)
    return { site: dated, settingFiles, outside: specs.said(), kept: null, files, renderer: null }
  }
  const [known, kept] = await Promise.all([
    openHostedMemory(objects, memory, specs.hasAsked),
    openKeptFiles(objects, memory),
  ])
  const files = createSiteFiles(objects, kept)
  const renderer = starting.use(await startAhead(tree, known.knows, { children, log }))
  const loaded = await known.load(tree, { fetchSpec: specs.fetchSpec, audience })
  const { site, settingFiles } = loaded
  await renderer?.begin(site, tree, signal)
  await known.keep(loaded)
  const dated = await withDates(site, tree)
  return { site: dated, settingFiles, outside: specs.said(), kept, files, renderer }
}

function noting(fetchSpec: SpecFetch): { fetchSpec: SpecFetch; said(): string; hasAsked(): boolean } {
  const said: string[] = []
  return {
    fetchSpec: async (url) => {
      const answer = await fetchSpec(url)
      said.push(JSON.stringify([url, 'bytes' in answer ? sha256(answer.bytes) : answer.fault]))
      return answer
    },
    said: () => sha256Of(...said.sort()),
    hasAsked: () => said.length > 0,
  }
}

/** Paths that are no pages are problems; when none is a page there is nothing to render. */
function checkPaths(
  site: Site,
  paths: readonly string[] | undefined,
): { known: string[] | null; problems: Problem[] } {
  if (paths === undefined) return { known: null, problems: [] }
  const known = paths.filter((path) => site.pages.has(path))
  const unknown = paths.filter((path) => !site.pages.has(path))
  if (known.length === 0)
    throw new PermanentError(
      'pages_missing',
      `None of the paths is a page of this site: ${unknown.slice(0, 10).join(', ')}.`,
    )
  return { known, problems: unknown.map(unknownPath) }
}

function unknownPath(path: string): Problem {
  return {
    file: 'docs.json',
    line: null,
    code: 'export.path_unknown',
    level: 'warning',
    message: `The export was asked for ${path}, which is no page of this site.`,
    remedy: 'Give the path as it stands in the address of the page.',
  }
}
