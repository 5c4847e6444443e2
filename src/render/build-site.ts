/** A tree of files to a site version, in this process: the folder is loaded, its pages are rendered. */
import type { FileTree } from '../base/file-tree.ts'
import { PermanentError } from '../contract/permanent-error.ts'
import type { Problem } from '../contract/problem.ts'
import { loadSite } from '../site/load-site.ts'
import type { Site } from '../site/model.ts'
import type { SpecFetch } from '../site/spec-sources.ts'
import type { RenderInput } from './page/render-input.ts'
import type { RenderDeps, RenderProgress } from './plan/render-scope.ts'
import { type RenderedSite, renderSite } from './render-site.ts'

export interface BuildDeps extends RenderDeps {
  fetchSpec: SpecFetch
}

/** How a site is to be rendered; plain data. */
export type BuildRequest = Omit<RenderInput, 'site' | 'tree'>

/** Rejects with SiteUnloadableError or PermanentError when there is nothing to render. */
export async function buildSite(
  { fetchSpec, ...deps }: BuildDeps,
  tree: FileTree,
  request: BuildRequest,
  report: (progress: RenderProgress) => void,
  signal: AbortSignal,
): Promise<RenderedSite> {
  const { audience = 'all' } = request
  const site = await loadSite(tree, { fetchSpec, audience })
  const paths = checkPaths(site, request.paths)
  const input = { ...request, site, tree, ...(paths.known === null ? {} : { paths: paths.known }) }
  const { manifest, problems } = await renderSite(deps, input, report, signal)
  const isServed = request.deployment === 'cloud' && site.groups.length > 0
  return {
    manifest: isServed ? { ...manifest, groups: site.groups } : manifest,
    problems: [...paths.problems, ...problems],
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
