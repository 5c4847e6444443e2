/** What runs in the process of a site: the whole of a build. Loaded there and nowhere else. */
import { boundProblems } from '../contract/problem.ts'
import { type OpenInside, Packed } from '../sandbox/inside.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { type BuildRequest, buildSite } from './build-site.ts'
import type { RenderProgress } from './plan/render-scope.ts'
import { createSizeFetch } from './remote/picture-sizes.ts'
import { createRemoteFetch } from './remote/remote-files.ts'
import { createSpecFetch } from './remote/remote-specs.ts'
import type { BuiltSite } from './site-process.ts'
import { encodeManifest } from './versions/manifest-text.ts'

interface BuildCall {
  request: BuildRequest
  children: number
  memory?: string
}

export const open: OpenInside = (inside) => ({
  async build({ request, ...given }: BuildCall): Promise<Packed> {
    const { signal } = new AbortController() // whoever wants an end ends the process
    const deps = {
      objects: inside.objects,
      log: inside.log,
      ...given,
      fetchSpec: createSpecFetch(inside, signal),
      fetchRemote: createRemoteFetch(inside, signal),
      fetchSizes: createSizeFetch(inside, signal),
    }
    try {
      const { manifest, problems } = await buildSite(
        deps,
        inside.tree,
        request,
        seldom(inside.report),
        signal,
      )
      return packed({ problems: boundProblems(problems) }, await encodeManifest(manifest))
    } catch (error) {
      if (error instanceof SiteUnloadableError) return packed({ unloadable: boundProblems(error.problems) })
      throw error
    }
  },
})

/** Milliseconds. Thousands of pages that are there already are done in less than it takes to tell of each. */
const REPORT_MS = 50

/** The end of each pass is told whenever it comes. */
function seldom(report: (progress: RenderProgress) => void): (progress: RenderProgress) => void {
  let next = 0
  return (progress) => {
    const { pagesDone, pagesTotal, pagesLaidOut } = progress
    const isEnd = pagesDone === pagesTotal && (pagesLaidOut === 0 || pagesLaidOut === pagesTotal)
    const now = performance.now()
    if (!isEnd && now < next) return
    next = now + REPORT_MS
    report(progress)
  }
}

function packed(built: BuiltSite, manifest: Uint8Array = new Uint8Array()): Packed {
  return new Packed(built, manifest)
}
