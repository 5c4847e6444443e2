/** Which files are parts of pages instead of pages. */
import type { Problem } from '../../base/errors/problem.ts'
import type { PageImport } from '../model.ts'
import { isPageFile } from '../navigation/routes.ts'
import { compareText } from '../problems.ts'
import { isInSnippetFolder, isModuleFile } from './imports.ts'

/**
 * Files below `snippets/`, imported files and component files. A file that the navigation names stays a page even
 * when others import it; that is reported, and no page is lost.
 */
export function findSnippets(
  problems: Problem[],
  files: ReadonlySet<string>,
  imports: ReadonlyMap<string, readonly PageImport[]>,
  named: ReadonlySet<string>,
): Set<string> {
  const snippets = new Set<string>()
  const importers = new Map<string, { file: string; line: number }>()
  for (const [file, list] of imports) {
    for (const { path, line } of list)
      if (path !== null && !importers.has(path)) importers.set(path, { file, line })
  }
  for (const file of [...files].filter(isModuleFile).sort(compareText)) {
    const importer = importers.get(file)
    const isPart = !isPageFile(file)
      ? importer !== undefined || /x$/.test(file)
      : isInSnippetFolder(file) || importer
    if (!isPart) continue
    if (!isPageFile(file) || !isNamed(file, named)) {
      snippets.add(file)
      continue
    }
    problems.push({
      file,
      line: null,
      code: 'navigation.names_snippet',
      level: 'hint',
      message: importer
        ? `The navigation names this file, and ${importer.file} (line ${importer.line}) imports it; it is both.`
        : 'The navigation names this file, which lies in a folder for snippets; it becomes a page.',
      remedy: 'Move what is shared into a snippet of its own, or the page out of the folder.',
    })
  }
  return snippets
}

function isNamed(file: string, named: ReadonlySet<string>): boolean {
  const path = file.replace(/\.mdx?$/, '')
  return named.has(path) || (path.endsWith('/index') && named.has(path.slice(0, -'/index'.length)))
}
