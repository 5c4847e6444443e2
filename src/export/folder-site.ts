/** A folder of docs as the command line reads it: its site, and what other servers have for it. */
import { createGuardedFetch, type GuardedFetch } from '../base/guarded-fetch.ts'
import { createLog, type Log } from '../base/log.ts'
import { type ExportDeployment, type FeatureChoices, resolveFeatures } from '../contract/features.ts'
import type { CacheFolder } from '../objects/cache-folder.ts'
import { openPassingStore } from '../objects/passing-store.ts'
import type { RenderInput } from '../render/page/render-input.ts'
import type { RenderDeps } from '../render/plan/render-scope.ts'
import { createSizeFetch } from '../render/remote/picture-sizes.ts'
import { createRemoteFetch } from '../render/remote/remote-files.ts'
import { createSpecFetch } from '../render/remote/remote-specs.ts'
import { openSiteImage, openSiteMemory, type SiteMemory } from '../render/site-memory.ts'
import { type StartedRenderer, startAhead } from '../render/start-ahead.ts'
import { type LoadedSite, loadAfter } from '../site/load-site.ts'
import { withDates } from '../site/page-dates.ts'
import type { Audience } from '../site/page-readers.ts'
import { siteImage } from '../site/site-image.ts'
import { siteOrigin } from '../site/site-origin.ts'
import type { BuildStamp } from './build-stamp.ts'
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
  /** Of the site that was read, for the next build; null when that has one of nearly the same. */
  image(): Uint8Array | null
  /** Another server was asked for something: what it says may change at any time. */
  hasAsked(): boolean
  [Symbol.asyncDispose](): Promise<void>
}

export interface Rendering {
  /** Processes. */
  children: number
  /** Null: the first starts when the site is read. */
  started: StartedRenderer | null
}

export async function openFolderSite(
  { deployment, origin, isOffline = false, audience = 'all', log = createLog('warn'), signal }: FolderInput,
  { tree, cache, stamp }: Pick<FolderFiles, 'tree' | 'cache' | 'stamp'>,
  /** Left out where nothing is rendered, or nothing ahead. */
  rendering?: Rendering,
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
  let image: Uint8Array | null = null
  return {
    deps: siteDeps,
    hasAsked,
    image: () => image,
    read: async (features) => {
      const memory = await openMemory(cache, stamp)
      const isKnown = (path: string, digest: string) => memory?.knows(path, digest) ?? false
      const renderer =
        rendering?.started ??
        (rendering ? open.use(await startAhead(tree, isKnown, { ...rendering, log })) : null)
      siteDeps.renderer = renderer
      const options = { ...fetchSpec, audience }
      const loaded = await (memory?.load(tree, options) ?? loadAfter(tree, null, options))
      await renderer?.begin(loaded.site, tree, signal)
      await memory?.keep(loaded)
      if (stamp && !memory?.isAlmost(loaded)) image = siteImage(loaded)
      const dated = { ...loaded, site: await withDates(loaded.site, tree) }
      return renderInput(dated, { deployment, origin, features: resolveFeatures(deployment, features) })
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function openMemory(cache: CacheFolder | null, stamp: BuildStamp | null): Promise<SiteMemory | null> {
  const image = (await stamp?.image()) ?? null
  return image === null ? cache && openSiteMemory(cache) : openSiteImage(image)
}

function renderInput(
  { site, settingFiles, tree }: LoadedSite,
  { origin, ...asked }: Pick<RenderInput, 'deployment' | 'features'> & { origin: string | undefined },
): RenderInput {
  return {
    site,
    settingFiles,
    tree,
    ...asked,
    origin: origin ?? siteOrigin(site.config.seo.metatags.canonical ?? ''),
    siteId: null,
    platformUrl: null,
    widgets: {},
    repository: null,
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
