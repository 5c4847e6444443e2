/** What a rendering works with: what it is given, what it has planned, and where what it makes goes. */
import type { Log } from '../../base/log.ts'
import type { ObjectCache } from '../../objects/object-cache.ts'
import type { SitePage } from '../../site/model.ts'
import type { ChildAhead } from '../bodies/child-process.ts'
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
  /** Where the files of the site go. */
  files: SiteFiles
  log: Log
  /** Render child processes; 2 when left out. */
  children?: number
  /** The first of them, when it was started before. */
  ahead?: ChildAhead | null
  /** For files that a site names on other servers; without it nothing is asked of them. */
  fetchRemote?: RemoteFetch
  /** For pictures of other servers that stay there; without it they have no size before they come. */
  fetchSizes?: SizeFetch
}

export interface RenderProgress {
  pagesDone: number
  pagesTotal: number
  /** After all are done. */
  pagesLaidOut: number
}

/** Where what is rendered goes. */
export interface Outputs {
  /** Only problems are wanted. */
  isCheck: boolean
  files: SiteFiles
  /** Null: neither twins nor the text of all pages are made. */
  fullText: FullText | null
  search: SearchThread | null
  /** Null: nobody answers questions about the site. */
  passages: PassageWriter | null
}

export interface RenderScope extends Outputs {
  deps: RenderDeps
  input: RenderInput
  plan: readonly SitePage[]
  /** Where `/` leads when nothing lies there. */
  start: string | null
  names: OutputNames
  links: LinkRewriter
  icons: IconInliner
  sizes: ImageSizes
  remoteAssets: RemoteAssets
  /** Site paths of the data of forms, by route; filled page by page, null when forms are off. */
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
  /** Of its body. */
  key: string
  /** What its islands can reach; the texts of all other pages are not kept. */
  modules: BodyRequest['modules']
  /** The parts of a body that the site needs between the two passes. */
  facts: Pick<RenderedBody, 'usesMath' | 'usesMermaid' | 'islands' | 'problems' | 'anchors' | 'remote'>
}
