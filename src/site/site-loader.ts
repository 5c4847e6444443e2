/**
 * Reloads a site as its files change. The most frequent change is to the text of one page, which does not affect the
 * navigation, the settings or any other page. In that case, only that page is read and its links are checked.
 */

import { isDeepStrictEqual } from 'node:util'
import type { FileTree } from '../base/files/file-tree.ts'
import { MAX_POINTER_BYTES } from '../base/files/lfs-pointer.ts'
import { allProblems, checkLinks, type LoadedSite, type LoadOptions, loadFullSite } from './load-site.ts'
import { isModuleFile } from './pages/imports.ts'
import { type FileFacts, readPage } from './pages/read-pages.ts'

/**
 * Returns the site for this state of the files, equal to the result of `loadSite`; rejects in the same cases. Parts
 * that are unchanged since `last` are the same objects.
 */
export async function loadSiteIncrementally(
  last: LoadedSite | null,
  tree: FileTree,
  options: LoadOptions = {},
): Promise<LoadedSite> {
  return (last && (await reloadTextFiles(last, tree))) ?? (await loadFullSite(tree, last, options))
}

/** Returns null if anything other than the text of pages has changed. */
async function reloadTextFiles(last: LoadedSite, tree: FileTree): Promise<LoadedSite | null> {
  const changed = changedFiles(last.tree, tree)
  if (changed === null || changed.some((file) => last.settingFiles.has(file))) return null
  const facts = new Map(last.facts)
  for (const file of changed) {
    const before = facts.get(file)
    // A page that was restricted to other readers may now be available to this audience.
    if (!before && isModuleFile(file)) return null
    // The file may have become a Git LFS pointer.
    if (!before && (tree.files.get(file)?.sizeBytes ?? 0) <= MAX_POINTER_BYTES) return null
    // Files without facts, such as images, are served unchanged and do not affect the rest of the site.
    if (!before) continue
    const now = await readPage(tree, file)
    if (!isDeepStrictEqual(siteWideFacts(now), siteWideFacts(before))) return null
    facts.set(file, now)
  }
  const linkProblems = checkLinks(last.linkCheck, facts, last)
  const problems = allProblems(facts, [last.otherProblems, ...linkProblems.values()])
  return { ...last, tree, facts, linkProblems, site: { ...last.site, problems } }
}

/** Returns the facts of a file that affect the rest of the site, not just its own problems. */
function siteWideFacts({ head, readers, imports, script }: FileFacts): unknown {
  return [head, readers, imports, script]
}

/** Returns the files with changed content; null if files were added or removed. */
function changedFiles(before: FileTree, now: FileTree): string[] | null {
  if (before.files.size !== now.files.size || !isDeepStrictEqual(before.refused, now.refused)) return null
  const changed: string[] = []
  for (const [path, entry] of now.files) {
    const previous = before.files.get(path)
    if (!previous) return null
    if (previous.digest !== entry.digest) changed.push(path)
  }
  return changed
}
