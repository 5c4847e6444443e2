/** A site of another kind read, turned into a site of docs.json, and written into a folder of its own. */
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Problem } from '../base/errors/problem.ts'
import { openFolderTree } from '../base/files/folder-tree.ts'
import { importDocusaurus } from './docusaurus/import-docusaurus.ts'
import { importGitBook } from './gitbook/import-gitbook.ts'
import { IGNORE_FILE, ImportError, type ImportKind, type SiteReader } from './imported-site.ts'
import { importMkDocs } from './mkdocs/import-mkdocs.ts'
import { createNotes } from './notes.ts'
import { openOutput } from './output-folder.ts'
import { REPORT_FILE, reportText } from './report.ts'

const READERS: Readonly<Record<ImportKind, SiteReader>> = {
  docusaurus: importDocusaurus,
  mkdocs: importMkDocs,
  gitbook: importGitBook,
}

export interface ImportInput {
  kind: ImportKind
  folder: string
  /** Beside the folder when null: `site` → `site-docs`. */
  out: string | null
  /** Files that stand in the way are written over. */
  isForced: boolean
}

export interface ImportResult {
  kind: ImportKind
  out: string
  pages: number
  files: number
  notes: Problem[]
}

/** Rejects with ImportError or FolderUnreadableError. */
export async function importSite(input: ImportInput): Promise<ImportResult> {
  const folder = resolve(input.folder)
  const out = resolve(input.out ?? join(dirname(folder), `${basename(folder) || 'site'}-docs`))
  refuseOverlap(folder, out)
  await using tree = await openFolderTree(folder)
  await using output = await openOutput(out, input.isForced)
  const notes = createNotes()
  for (const { path } of tree.refused)
    notes.add(
      'file',
      { file: path, line: null },
      'A symbolic link leads out of the folder, or to nothing; it is not followed.',
    )
  const site = await READERS[input.kind](tree, notes)
  const settings = { theme: 'mint', ...site.settings }
  await output.write('docs.json', `${JSON.stringify(settings, null, 2)}\n`)
  for (const [path, text] of site.texts) await output.write(path, text)
  for (const [path, source] of site.copies)
    if (!site.texts.has(path)) await output.write(path, await tree.read(source))
  const pages = [...site.texts.keys()].filter(
    (path) => path.endsWith('.mdx') && !path.startsWith('snippets/'),
  ).length
  const all = notes.all()
  await output.write(REPORT_FILE, reportText(input.kind, pages, all))
  // The report is for whoever imports, not for readers.
  const unpublished = [REPORT_FILE, ...(site.drafts ?? [])].map((path) => `/${path}\n`)
  await output.write(IGNORE_FILE, unpublished.join(''))
  return { kind: input.kind, out, pages, files: output.count(), notes: all }
}

/** What is imported is never changed, and never imports itself. */
function refuseOverlap(folder: string, out: string): void {
  if (`${out}${sep}`.startsWith(`${folder}${sep}`) || `${folder}${sep}`.startsWith(`${out}${sep}`)) {
    throw new ImportError(
      `${out} and the site to import lie in one another: name a folder beside it with --out.`,
    )
  }
}
