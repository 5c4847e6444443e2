/** The first process that renders pages, started while the site is still being loaded. */
import type { FileTree } from '../base/file-tree.ts'
import { isModuleFile } from '../site/imports.ts'
import { type BodyRendererOptions, openBodyRenderer } from './bodies/body-renderer.ts'
import type { BodyRenderer } from './page/body.ts'

/**
 * Null when no page will have to be rendered, as far as can be told before the site is loaded: of each file that pages
 * are made of `isKnown` says whether an earlier build had it.
 */
export function startAhead(
  { files }: FileTree,
  isKnown: (path: string, digest: string) => boolean,
  options: BodyRendererOptions,
): BodyRenderer | null {
  for (const [path, { digest }] of files)
    if (isModuleFile(path) && !isKnown(path, digest))
      return openBodyRenderer({ ...options, isStartedAhead: true })
  return null
}
