/** Context of a render: its input, its plan, and the destination of its output. */
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
  /** Destination of the site's files. */
  files: SiteFiles
  log: Log
  /** Number of render child processes; 2 by default. */
  children?: number
  /** First child process, if it was started in advance. */
  ahead?: PrestartedChild | null
  /** For remote files used by a site; if omitted, no requests are made for them. */
  fetchRemote?: RemoteFetch
  /** For remote images that are not copied; if omitted, their size is unknown before they load. */
  fetchSizes?: SizeFetch
}

export interface RenderProgress {
  pagesDone: number
  pagesTotal: number
  /** Counted after all pages are rendered. */
  pagesLaidOut: number
}

/** Destinations of the output. */
export interface Outputs {
  /** Only problems are collected. */
  isCheck: boolean
  files: SiteFiles
  /** Null if neither twins nor the full text are made. */
  fullText: FullText | null
  search: SearchThread | null
  /** Null if the site has no assistant. */
  passages: PassageWriter | null
}

export interface RenderScope extends Outputs {
  deps: RenderDeps
  input: RenderInput
  plan: readonly SitePage[]
  /** Target of `/` if the site has nothing there. */
  start: string | null
  names: OutputNames
  links: LinkRewriter
  icons: IconInliner
  sizes: ImageSizes
  remoteAssets: RemoteAssets
  /** Paths of form data by route, added page by page; null if forms are off. */
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
  /** Cache key of the body. */
  key: string
  /** Modules available to its islands; the texts of other pages are dropped. */
  modules: BodyRequest['modules']
  /** Parts of a body that are used between the two passes. */
  facts: Pick<RenderedBody, 'usesMath' | 'usesMermaid' | 'islands' | 'problems' | 'anchors' | 'remote'>
}
