/** A site of another kind read, turned into a site of docs.json, and written into a folder of its own. */

import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Problem } from '../base/errors/problem.ts'
import { openFolderTree } from '../base/files/folder-tree.ts'
import { importDocusaurus } from './docusaurus/import-docusaurus.ts'
import { importGitBook } from './gitbook/import-gitbook.ts'
import { IGNORE_FILE, ImportError, type ImportKind, type SiteReader } from './imported-site.ts'
import { importMkDocs } from './mkdocs/import-mkdocs.ts'
import { createNotes } from './notes.ts'
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

/** The folder that an import writes into: nothing leaves it, whatever names and links it holds. */
interface OutputFolder {
  /** `path` is below the folder, with `/`. Throws ImportError. */
  write(path: string, content: string | Uint8Array): Promise<void>
  /** Files written. */
  count(): number
  [Symbol.asyncDispose](): Promise<void>
}

/** Throws ImportError for a folder that cannot be made, or holds anything while nothing may be written over. */
async function openOutput(folder: string, isForced: boolean): Promise<OutputFolder> {
  const root = await makeFolder(folder)
  const present = await readdir(root)
  if (present.length > 0 && !isForced) {
    throw new ImportError(
      `${folder} is not empty: name another folder with --out, or write over its files with --force (others stay).`,
    )
  }
  /** Folders that are known to be real ones, inside. */
  const known = new Set([root])
  /** The name by which each file is known where letters of both sizes are the same. */
  const written = new Set<string>()
  return {
    async write(path, content) {
      const place = join(root, ...path.split('/'))
      if (!place.startsWith(`${root}${sep}`))
        throw new ImportError(`The file ${path} would lie outside of ${folder}.`)
      const parent = dirname(place)
      await makeInside(root, parent, known)
      const partial = join(parent, `.${randomUUID()}.partial`)
      try {
        await writeFile(partial, content, { flag: 'wx' })
        await rename(partial, place)
        written.add(place)
      } catch (cause) {
        throw new ImportError(
          `${place} cannot be written (${codeOf(cause)}): name another folder with --out.`,
          { cause },
        )
      } finally {
        await rm(partial, { force: true })
      }
    },
    count: () => written.size,
    async [Symbol.asyncDispose]() {
      // A folder that was made in vain does not stand in the way of the next try.
      if (present.length === 0 && written.size === 0) await rm(root, { recursive: true, force: true })
    },
  }
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true })
    return await realpath(folder)
  } catch (cause) {
    const code = codeOf(cause)
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file is in the way' : code
    throw new ImportError(`The folder ${folder} cannot be made (${why}): name another one with --out.`, {
      cause,
    })
  }
}

/** A link of an earlier time leads nowhere: what stands on the way must be folders. */
async function makeInside(root: string, parent: string, known: Set<string>): Promise<void> {
  if (known.has(parent)) return
  await makeInside(root, dirname(parent), known)
  const found = await lstat(parent).catch(() => null)
  if (found && !found.isDirectory()) {
    throw new ImportError(
      `${parent} is no folder but should be one: remove it, or name another folder with --out.`,
    )
  }
  if (!found) await mkdir(parent)
  known.add(parent)
}

function codeOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? 'unknown error'
}
