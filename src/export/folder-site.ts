/** A folder of docs as the command line reads it: its site, and what other servers have for it. */
import { createGuardedFetch, type GuardedFetch } from '../base/guarded-fetch.ts'
import { createLog, type Log } from '../base/log.ts'
import { type ExportDeployment, type FeatureChoices, resolveFeatures } from '../contract/features.ts'
import { openPassingStore } from '../objects/passing-store.ts'
import type { RenderInput } from '../render/page/render-input.ts'
import type { RenderDeps } from '../render/plan/render-scope.ts'
import { createSizeFetch } from '../render/remote/picture-sizes.ts'
import { createRemoteFetch } from '../render/remote/remote-files.ts'
import { createSpecFetch } from '../render/remote/remote-specs.ts'
import { openSiteMemory } from '../render/site-memory.ts'
import { startAhead } from '../render/start-ahead.ts'
import { loadAfter } from '../site/load-site.ts'
import type { Audience } from '../site/page-readers.ts'
import { siteOrigin } from '../site/site-origin.ts'
import type { FolderFiles, FolderFilesInput } from './folder-files.ts'

export interface FolderInput extends FolderFilesInput {
  deployment: ExportDeployment
  /** Where the pages will be read, without a trailing slash; left out, it is what docs.json says. */
  origin?: string
  /** Nothing is asked of other servers, whatever the site names there. */
  isOffline?: boolean
  /** Whom the pages are for; every page when left out. */
  audience?: Audience
  /** Left out: what goes wrong goes to standard error. */
  log?: Log
  signal: AbortSignal
}

export interface FolderSite {
  /** `renderer` only when it was asked for, and from when the site is read. */
  deps: Pick<RenderDeps, 'objects' | 'isPassing' | 'log' | 'fetchRemote' | 'fetchSizes' | 'renderer'>
  /** Rejects with SiteUnloadableError when there is no site. */
  read(features?: FeatureChoices): Promise<RenderInput>
  /** Another server was asked for something: what it says may change at any time. */
  hasAsked(): boolean
  [Symbol.asyncDispose](): Promise<void>
}

export async function openFolderSite(
  { deployment, origin, isOffline = false, audience = 'all', log = createLog('warn'), signal }: FolderInput,
  { tree, cache }: Pick<FolderFiles, 'tree' | 'cache'>,
  /** Processes that render; the first starts when the site is read. */
  renderChildren?: number,
): Promise<FolderSite> {
  await using opening = new AsyncDisposableStack()
  const objects = cache ?? opening.use(await openPassingStore())
  const anywhere = opening.use(createGuardedFetch())
  const { guardedFetch, hasAsked } = noticing(anywhere)
  const deps = { guardedFetch, objects, log }
  const fetchSpec = isOffline ? {} : { fetchSpec: createSpecFetch(deps, signal) }
  const fetchRemote = isOffline ? {} : { fetchRemote: createRemoteFetch(deps, signal) }
  // A size is kept by the address of its picture: it is asked for once, and what was built stays as good as it was.
  const asking = { guardedFetch: anywhere, objects, log }
  const fetchSizes = isOffline ? {} : { fetchSizes: createSizeFetch(asking, signal) }
  const siteDeps: FolderSite['deps'] = {
    objects,
    isPassing: cache === null,
    log,
    ...fetchRemote,
    ...fetchSizes,
  }
  const open = opening.move()
  return {
    deps: siteDeps,
    hasAsked,
    read: async (features) => {
      const memory = cache && (await openSiteMemory(cache))
      if (renderChildren !== undefined)
        siteDeps.renderer = open.use(
          startAhead(tree, memory?.last ?? null, { children: renderChildren, log }),
        )
      const loaded = await loadAfter(tree, memory?.last ?? null, { ...fetchSpec, audience })
      await memory?.keep(loaded)
      const { site, settingFiles } = loaded
      return {
        site,
        settingFiles,
        tree,
        deployment,
        features: resolveFeatures(deployment, features),
        origin: origin ?? siteOrigin(site.config.seo.metatags.canonical ?? ''),
        siteId: null,
        platformUrl: null,
        widgets: {},
        repository: null,
      }
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

function noticing(guardedFetch: GuardedFetch): { guardedFetch: GuardedFetch; hasAsked(): boolean } {
  let asked = false
  return {
    guardedFetch: {
      ...guardedFetch,
      fetch: (url, request) => {
        asked = true
        return guardedFetch.fetch(url, request)
      },
    },
    hasAsked: () => asked,
  }
}
