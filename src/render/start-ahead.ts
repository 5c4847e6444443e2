/** The processes that render pages, started while the site is still being loaded. */
import { setImmediate as turn } from 'node:timers/promises'
import type { FileTree } from '../base/file-tree.ts'
import { isModuleFile } from '../site/imports.ts'
import type { Site } from '../site/model.ts'
import { type BodyRendererOptions, childrenFor, openBodyRenderer } from './bodies/body-renderer.ts'
import { createSourceReader } from './bodies/page-source.ts'
import { ownBundle } from './machinery/own-bundles.ts'
import type { BodyRenderer, RenderedBody } from './page/body.ts'

export interface StartedRenderer extends BodyRenderer {
  /** Renders the pages of new files if they are few, before it is known what else there is to do; who asks gets these. */
  begin(site: Site, tree: FileTree, signal: AbortSignal): Promise<void>
}

/** For more the renderer would start a further process, which not every site is worth. */
const FEW_PAGES = 3

/**
 * Null when no page will have to be rendered, as far as can be told before the site is loaded: of each file that pages
 * are made of `isKnown` says whether an earlier build had it.
 */
export async function startAhead(
  { files }: FileTree,
  isKnown: (path: string, digest: string) => boolean,
  options: BodyRendererOptions,
): Promise<StartedRenderer | null> {
  const news = [...files].filter(([path, { digest }]) => isModuleFile(path) && !isKnown(path, digest))
  if (news.length === 0) return null
  const startedAhead = childrenFor(options.children, news.length)
  const renderer = openBodyRenderer({ ...options, startedAhead })
  // The process waits for it, and would do so until this thread has nothing else to do.
  await ownBundle('prelude.js').catch(() => {}) // told where a page is rendered
  return beginning(renderer, new Set(news.map(([path]) => path)))
}

function beginning(renderer: BodyRenderer, files: ReadonlySet<string>): StartedRenderer {
  const begun = new Map<string, { request: string; body: Promise<RenderedBody> }>()
  return {
    limit: (children) => renderer.limit(children),
    render: (request, signal) => {
      const known = begun.get(request.file)
      const isSame = known !== undefined && known.request === JSON.stringify(request)
      return isSame ? known.body : renderer.render(request, signal)
    },
    begin: async (site, tree, signal) => {
      const pages = [...site.pages.values()].filter(({ file }) => file !== null && files.has(file))
      if (pages.length > FEW_PAGES) return
      const sources = createSourceReader(site, tree)
      for (const page of pages) {
        const { request } = await sources.read(page)
        const body = renderer.render(request, signal)
        body.catch(() => {}) // told to who asks for it
        begun.set(request.file, { request: JSON.stringify(request), body })
      }
      // That the process is ready is heard in the second of two turns at the latest.
      await turn()
      await turn()
    },
    [Symbol.asyncDispose]: () => renderer[Symbol.asyncDispose](),
  }
}
