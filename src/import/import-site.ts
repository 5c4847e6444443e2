/** Imports a site of another generator: converts it to a docs.json site in a new folder. */

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

const SITE_READERS: Readonly<Record<ImportKind, SiteReader>> = {
  docusaurus: importDocusaurus,
  mkdocs: importMkDocs,
  gitbook: importGitBook,
}

export interface ImportInput {
  kind: ImportKind
  folder: string
  /** Output folder; null for a folder next to the source: `site` → `site-docs`. */
  out: string | null
  /** Whether to overwrite existing files. */
  isForced: boolean
}

export interface ImportResult {
  kind: ImportKind
  out: string
  pages: number
  files: number
  notes: Problem[]
}

/** Imports a site. Rejects with ImportError or FolderUnreadableError. */
export async function importSite(input: ImportInput): Promise<ImportResult> {
  const folder = resolve(input.folder)
  const out = resolve(input.out ?? join(dirname(folder), `${basename(folder) || 'site'}-docs`))
  assertSeparateFolders(folder, out)
  await using tree = await openFolderTree(folder)
  await using output = await openOutput(out, input.isForced)
  const notes = createNotes()
  for (const { path } of tree.refused)
    notes.add('file', path, 'This symbolic link is broken or points outside the folder, so it is skipped.')
  const site = await SITE_READERS[input.kind](tree, notes)
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
  // The report is not for readers of the site.
  const unpublished = [REPORT_FILE, ...(site.drafts ?? [])].map((path) => `/${path}\n`)
  await output.write(IGNORE_FILE, unpublished.join(''))
  return { kind: input.kind, out, pages, files: output.count(), notes: all }
}

/** Refuses overlapping folders, so that an import can neither overwrite nor include its own source. */
function assertSeparateFolders(folder: string, out: string): void {
  if (`${out}${sep}`.startsWith(`${folder}${sep}`) || `${folder}${sep}`.startsWith(`${out}${sep}`)) {
    throw new ImportError(`${out} and the imported folder overlap. Use --out with a separate folder.`)
  }
}

/** Output folder. Prevents writes outside of it, even through symlinks in the folder. */
interface OutputFolder {
  /** Writes a file. `path` is relative, with `/` as the separator. Throws ImportError. */
  write(path: string, content: string | Uint8Array): Promise<void>
  count(): number
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens the output folder. Throws ImportError if the folder cannot be created, or if it is not empty and
 * `isForced` is false.
 */
async function openOutput(folder: string, isForced: boolean): Promise<OutputFolder> {
  const root = await makeFolder(folder)
  const present = await readdir(root)
  if (present.length > 0 && !isForced) {
    throw new ImportError(
      `${folder} is not empty. Use --out with another folder, or --force to overwrite files (other files are not deleted).`,
    )
  }
  const known = new Set([root])
  /** Names of written files, normalized for case-insensitive file systems. */
  const written = new Set<string>()
  return {
    async write(path, content) {
      const targetFile = join(root, ...path.split('/'))
      if (!targetFile.startsWith(`${root}${sep}`))
        throw new ImportError(`The path ${path} is outside ${folder}.`)
      const parent = dirname(targetFile)
      await createFolderInside(root, parent, known)
      const partial = join(parent, `.${randomUUID()}.partial`)
      try {
        await writeFile(partial, content, { flag: 'wx' })
        await rename(partial, targetFile)
        written.add(targetFile)
      } catch (cause) {
        throw new ImportError(
          `Cannot write ${targetFile} (${errorCode(cause)}). Use --out with another folder.`,
          { cause },
        )
      } finally {
        await rm(partial, { force: true })
      }
    },
    count: () => written.size,
    async [Symbol.asyncDispose]() {
      // Removes the empty folder, which would block the next attempt.
      if (present.length === 0 && written.size === 0) await rm(root, { recursive: true, force: true })
    },
  }
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true })
    return await realpath(folder)
  } catch (cause) {
    const code = errorCode(cause)
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? 'a file with this name exists' : code
    throw new ImportError(`Cannot create the folder ${folder} (${why}). Use --out with another folder.`, {
      cause,
    })
  }
}

/** Creates parent folders. Refuses symlinks, which could lead outside the root. */
async function createFolderInside(root: string, parent: string, known: Set<string>): Promise<void> {
  if (known.has(parent)) return
  await createFolderInside(root, dirname(parent), known)
  const found = await lstat(parent).catch(() => null)
  if (found && !found.isDirectory()) {
    throw new ImportError(
      `${parent} exists but is not a folder. Remove it, or use --out with another folder.`,
    )
  }
  if (!found) await mkdir(parent)
  known.add(parent)
}

function errorCode(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? 'unknown error'
}
