/** What a rendering works with: what it is given, what it has planned, and where what it makes goes. */
import type { Log } from '../../base/log.ts'
import type { ObjectCache } from '../../objects/object-store.ts'
import type { SitePage } from '../../site/model.ts'
import { createIconInliner, type IconInliner } from '../icons/icons.ts'
import { createLinkRewriter, type LinkRewriter } from '../links/links.ts'
import type { PassageWriter } from '../outputs/passages.ts'
import type { BodyRenderer, BodyRequest } from '../page/body.ts'
import type { RenderInput } from '../page/render-input.ts'
import { createImageSizes, type ImageSizes } from '../remote/image-sizes.ts'
import type { SizeFetch } from '../remote/picture-sizes.ts'
import { createRemoteAssets, NO_REMOTE_ASSETS, type RemoteAssets } from '../remote/remote-assets.ts'
import type { RemoteFetch } from '../remote/remote-files.ts'
import type { SearchWriter } from '../search/search-writer.ts'
import type { FullText } from '../versions/full-text.ts'
import type { OutputNames } from '../versions/output-names.ts'
import type { SiteFiles } from '../versions/site-files.ts'
import { createPageKeys, NO_KEYS, type PageKeys } from './page-keys.ts'
import type { PageFacts, PageMemory } from './page-memory.ts'
import { planPages } from './plan.ts'

export interface RenderDeps {
  objects: ObjectCache
  /** What is put into `objects` is gone when this render is over. */
  isPassing?: boolean
  log: Log
  /** Render child processes; 2 when left out. */
  children?: number
  /** One that was started ahead. */
  renderer?: BodyRenderer | null
  /** For files that a site names on other servers; without it nothing is asked of them. */
  fetchRemote?: RemoteFetch
  /** For pictures of other servers that stay there; without it they have no size before they come. */
  fetchSizes?: SizeFetch
  /** Where what is learnt of pages lies: a key ending in `/`; `stamps/` when left out. */
  memory?: string
  /** Where the files of the site go; into `objects`, packed, when left out. */
  files?: SiteFiles
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
  search: SearchWriter | null
  /** Null: nobody answers questions about the site. */
  passages: PassageWriter | null
  /** Null: bodies are read, whatever was learnt of them. */
  memory: PageMemory | null
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
  keys: PageKeys
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
    keys: outputs.files.takesEarlier ? createPageKeys(input) : NO_KEYS,
    playgrounds: input.features.playground ? new Map() : null,
  }
}

export interface PlannedPage {
  page: SitePage
  /** Of its body. */
  key: string
  /** What its islands can reach; the texts of all other pages are not kept. */
  modules: BodyRequest['modules']
  facts: PageFacts
  /** Addresses of pictures on other servers that have no size of their own, in their order. */
  pictures: readonly string[]
  /** Paths of the site's own, the same. */
  images: readonly string[]
}
