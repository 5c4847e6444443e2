/** Opens the docs named by a command: a folder, which is built, or a bundle, as an archive or unpacked. */
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { createLog } from '../base/log.ts'
import { MANIFEST_FILE } from '../features/export/archive/bundle-inspection.ts'
import { extractFiles } from '../features/export/archive/verify-archive.ts'
import { createFolderRequest, openFolderSource } from '../features/export/folder-source.ts'
import { openSiteDocs, type SiteDocs } from '../features/mcp/site-docs.ts'
import type { SiteFileReader } from '../features/mcp/site-files.ts'
import { buildSite } from '../render/build.ts'
import { BUILT_IN_FOLDER } from '../render/machinery/built-ins.ts'
import { SKILLS_FOLDER } from '../render/outputs/skill-files.ts'
import { createFolderFiles } from '../render/versions/site-files.ts'
import { UsageError } from './command.ts'

interface OpenedDocs extends AsyncDisposable {
  docs: SiteDocs
}

interface DocsLocation {
  docsPath: string
  /** Used for a docs folder only. */
  cacheFolder: string | undefined
  signal: AbortSignal
}

/** Maximum size of texts held in memory from an archive. */
const MAX_ARCHIVE_BYTES = 1 << 30

/** Uses no network. Throws UsageError if there is nothing to read. */
export async function openDocs({ docsPath, cacheFolder, signal }: DocsLocation): Promise<OpenedDocs> {
  const stats = await stat(docsPath).catch(() => null)
  if (stats === null) throw new UsageError(`There is no archive or folder ${docsPath}.`)
  if (!stats.isDirectory())
    return { docs: await openBundleDocs(await openArchiveFiles(docsPath)), ...NO_CLEANUP }
  if (await pathExists(join(docsPath, MANIFEST_FILE)))
    return { docs: await openBundleDocs(await openFolderFiles(docsPath)), ...NO_CLEANUP }
  return buildDocs({ docsPath, cacheFolder, signal })
}

const NO_CLEANUP = { [Symbol.asyncDispose]: async () => {} }

async function openBundleDocs(files: SiteFileReader): Promise<SiteDocs> {
  const docs = await openSiteDocs(files)
  if (docs === null)
    throw new UsageError('This bundle has no data for agents. Export or build it again with this version.')
  return docs
}

async function buildDocs({ docsPath, cacheFolder, signal }: DocsLocation): Promise<OpenedDocs> {
  await using opening = new AsyncDisposableStack()
  const source = opening.use(
    await openFolderSource({
      folder: docsPath,
      cacheFolder,
      isOffline: true,
      log: createLog('warn'),
      signal,
    }),
  )
  const pages = await mkdtemp(join(tmpdir(), 'octavo-docs-'))
  opening.defer(() => rm(pages, { recursive: true, force: true }))
  await buildSite(
    { ...source.deps, files: createFolderFiles(pages) },
    source.tree,
    createFolderRequest({ deployment: 'client-hosted' }),
    () => {},
    signal,
  )
  const docs = await openBundleDocs(await openFolderFiles(pages))
  const open = opening.move()
  return { docs, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

async function openArchiveFiles(docsPath: string): Promise<SiteFileReader> {
  const folders = [BUILT_IN_FOLDER, SKILLS_FOLDER]
  const isText = (path: string) =>
    path.endsWith('.md') || folders.some((folder) => path.startsWith(`${folder}/`))
  const files = await extractFiles(createReadStream(docsPath), isText, MAX_ARCHIVE_BYTES).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error
      throw new UsageError(`The archive cannot be unpacked: ${(error as Error).message}`)
    },
  )
  return {
    names: [...files.keys()],
    async read(name, maxBytes) {
      const bytes = files.get(name)
      return bytes === undefined || bytes.byteLength > maxBytes ? null : bytes
    },
  }
}

/** Reads only files below the folder, after resolving links, because the paths in a bundle are untrusted. */
async function openFolderFiles(folder: string): Promise<SiteFileReader> {
  const root = await realpath(folder)
  const folders = [BUILT_IN_FOLDER, SKILLS_FOLDER]
  const own = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true }).catch(() => [])
      return names.map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    }),
  )
  return {
    names: own.flat(),
    async read(name, maxBytes) {
      const docsPath = await realpath(join(root, name)).catch(() => null)
      if (docsPath === null || !docsPath.startsWith(root + sep)) return null
      const stats = await stat(docsPath)
      return stats.isFile() && stats.size <= maxBytes ? readFile(docsPath) : null
    },
  }
}

async function pathExists(docsPath: string): Promise<boolean> {
  return (await stat(docsPath).catch(() => null)) !== null
}
