/** Lists the follow-up edits when a file is removed: links, imports, and its navigation entry. */
import type { FileTree } from '../../../base/files/file-tree.ts'
import { namedPages } from '../../../site/navigation/navigation-names.ts'
import { isPageFile } from '../../../site/navigation/routes.ts'
import { SiteUnloadableError } from '../../../site/problems.ts'
import { loadSettings } from '../../../site/settings/find-settings.ts'
import { fitLines, plural } from '../loop/result-text.ts'
import type { FileReference } from './find-references.ts'

const LIST_BYTES = 6000

/** Returns sentences for the model; `path` is the name that no longer exists. */
export async function describeReferences(
  tree: FileTree,
  path: string,
  references: readonly FileReference[],
): Promise<string> {
  const isListed = await isInNavigation(tree, path)
  const menu = isListed
    ? 'The navigation lists it. Update it with update_navigation.'
    : 'The navigation does not list it.'
  if (references.length === 0) return `No page links to it or imports it. ${menu}`
  const lines = references.map(({ file, line, text }) => `${file}:${line}: ${text.slice(0, 200)}`)
  const shown = fitLines(lines, LIST_BYTES)
  const rest =
    lines.length > shown.length ? `\n(and ${lines.length - shown.length} more: search for them)` : ''
  return `${plural(references.length, 'reference')} must be updated:\n${shown.join('\n')}${rest}\n${menu}`
}

async function isInNavigation(tree: FileTree, path: string): Promise<boolean> {
  if (!isPageFile(path)) return false
  try {
    const named = namedPages((await loadSettings(tree, [])).root)
    const page = path.replace(/\.mdx?$/, '')
    return named.has(page) || (page.endsWith('/index') && named.has(page.slice(0, -'/index'.length)))
  } catch (error) {
    if (error instanceof SiteUnloadableError) return false
    throw error
  }
}
