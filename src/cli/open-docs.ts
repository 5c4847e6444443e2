/** Opens the docs named by a command: a folder, which is built, or a bundle, as an archive or unpacked. */
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { createLog } from '../base/log.ts'
import { MANIFEST } from '../features/export/archive/bundle-look.ts'
import { unpackFiles } from '../features/export/archive/verify-archive.ts'
import { openFolderSource, requestFor } from '../features/export/folder-source.ts'
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

interface DocsPlace {
  place: string
  /** Used for a docs folder only. */
  cacheFolder: string | undefined
  signal: AbortSignal
}

/** Maximum size of texts held in memory from an archive. */
const MOST_ARCHIVE_BYTES = 1 << 30

/** Uses no network. Throws UsageError if there is nothing to read. */
export async function openDocs({ place, cacheFolder, signal }: DocsPlace): Promise<OpenedDocs> {
  const about = await stat(place).catch(() => null)
  if (about === null) throw new UsageError(`There is no archive and no folder ${place}.`)
  if (!about.isDirectory()) return { docs: await docsOf(await archiveFiles(place)), ...NOTHING_TO_CLOSE }
  if (await isThere(join(place, MANIFEST)))
    return { docs: await docsOf(await folderFiles(place)), ...NOTHING_TO_CLOSE }
  return buildDocs({ place, cacheFolder, signal })
}

const NOTHING_TO_CLOSE = { [Symbol.asyncDispose]: async () => {} }

async function docsOf(files: SiteFileReader): Promise<SiteDocs> {
  const docs = await openSiteDocs(files)
  if (docs === null)
    throw new UsageError(
      'This is no bundle that agents can read. Export or build it again with this version.',
    )
  return docs
}

async function buildDocs({ place, cacheFolder, signal }: DocsPlace): Promise<OpenedDocs> {
  await using opening = new AsyncDisposableStack()
  const source = opening.use(
    await openFolderSource({ folder: place, cacheFolder, isOffline: true, log: createLog('warn'), signal }),
  )
  const pages = await mkdtemp(join(tmpdir(), 'octavo-docs-'))
  opening.defer(() => rm(pages, { recursive: true, force: true }))
  await buildSite(
    { ...source.deps, files: createFolderFiles(pages) },
    source.tree,
    requestFor({ deployment: 'client-hosted' }),
    () => {},
    signal,
  )
  const docs = await docsOf(await folderFiles(pages))
  const open = opening.move()
  return { docs, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

async function archiveFiles(place: string): Promise<SiteFileReader> {
  const folders = [BUILT_IN_FOLDER, SKILLS_FOLDER]
  const isText = (path: string) =>
    path.endsWith('.md') || folders.some((folder) => path.startsWith(`${folder}/`))
  const files = await unpackFiles(createReadStream(place), isText, MOST_ARCHIVE_BYTES).catch(
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
async function folderFiles(folder: string): Promise<SiteFileReader> {
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
      const place = await realpath(join(root, name)).catch(() => null)
      if (place === null || !place.startsWith(root + sep)) return null
      const about = await stat(place)
      return about.isFile() && about.size <= maxBytes ? readFile(place) : null
    },
  }
}

async function isThere(place: string): Promise<boolean> {
  return (await stat(place).catch(() => null)) !== null
}
