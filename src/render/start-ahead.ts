/** The first process that renders pages, started while the site is still being loaded. */
import type { FileTree } from '../base/file-tree.ts'
import { isModuleFile } from '../site/imports.ts'
import { type BodyRendererOptions, openBodyRenderer } from './bodies/body-renderer.ts'
import { ownBundle } from './machinery/own-bundles.ts'
import type { BodyRenderer } from './page/body.ts'

/**
 * Null when no page will have to be rendered, as far as can be told before the site is loaded: of each file that pages
 * are made of `isKnown` says whether an earlier build had it.
 */
export async function startAhead(
  { files }: FileTree,
  isKnown: (path: string, digest: string) => boolean,
  options: BodyRendererOptions,
): Promise<BodyRenderer | null> {
  if (![...files].some(([path, { digest }]) => isModuleFile(path) && !isKnown(path, digest))) return null
  const renderer = openBodyRenderer({ ...options, isStartedAhead: true })
  // The process waits for it, and would do so until this thread has nothing else to do.
  await ownBundle('prelude.js').catch(() => {}) // told where a page is rendered
  return renderer
}
