/**
 * Loads a site again and again while its files change. What an author changes most, the text of one page, leaves the
 * navigation, the settings and every other page as they are: then only that page is read and its links are checked.
 */

import { isDeepStrictEqual } from 'node:util'
import type { FileTree } from '../base/files/file-tree.ts'
import { MOST_POINTER_BYTES } from '../base/files/lfs-pointer.ts'
import { allProblems, checkLinks, type LoadedSite, type LoadOptions, loadWhole } from './load-site.ts'
import { isModuleFile } from './pages/imports.ts'
import { type FileFacts, readPage } from './pages/read-pages.ts'

/**
 * The site of this state of the files, the same as `loadSite` makes of it; rejects as that does. Parts that are as they
 * were in `last` are the same objects.
 */
export async function loadAfter(
  last: LoadedSite | null,
  tree: FileTree,
  options: LoadOptions = {},
): Promise<LoadedSite> {
  return (last && (await loadTexts(last, tree))) ?? (await loadWhole(tree, last, options))
}

/** Null when more than the text of pages has changed. */
async function loadTexts(last: LoadedSite, tree: FileTree): Promise<LoadedSite | null> {
  const changed = changedFiles(last.tree, tree)
  if (changed === null || changed.some((file) => last.settingFiles.has(file))) return null
  const facts = new Map(last.facts)
  for (const file of changed) {
    const before = facts.get(file)
    // A page for other readers may be for these from now on.
    if (!before && isModuleFile(file)) return null
    // It may be a pointer of Git LFS now.
    if (!before && (tree.files.get(file)?.sizeBytes ?? 0) <= MOST_POINTER_BYTES) return null
    // What the site is made of is not read of any other file: it is served as it is.
    if (!before) continue
    const now = await readPage(tree, file)
    if (!isDeepStrictEqual(madeInto(now), madeInto(before))) return null
    facts.set(file, now)
  }
  const linkProblems = checkLinks(last.linkCheck, facts, last)
  const problems = allProblems(facts, [last.otherProblems, ...linkProblems.values()])
  return { ...last, tree, facts, linkProblems, site: { ...last.site, problems } }
}

/** What of a file goes into more of the site than into its problems. */
function madeInto({ head, readers, imports, script }: FileFacts): unknown {
  return [head, readers, imports, script]
}

/** Files with other content; null when files came or went. */
function changedFiles(before: FileTree, now: FileTree): string[] | null {
  if (before.files.size !== now.files.size || !isDeepStrictEqual(before.refused, now.refused)) return null
  const changed: string[] = []
  for (const [path, entry] of now.files) {
    const known = before.files.get(path)
    if (!known) return null
    if (known.digest !== entry.digest) changed.push(path)
  }
  return changed
}
