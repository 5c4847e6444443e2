/** Finds references to a file: pages that link to it, show it or import it, and the navigation. */
import { mapBounded } from '../../../base/bounded.ts'
import type { FileTree } from '../../../base/files/file-tree.ts'
import { resolveLink } from '../../../site/navigation/links.ts'
import { fileToRoute, isPageFile } from '../../../site/navigation/routes.ts'
import { isInSnippetFolder, isModuleFile, resolveImports } from '../../../site/pages/imports.ts'
import { scanModule } from '../../../site/pages/scan-imports.ts'
import { scanPage } from '../../../site/pages/scan-page.ts'
import { decodeFileText } from '../edit/change-files.ts'
import { isShown } from '../edit/paths.ts'

export interface FileReference {
  file: string
  /** 1-based. */
  line: number
  text: string
}

const MAX_CONCURRENT_FILE_READS = 16

/** Returns the references to `path`, which must exist, sorted by file and line, without those in the file itself. */
export async function findReferences(
  tree: FileTree,
  path: string,
  signal: AbortSignal,
): Promise<FileReference[]> {
  const files = [...tree.files.keys()].filter((file) => file !== path && isShown(file) && isModuleFile(file))
  // Every reference contains at least the file name without its extension.
  const word = lastSegment(path)
  const found = await mapBounded(files, MAX_CONCURRENT_FILE_READS, async (file) => {
    signal.throwIfAborted()
    const text = decodeFileText(await tree.read(file))
    if (text === null || !text.toLowerCase().includes(word)) return []
    return [...findLinks(file, text, path), ...findImports(tree, file, text, path)]
  })
  return found.flat()
}

function lastSegment(path: string): string {
  const parts = path
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .split('/')
  const last = parts.pop() ?? ''
  return last === 'index' ? (parts.pop() ?? '') : last
}

function findLinks(file: string, text: string, path: string): FileReference[] {
  if (!isPageFile(file)) return []
  const isPage = isPageFile(path) && !isInSnippetFolder(path)
  const route = isPage ? fileToRoute(path) : null
  const site = {
    pages: new Map(route === null ? [] : [[route, null as never]]),
    assets: new Set(isPage ? [] : [path]),
    redirects: [],
    homeRoute: null,
  }
  return scanPage(text, 0).links.flatMap(({ href, line }) => {
    const target = resolveLink(site, file, href)
    const isHit =
      (target.kind === 'page' && target.route === route) || (target.kind === 'asset' && target.path === path)
    return isHit ? [{ file, line, text: href }] : []
  })
}

function findImports(tree: FileTree, file: string, text: string, path: string): FileReference[] {
  const imports = isPageFile(file) ? scanPage(text, 0).imports : scanModule(text)
  if (imports.length === 0) return []
  const known = new Set([...tree.files.keys()].filter((one) => one === path))
  const resolved = resolveImports([], known, new Map([[file, imports]])).get(file) ?? []
  return resolved
    .filter((found) => found.path === path)
    .map((found) => ({ file, line: found.line, text: found.specifier }))
}
