/** The first process that renders pages, started while the site is still being loaded. */
import type { FileTree } from '../base/file-tree.ts'
import { isModuleFile } from '../site/imports.ts'
import type { EarlierSite } from '../site/load-site.ts'
import { type BodyRendererOptions, openBodyRenderer } from './bodies/body-renderer.ts'
import type { BodyRenderer } from './page/body.ts'

/** Null when no page will have to be rendered, as far as can be told before the site is loaded. */
export function startAhead(
  { files }: FileTree,
  last: EarlierSite | null,
  options: BodyRendererOptions,
): BodyRenderer | null {
  for (const [path, { digest }] of files)
    if (isModuleFile(path) && last?.facts.get(path)?.digest !== digest)
      return openBodyRenderer({ ...options, isStartedAhead: true })
  return null
}
