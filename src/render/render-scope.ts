/** What a rendering works with: what it is given, what it has planned, and where what it makes goes. */
import type { Log } from '../base/log.ts'
import type { ObjectCache } from '../objects/object-store.ts'
import type { SitePage } from '../site/model.ts'
import type { RenderedBody } from './body.ts'
import type { PageAnchors } from './check-anchors.ts'
import type { FullText } from './full-text.ts'
import { createIconInliner, type IconInliner } from './icons.ts'
import { createImageSizes, type ImageSizes } from './image-sizes.ts'
import { createLinkRewriter, type LinkRewriter } from './links.ts'
import type { OutputNames } from './output-names.ts'
import type { PageSource } from './page-source.ts'
import type { PassageWriter } from './passages.ts'
import { planPages } from './plan.ts'
import { createRemoteAssets, NO_REMOTE_ASSETS, type RemoteAssets } from './remote-assets.ts'
import type { RemoteFetch } from './remote-files.ts'
import type { RenderInput } from './render-input.ts'
import type { SearchWriter } from './search-writer.ts'
import type { SiteFiles } from './site-files.ts'

export interface RenderDeps {
  objects: ObjectCache
  /** What is put into `objects` is gone when this render is over. */
  isPassing?: boolean
  log: Log
  /** Render child processes; 2 when left out. */
  children?: number
  /** For files that a site names on other servers; without it nothing is asked of them. */
  fetchRemote?: RemoteFetch
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
  source: PageSource
  facts: PageFacts
}

/** What is kept of every body between the two passes. */
export type PageFacts = Pick<
  RenderedBody,
  'classes' | 'usesMath' | 'usesMermaid' | 'islands' | 'problems'
> & {
  anchors: PageAnchors
  /** What it names on other servers and a closed bundle has copies of. */
  remote: readonly string[]
}
