/** Builds a complete site. Loaded only in the site's process. */
import { limitProblems } from '../base/errors/problem.ts'
import { createWriteOnlyCache } from '../objects/object-cache.ts'
import { type OpenInside, Packed } from '../sandbox/inside.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { type BuildRequest, buildSite } from './build.ts'
import type { RenderProgress } from './plan/render-scope.ts'
import { createSizeFetch } from './remote/picture-sizes.ts'
import { createRemoteFetch } from './remote/remote-files.ts'
import { createSpecFetch } from './remote/remote-specs.ts'
import type { BuiltSite } from './site-process.ts'
import { encodeManifest } from './versions/manifest-text.ts'
import { createSiteFiles } from './versions/site-files.ts'

interface BuildCall {
  request: BuildRequest
  children: number
  sampleRunner: string | null
  isFresh: boolean
}

export const open: OpenInside = (inside) => ({
  async build({ request, children, sampleRunner, isFresh }: BuildCall): Promise<Packed> {
    const { signal } = new AbortController() // to abort, the caller ends the process
    const { objects, log } = inside
    const cache = isFresh ? createWriteOnlyCache(inside.cache) : inside.cache
    const remote = { ...inside, cache }
    const deps = {
      cache,
      files: createSiteFiles(objects),
      log,
      children,
      sampleRunner,
      fetchSpec: createSpecFetch(remote, signal),
      fetchRemote: createRemoteFetch(remote, signal),
      fetchSizes: createSizeFetch(remote, signal),
    }
    try {
      const { manifest, problems } = await buildSite(
        deps,
        inside.tree,
        request,
        throttleReports(inside.report),
        signal,
      )
      return packed({ problems: limitProblems(problems) }, await encodeManifest(manifest))
    } catch (error) {
      if (error instanceof SiteUnloadableError) return packed({ unloadable: limitProblems(error.problems) })
      throw error
    }
  },
})

/**
 * Milliseconds between reports, because thousands of cached pages finish faster than each could be reported.
 */
const REPORT_INTERVAL_MS = 50

/** Throttles reports, except at the end of each pass. */
function throttleReports(report: (progress: RenderProgress) => void): (progress: RenderProgress) => void {
  let next = 0
  return (progress) => {
    const { pagesDone, pagesTotal, pagesLaidOut } = progress
    const isEnd = pagesDone === pagesTotal && (pagesLaidOut === 0 || pagesLaidOut === pagesTotal)
    const now = performance.now()
    if (!isEnd && now < next) return
    next = now + REPORT_INTERVAL_MS
    report(progress)
  }
}

function packed(built: BuiltSite, manifest: Uint8Array = new Uint8Array()): Packed {
  return new Packed(built, manifest)
}
