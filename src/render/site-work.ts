/** What runs in the process of a site: the whole of a build. Loaded there and nowhere else. */
import type { OpenInside } from '../sandbox/inside.ts'
import { SiteUnloadableError } from '../site/problems.ts'
import { type BuildRequest, buildSite } from './build-site.ts'
import { createRemoteFetch } from './remote-files.ts'
import { createSpecFetch } from './remote-specs.ts'
import type { BuiltSite } from './site-process.ts'

export const open: OpenInside = (inside) => ({
  async build({ request, children }: { request: BuildRequest; children: number }): Promise<BuiltSite> {
    const { signal } = new AbortController() // whoever wants an end ends the process
    const deps = {
      objects: inside.objects,
      log: inside.log,
      children,
      fetchSpec: createSpecFetch(inside, signal),
      fetchRemote: createRemoteFetch(inside, signal),
    }
    try {
      return { rendered: await buildSite(deps, inside.tree, request, inside.report, signal) }
    } catch (error) {
      if (error instanceof SiteUnloadableError) return { unloadable: error.problems }
      throw error
    }
  },
})
