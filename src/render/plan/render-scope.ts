/** Scope of a render: input, plan and outputs. */
import type { Log } from '../../base/log.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import type { SitePage } from '../../site/model.ts'
import type { PrestartedChild } from '../bodies/child-process.ts'
import { createIconInliner, type IconInliner } from '../icons/icons.ts'
import { createLinkRewriter, type LinkRewriter } from '../links/links.ts'
import type { PassageWriter } from '../outputs/passages.ts'
import type { BodyRequest, RenderedBody } from '../page/body.ts'
import type { RenderInput } from '../page/render-input.ts'
import { createImageSizes, type ImageSizes } from '../remote/image-sizes.ts'
import type { SizeFetch } from '../remote/picture-sizes.ts'
import { createRemoteAssets, NO_REMOTE_ASSETS, type RemoteAssets } from '../remote/remote-assets.ts'
import type { RemoteFetch } from '../remote/remote-files.ts'
import type { SearchThread } from '../search/search-thread.ts'
import type { FullText } from '../versions/full-text.ts'
import type { OutputNames } from '../versions/output-names.ts'
import type { SiteFiles } from '../versions/site-files.ts'
import { planPages } from './plan.ts'

export interface RenderDeps {
  cache: ObjectCache
  files: SiteFiles
  log: Log
  /** Number of render children. Default 2. */
  children?: number
  /** The operator's command for samples in languages that Octavo does not run; null or absent for none. */
  sampleRunner?: string | null
  ahead?: PrestartedChild | null
  /** Downloads remote files. If left out, there are no requests. */
  fetchRemote?: RemoteFetch
  /** Determines the sizes of remote images that are not copied. If left out, their sizes are unknown. */
  fetchSizes?: SizeFetch
}

export interface RenderProgress {
  pagesDone: number
  pagesTotal: number
  /** 0 until all pages are rendered. */
  pagesLaidOut: number
}

export interface Outputs {
  /** Whether only problems are collected. */
  isCheck: boolean
  files: SiteFiles
  /** Null if neither Markdown versions nor the full text are written. */
  fullText: FullText | null
  search: SearchThread | null
  /** Null if the site has no assistant. */
  passages: PassageWriter | null
}

export interface RenderScope extends Outputs {
  deps: RenderDeps
  input: RenderInput
  plan: readonly SitePage[]
  /** Target of `/` if the site has no page there. */
  start: string | null
  names: OutputNames
  links: LinkRewriter
  icons: IconInliner
  sizes: ImageSizes
  remoteAssets: RemoteAssets
  /** Paths of playground data by route, added for each page; null if disabled. */
  playgrounds: Map<string, string> | null
}

export function createScope(deps: RenderDeps, input: RenderInput, outputs: Outputs): RenderScope {
  const { site, deployment, origin } = input
  const { pages: plan, included, names, start } = planPages(input)
  const sizes = createImageSizes()
  const { fetchRemote } = deps
  const remoteAssets =
    fetchRemote && deployment === 'air-gapped'
      ? createRemoteAssets({ fetchRemote, files: outputs.files, names, sizes })
      : NO_REMOTE_ASSETS
  const links = createLinkRewriter({ site, deployment, names, included, origin, start, remoteAssets })
  return {
    ...outputs,
    deps,
    input,
    plan,
    start,
    names,
    links,
    icons: createIconInliner(),
    sizes,
    remoteAssets,
    playgrounds: input.features.playground ? new Map() : null,
  }
}

export interface PlannedPage {
  page: SitePage
  key: string
  /** Modules that islands may import. Not retained for pages without islands. */
  modules: BodyRequest['modules']
  /** Parts of the body that are retained between the two passes. */
  facts: Pick<
    RenderedBody,
    'usesMath' | 'usesMermaid' | 'islands' | 'problems' | 'anchors' | 'remote' | 'samples'
  >
}
